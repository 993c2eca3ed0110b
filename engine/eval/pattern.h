/* Patterns: what a group of neighbouring squares holds, taken as one.
 *
 * A window is a rectangle of dark squares: `columns` dark columns of `rows` rows, beginning at an
 * even row. Each of its squares is empty, holds a man of the viewer's or a man of the other side,
 * so a window of n squares has 3^n states, and each state of each window has two weights (opening
 * and ending, see engine/eval/feature.h). A position's windows are looked at twice, as White sees
 * the board and as Black sees it turned by 180 degrees: White's states count +1, Black's -1. So one
 * window serves both ends of the board, and both sides are judged alike.
 *
 * A rule set has several sets of windows, from which a fit takes one; its weights carry the set's
 * name wherever they go.
 *
 * The number of a state has a ternary digit a square, 0 empty, 1 own man, 2 the other's, the top
 * row of the left column being the lowest; the states of window k have the indices from
 * k * states. Windows are numbered by their top row, then from left to right.
 *
 * How the men of a column become a number: bits of one dark column, `rows` rows, are moved next to
 * each other by a multiplication (as "magic bitboards" do), and a small table makes base 3 of
 * base 2. That is as quick as the instruction pext, which older processors lack. */
#pragma once

#include <stdint.h>

#include "engine/board/bitboard.h"

enum {
    PATTERN_ROWS_MAX = 6,
    PATTERN_WINDOWS_MAX = 12,
    PATTERN_ACTIVE_MAX = 2 * PATTERN_WINDOWS_MAX,
};

/* Finds index[2 * pattern_windows] of a position's patterns: first those that count +1, then those
 * that count -1. */
typedef void pattern_finder(const bitboard men[2], uint32_t *index);

/* A set of windows of a rule set. */
struct pattern_set {
    const char *name;                        /* "4x2": rows and columns */
    int rows, columns;                       /* of each window; columns in dark squares */
    int tops;                                /* they begin at the rows 0, 2, ... 2 * (tops - 1) */
    uint64_t multiplier;                     /* moves a column's bits to the upper `rows` bits */
    uint16_t ternary[1 << PATTERN_ROWS_MAX]; /* of those bits, as a number in base 3 */
    pattern_finder *indices;
};

enum { PATTERN_SETS = 2 }; /* sets of each rule set */

struct pattern_weight {
    int16_t opening, ending;
};

/* The weights of all patterns of a set of windows; read-only once filled, so any number of threads
 * may share them. */
struct pattern_table {
    const struct pattern_set *set;  /* of the rule set; not owned */
    int count;                      /* pattern_count */
    struct pattern_weight weight[]; /* by index */
};

static inline int pattern_windows(const struct rules *rules, const struct pattern_set *set)
{
    return set->tops * (rules->row_squares - set->columns + 1);
}

/* States of one window: 3^(rows * columns). */
static inline int pattern_states(const struct pattern_set *set)
{
    int states = 1;
    for (int square = 0; square < set->rows * set->columns; square++) {
        states *= 3;
    }
    return states;
}

/* Indices of all windows together. */
static inline int pattern_count(const struct rules *rules, const struct pattern_set *set)
{
    return pattern_windows(rules, set) * pattern_states(set);
}

/* A table of weights 0, to be freed. NULL when memory is out. */
struct pattern_table *pattern_table_create(const struct rules *rules,
                                           const struct pattern_set *set);
