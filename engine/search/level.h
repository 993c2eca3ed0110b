/* The six levels: players of rising strength whose Elo has been measured.
 *
 * What a level plays by is all that decides its move: a node budget, a depth, and a blur of the
 * static score. It is served with the very budget it was measured with. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/search/search.h"

enum { LEVELS_MAX = 6, LEVEL_NAME = 16, LEVEL_MODEL = 32 };

struct level {
    int number;            /* 1.. */
    char name[LEVEL_NAME]; /* Beginner, Easy, Medium, Hard, Expert, Master */
    uint64_t nodes;        /* a move; 0 together with depth 0: a uniformly random legal move */
    int depth;             /* 0: no limit of its own */
    int noise;             /* search_limits.noise, hundredths of a man */
    double elo;            /* score-logistic, against the anchor */
    double elo_error;      /* half of the 95 % interval, against the pool's mean */
    int64_t games;         /* measured */
};

struct level_set {
    int count; /* 0 or LEVELS_MAX */
    struct level level[LEVELS_MAX];
    char model[LEVEL_MODEL]; /* of the ratings: "score-logistic" */
};

/* The transposition table every level is measured and served with: 2^LEVEL_TABLE_BITS entries,
 * cleared before each move. */
enum { LEVEL_TABLE_BITS = 16 };

enum { LEVEL_BUDGET = 64 };

/* What a level plays by, for people: "any legal move at random"; "24 nodes a move, blur 220". */
void level_budget(const struct level *level, char out[LEVEL_BUDGET]);

/* The names in order; number in 1..LEVELS_MAX. */
const char *level_name(int number);

/* The level's move in the game's present position: a pure function of its arguments (the table is
 * cleared). has_move is false when there is none. `search` holds the weights the level was
 * measured with and was made with LEVEL_TABLE_BITS. */
struct search_result level_play(const struct level *level, struct search *search,
                                const struct game *game, uint64_t seed);
