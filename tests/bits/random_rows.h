/* Random games as rows of a shard, for tests of the fit. */
#pragma once

#include "engine/rules/variant.h"
#include "selfplay/store/shard_row.h"

enum { RANDOM_ROWS_MAX = 150 };

/* Plays a random game, the same for the same number, into rows[0..RANDOM_ROWS_MAX), with static
 * scores by `weights` for those of a search; returns how many rows it has. */
int random_rows(const struct variant *variant, const struct weights *weights, int64_t game,
                struct shard_row *rows);
