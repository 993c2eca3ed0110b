/* The games of a stage under way, as rank 0 keeps them:
 *
 *     journal/NAME.journal   what finished since, in any order; small
 *     games/NAME.records     games in the order of their numbers, as far as none is missing
 *     shards/NAME-NNNN.h5    their positions
 *
 * A finished game is in the journal before game_store_add returns. When all games before it are
 * there it is appended to the records. When these have games for another shard they are made
 * durable, the games that they have leave the journal, which is replaced by one of the rest, and
 * where the shard's games stand is handed out: any rank can make it (selfplay/store/sharding.h)
 * while others play. So there are two files and the shards, a game is at every instant in at least
 * one file, and nothing is left to do at the end but the last shard. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/progress.h"
#include "selfplay/farm/stop.h"
#include "selfplay/store/games.h"
#include "selfplay/store/sharding.h"

struct game_store_watch {
    /* Told of each shard that stands, once, also when it had been made before, in any order. The
     * place to catalogue it: insert or replace by name. NULL: not wanted. */
    bool (*shard)(void *context, const struct shard_entry *entry, struct err *err);
    /* Shown each game in the order of their numbers; NULL: not wanted. */
    bool (*game)(void *context, const struct record *record, struct err *err);
    void *context; /* of both */
};

struct game_store_settings {
    struct sharding_settings sharding;
    struct game_store_watch watch;
    const char *about;   /* what decides the games, first entry of the files */
    int64_t first, end;  /* the games that there are to be: first..end - 1 */
    double sync_seconds; /* between two times that the journal is made durable */
};

struct game_store_result {
    int64_t games, positions, shards;
    int64_t mended; /* shards that were there and were made again: damaged or of other games */
    int64_t white_wins, black_wins, draws;
    int64_t plies;
    uint64_t hash; /* of all records: the same for the same games */
};

struct game_store;

/* Finds what is there, shards apart: these are looked at while games are added, and at the end.
 * What the settings point to must outlive the store. NULL with an error of games_open. */
struct game_store *game_store_open(const struct game_store_settings *settings, struct err *err);

/* What was found; valid until game_store_finish. */
const struct games *game_store_found(const struct game_store *store);

/* Takes a finished game, an encoded record; each game once. It is in the journal when this returns,
 * and a few of the games that wait have been moved on, behind the last game all of them. */
bool game_store_add(struct game_store *store, const uint8_t *data, size_t size, struct err *err);

/* Moves on all games that can be, for when no game is missing; game_store_add does so behind the
 * last one. progress (may be NULL) counts games. *stopped: cut short by `stop` (NULL: none). */
bool game_store_advance(struct game_store *store, struct stop *stop, struct progress *progress,
                        bool *stopped, struct err *err);

/* The next shard that is to be seen to; false: none for now. Each is handed out once. */
bool game_store_cut(struct game_store *store, struct shard_cut *cut);

/* Takes back that it stands. */
bool game_store_made(struct game_store *store, const struct shard_entry *entry, struct err *err);

/* All games are there and all shards stand: completes the records and removes the journal and what
 * is left of other cuts. ERR_FAILED when a game did not reach the disk whole. */
bool game_store_finish(struct game_store *store, struct game_store_result *result, struct err *err);

/* Makes durable what was added, and closes the files. Always frees; NULL is fine. */
bool game_store_close(struct game_store *store, struct err *err);
