/* What the moves of a match took, from its games: how deep each player looked, and for how long. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"

/* Of one player; counts, so that those of several matches add up. */
struct match_effort {
    int64_t moves, microseconds;
    int64_t depths[UINT8_MAX + 1]; /* how many moves were looked into this deep, of those that say:
                                      with a choice (two legal moves or more) and no end in sight
                                      (a score that is no count of plies to it), the depth known;
                                      [0] stays 0 */
};

/* Of the first and the second player, in pairs below `limit`; zero when no games were kept.
 * ERR_FAILED names a record that is damaged. */
bool match_efforts(struct catalogue *catalogue, const struct variant *variant, int64_t match,
                   int64_t limit, struct match_effort effort[2], struct err *err);

/* Adds one player's to another's counts. */
void match_effort_add(struct match_effort *sum, const struct match_effort *effort);

/* The median of the depths: forced moves and won endings, in which a search ends at once or sees to
 * the end, would make the mean say little. 0 when no depth is known. */
double match_effort_depth(const struct match_effort *effort);

/* What the median is taken of, for those who print it. */
extern const char match_effort_depth_note[];

/* Mean time of all moves; 0 without any. */
double match_effort_milliseconds(const struct match_effort *effort);
