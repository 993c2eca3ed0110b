/* What a score means: hundredths of a man as the side to move sees it, and the ends of the game. */
#pragma once

#include <stdint.h>

enum {
    SEARCH_PLIES = 128,     /* deepest line */
    SCORE_WON = 30000,      /* minus the plies to the end: a won position */
    SCORE_OPEN_MAX = 29000, /* |score| above it: won or lost, the end is in sight */
    SCORE_INFINITE = SCORE_WON + 1,
    SCORE_STATIC_MAX = SCORE_OPEN_MAX - 1,
    SCORE_NONE = INT16_MIN, /* in records, shards and PDN: nobody searched for this move */
};
