/* What people have won: by level, and as a table of all of them. Counted in the transaction that
 * ends a game, and kept when the game is not. */
#pragma once

#include "daemon/store/store.h"

/* A person's games against the computer in one rule set, by level - 1: those finished with a
 * result. */
struct progress {
    int64_t games[LEVELS_MAX], wins[LEVELS_MAX], draws[LEVELS_MAX];
    int64_t cleared[LEVELS_MAX]; /* when the win came that opens the next; 0: it has not */
    int opened;                  /* the highest level open, from 1 */
};

bool store_progress(struct store *store, int64_t person, const struct variant *variant,
                    struct progress *out, struct err *err);

/* One row of the leaderboard. */
struct standing {
    int64_t rank; /* from 1 */
    char name[NAME_BYTES];
    int beaten; /* levels beaten from the first on, without a gap */
    int64_t wins, games;
    int64_t reached; /* when the last win came, seconds since 1970 */
};

/* The rows from `offset` on, at most `limit`, of players with a name: those who have beaten more
 * come first, then those with more wins, then who reached that earlier. rules is the name of a
 * rule set, or "" for all: then `beaten` is the best one. */
bool store_leaders(struct store *store, const char *rules, int64_t offset, int limit,
                   struct standing *out, int *count, struct err *err);

/* One person's row; *found is false when there is none. */
bool store_standing(struct store *store, const char *rules, int64_t person, struct standing *out,
                    bool *found, struct err *err);

/* How people fare against one level. */
struct level_results {
    char rules[16];
    int level;
    int64_t people, cleared; /* who have finished a game; who have won one cleanly */
    int64_t games, wins, draws;
    int64_t games_to_clear; /* the games up to and with those clean wins, summed */
};

enum { RESULTS_MAX = VARIANT_COUNT * LEVELS_MAX };

/* All levels that have been played, in order. */
bool store_results(struct store *store, struct level_results out[RESULTS_MAX], int *count,
                   struct err *err);
