/* The games of a stage under way, as rank 0 keeps them:
 *
 *     journal/NAME.journal   what finished since, in any order; small
 *     games/NAME.records     games in the order of their numbers, as far as none is missing
 *     shards/NAME-NNNN.h5    their positions
 *
 * A finished game is in the journal before game_store_add returns. When all games before it are
 * there it is appended to the records and goes into the shard under way. A shard is complete when
 * its file and the records are durable; it is told to the watcher then, and the games that the
 * records have leave the journal, which is replaced by one of the rest. So there are two files and
 * the shards, a game is at every instant in at least one file, and nothing is left to do at the end
 * but the last shard. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/progress.h"
#include "selfplay/games.h"
#include "selfplay/sharding.h"
#include "selfplay/stop.h"

struct game_store_settings {
    struct sharding_settings sharding;
    const char *about;   /* what decides the games, first entry of the files */
    int64_t first, end;  /* the games that there are to be: first..end - 1 */
    double sync_seconds; /* between two times that the journal is made durable */
};

struct game_store;

/* Finds what is there, shards apart: these are looked at while games are added, and at the end.
 * What the settings point to must outlive the store. NULL with an error of games_open. */
struct game_store *game_store_open(const struct game_store_settings *settings, struct err *err);

/* What was found; valid until game_store_finish. */
const struct games *game_store_found(const struct game_store *store);

/* Takes a finished game, an encoded record; each game once. It is in the journal when this returns,
 * and a few of the games that wait have been moved on. */
bool game_store_add(struct game_store *store, const uint8_t *data, size_t size, struct err *err);

/* All games are there: completes records and shards and removes the journal. progress (may be NULL)
 * counts games. *stopped: cut short by `stop` (NULL: none), call again. ERR_FAILED when a game did
 * not reach the disk whole. */
bool game_store_finish(struct game_store *store, struct stop *stop, struct progress *progress,
                       struct sharding_result *result, bool *stopped, struct err *err);

/* Makes durable what was added, and closes the files. Always frees; NULL is fine. */
bool game_store_close(struct game_store *store, struct err *err);
