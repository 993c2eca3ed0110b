/* What the moves of a match took, from its games: how deep each player looked, and for how long. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/variant.h"
#include "selfplay/catalogue.h"

/* Of one player; sums, so that those of several matches add up. */
struct match_effort {
    int64_t moves, microseconds;
    int64_t searched, depth; /* moves of which a depth is known, and the sum of their depths */
};

/* Of the first and the second player, in pairs below `limit`; zero when no games were kept.
 * ERR_FAILED names a record that is damaged. */
bool match_efforts(struct catalogue *catalogue, const struct variant *variant, int64_t match,
                   int64_t limit, struct match_effort effort[2], struct err *err);

/* Adds one player's to another's sums. */
void match_effort_add(struct match_effort *sum, const struct match_effort *effort);

/* Means; 0 when there is nothing to take them of. */
double match_effort_depth(const struct match_effort *effort);
double match_effort_milliseconds(const struct match_effort *effort);
