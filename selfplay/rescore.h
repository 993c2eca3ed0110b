/* Games that were played before, each position searched again: the same moves and results with
 * other scores. They are records like those of self-play, which stores them, so they are as
 * resumable and as independent of who does what. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/search/search.h"
#include "selfplay/game/play.h"
#include "selfplay/store/games.h"

/* The games of an earlier generation. */
struct rescore {
    struct games games;
    int generation; /* in which they were played; it decides which are held out of a fit */
    uint64_t hash;  /* of all records */
};

/* Finds the finished games of stage `name` in the run. On every rank: nothing is written. ERR_USAGE
 * when there are none. The caller ends it with rescore_close, whatever came of it. */
bool rescore_open(struct rescore *rescore, const char *directory, const char *name, int generation,
                  struct err *err);
void rescore_close(struct rescore *rescore);

/* One game: each position in which a player chose a move is searched within the limits, the table
 * being cleared before the first. A pure function of the record, the search and the limits. Given
 * up it leaves record->outcome OUTCOME_OPEN, as play_game does. The caller frees the record with
 * record_fini. False: memory is out, or the game is not there. */
bool rescore_game(const struct rescore *rescore, const struct variant *variant,
                  struct search *search, const struct search_limits *limits, int64_t number,
                  const struct play_watch *watch, struct record *record, struct play_cost *cost,
                  struct err *err);
