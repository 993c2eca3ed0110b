/* Weights made ready for the search: the same score as variant->evaluate gives, sooner.
 *
 * All that depends on where men stand alone is one sum over the windows of patterns: what a man is
 * worth on its square is added to the states of the first window that holds the square (as the
 * viewer's man; where no window of the viewer's does, as the other side's man in the other view).
 * Opening and ending are the halves of one number, so that a state is one addition.
 *
 * How a window's state is found: the squares of two rows are neighbouring bits (see bitboard.h).
 * Such a band of one colour is the index of a table whose entry holds, field by field, what those
 * squares would be of every window's state if they were its first two rows; two rows further down
 * they are 3^2 times as much. So a few sums of entries are the states of all windows. */
#pragma once

#include <stdint.h>

#include "engine/eval/feature.h"

enum {
    BANDS_MAX = 5,                           /* of two rows each */
    BAND_BITS_MAX = SQUARES_MAX / BANDS_MAX, /* squares of one */
    BAND_FIELD = 16,                         /* bits of a window's field */
    BAND_STEP = 9,                           /* between a column's digits in two bands: 3^2 */
};

struct evaluator {
    struct weights weights; /* without patterns: those are in `sum` */
    const struct pattern_set *set;
    uint64_t band[2][1 << BAND_BITS_MAX]; /* as WHITE sees it, and BLACK: turned */
    int64_t sum[];                        /* [pattern_count]: opening * 2^32 + ending, by index */
};

/* The weights ready for the search of that rule set, to be freed; `set` is what they are taken to
 * have patterns of where they have none. They are copied. NULL when memory is out. */
struct evaluator *evaluator_create(const struct rules *rules, const struct pattern_set *set,
                                   const struct weights *weights);
