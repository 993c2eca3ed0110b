/* Finished games turned into position shards: shards/NAME-NNNN.h5.
 *
 * Shards are a pure function of the games: one that is missing, damaged or out of date is made
 * again, so a kill between writing and cataloguing costs nothing but time. A shard holds whole
 * games, in the order of their numbers; its rows are the positions in which a player (not the
 * random opening) chose a move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/progress.h"
#include "engine/variant.h"
#include "selfplay/games.h"
#include "selfplay/shard.h"
#include "selfplay/stop.h"

enum { SHARD_NAME = GAMES_NAME + 32 };

/* A shard that stands under its name, durable, checked against its games. */
struct shard_entry {
    char name[SHARD_NAME]; /* "classic-g0-0000.h5", within shards/ */
    struct shard_info info;
    int64_t first_game, games; /* lowest number; how many games */
};

/* Told of each shard in order, once a call, also when it had been made before; false ends the
 * sharding. The place to catalogue it: insert or replace by name. */
struct sharding_watch {
    bool (*shard)(void *context, const struct shard_entry *entry, struct err *err);
    void *context;
};

struct sharding_result {
    int64_t games, positions, shards;
    int64_t white_wins, black_wins, draws;
    int64_t plies;
    uint64_t hash; /* shard_hash over all rows: the same for the same games */
};

/* Makes the shards of all games, at most rows_max rows each (more only when a single game has
 * more); with rows_max 0 the games are only checked and counted. info gives what is the same in
 * all. Shards of a higher number than the last are removed. *stopped: cut short by `stop` (which
 * may be NULL); call again. progress may be NULL and counts games. */
bool sharding_run(const struct games *games, const struct variant *variant,
                  const struct shard_info *info, int64_t rows_max,
                  const struct sharding_watch *watch, struct stop *stop, struct progress *progress,
                  struct sharding_result *result, bool *stopped, struct err *err);

/* The rows of one game are appended to *rows (owned by the caller, *capacity allocated). */
struct record;
bool sharding_rows(const struct record *record, const struct variant *variant,
                   struct shard_row **rows, size_t *count, size_t *capacity, struct err *err);
