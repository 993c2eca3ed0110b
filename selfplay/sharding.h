/* Finished games turned into position shards: shards/NAME-NNNN.h5.
 *
 * Games come one after another in the order of their numbers, while others are still being played;
 * a shard is written as its games come and stands under its name once the next one has no room in
 * it. Shards are a pure function of the games: one that stands is known by the hash of its games
 * and only verified, one that is missing, damaged or out of date is made again. A shard holds
 * whole games; its rows are the positions in which a player (not the random opening) chose a
 * move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/variant.h"
#include "selfplay/games.h"
#include "selfplay/record.h"
#include "selfplay/shard.h"

enum { SHARD_NAME = GAMES_NAME + 32 };

/* A shard that stands under its name, durable, checked against its games. */
struct shard_entry {
    char name[SHARD_NAME]; /* "classic-g0-0000.h5", within shards/ */
    struct shard_info info;
    int64_t first_game, games; /* lowest number; how many games */
};

struct sharding_watch {
    /* Told of each shard in order, once, also when it had been made before; false ends the
     * sharding. The place to catalogue it: insert or replace by name. */
    bool (*shard)(void *context, const struct shard_entry *entry, struct err *err);
    /* Shown each game in the order of their numbers; NULL: not wanted. */
    bool (*game)(void *context, const struct record *record, struct err *err);
    void *context; /* of both */
};

struct sharding_settings {
    const char *directory, *name; /* of the run and of the stage, "classic-g0" */
    const struct variant *variant;
    struct shard_info info; /* what is the same in all */
    int64_t rows_max;       /* a shard (more only when a single game has more); 0: none are made,
                               the games are only checked and counted */
    struct sharding_watch watch;
};

struct sharding_result {
    int64_t games, positions, shards;
    int64_t mended; /* shards that were there and were made again: damaged, of other games, or of a
                       game that was lost */
    int64_t white_wins, black_wins, draws;
    int64_t plies;
    uint64_t hash; /* of all records: the same for the same games */
};

struct sharding; /* the work under way */

/* Begins with the first shard. The settings' texts must outlive it. NULL when memory is out. */
struct sharding *sharding_create(const struct sharding_settings *settings, struct err *err);

/* Takes the next game, entry[0]. entry[1..count) are those known to come behind it, with `last` all
 * of them: a shard that stands is only found when all its games, and the one behind, are known. */
bool sharding_take(struct sharding *sharding, const struct games_entry *entry, int64_t count,
                   bool last, struct err *err);

/* Ends the last shard; those of a higher number are removed. */
bool sharding_finish(struct sharding *sharding, struct sharding_result *result, struct err *err);

/* A shard that is not ended is given up. NULL is fine. */
void sharding_destroy(struct sharding *sharding);

/* The rows of one game are appended to *rows (owned by the caller, *capacity allocated). */
bool sharding_rows(const struct record *record, const struct variant *variant,
                   struct shard_row **rows, size_t *count, size_t *capacity, struct err *err);
