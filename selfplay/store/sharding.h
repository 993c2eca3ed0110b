/* Finished games turned into position shards: shards/NAME-NNNN.h5.
 *
 * A shard is a pure function of the records that a cut (selfplay/store/cutting.h) names, so any
 * rank that sees the run's directory can make it. One that stands is known by the hash of its games
 * and only verified; one that is missing, damaged or of other games is made. A shard holds whole
 * games; its rows are the positions in which a player (not the random opening) chose a move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/farm/watch.h"
#include "selfplay/game/record.h"
#include "selfplay/store/cutting.h"
#include "selfplay/store/games.h"
#include "selfplay/store/shard.h"

enum { SHARD_NAME = GAMES_NAME + 32 };

/* A shard that stands under its name, durable, checked against its games. */
struct shard_entry {
    char name[SHARD_NAME]; /* "classic-g0-0000.h5", within shards/ */
    struct shard_info info;
    int64_t first_game, games; /* lowest number; how many games */
    bool mended;               /* another one had its name: damaged or of other games */
};

struct sharding_settings {
    const char *directory, *name; /* of the run and of the stage, "classic-g0" */
    const struct variant *variant;
    struct shard_info info; /* what is the same in all */
    int64_t rows_max;       /* a shard (more only when a single game has more); 0: none are made */
};

/* Sees that the shard of `cut` stands. The records must have its bytes, durable. *given_up: the
 * watch (may be NULL) said so, *entry is not set. ERR_FAILED: the records are damaged or are others
 * here than where they are written, the disk is full. */
bool sharding_make(const struct sharding_settings *settings, const struct shard_cut *cut,
                   const struct play_watch *watch, struct shard_entry *entry, bool *given_up,
                   struct err *err);

/* Removes shards from number `count` on: they are left from another cut of the games. */
bool sharding_remove_from(const struct sharding_settings *settings, int64_t count, struct err *err);

/* The rows of one game are appended to *rows (owned by the caller, *capacity allocated). */
bool sharding_rows(const struct record *record, const struct variant *variant,
                   struct shard_row **rows, size_t *count, size_t *capacity, struct err *err);
