/* What a rank does for the self-play stage: a game, or a shard of finished games, as a task of the
 * farm; and what it reports of it to rank 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/farm/farm.h"
#include "selfplay/selfplay_game.h"
#include "selfplay/store/sharding.h"

struct selfplay_worker {
    int rank;
    const struct selfplay_settings *settings; /* not owned, like source */
    const struct selfplay_source *source;
    struct selfplay_crew crew;
    struct sharding_settings place; /* of the stage's shards */
};

/* Begins a result; behind it comes the encoded record of a game or, of a shard, for which nothing
 * is searched, a shard_entry. */
struct selfplay_report {
    int64_t rank, plies;
    uint64_t nodes;
    double busy_seconds, search_seconds;
};

/* The task of making a shard. Its number is negative, that of a game is the game's. */
struct farm_task selfplay_shard_task(const struct shard_cut *cut);

/* Does either, as struct farm asks of `work`. */
bool selfplay_work(struct selfplay_worker *worker, struct farm_seat *seat,
                   const struct farm_task *task, uint8_t *result, size_t *size, struct err *err);
