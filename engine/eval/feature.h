/* What the evaluation sees in a position, and the weights it gives to it.
 *
 * The evaluation is linear: each feature is a small whole number (White's count minus Black's,
 * Black's pieces turned by 180 degrees), each has two weights, one for the full board (`opening`)
 * and one for the empty board (`ending`), interpolated by the share of the starting pieces that
 * still stand:
 *
 *     score = sum_i value_i * (opening_i * phase + ending_i * (full - phase)) / full
 *
 * from White's view, negated when Black is to move; phase is the number of pieces on the board,
 * at most full = 2 * rules.men_each; a lead that a king holds counts less (is_held). Weights may
 * also have patterns (engine/eval/pattern.h), whose values are 1 and -1; their sum joins this one.
 * The played and the tuned function are made from the one list of features in feature.inc and the
 * one of patterns in pattern.inc; the search has it folded (engine/eval/evaluator.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/board/position.h"
#include "engine/eval/pattern.h"

/* Groups of features, in the order of their indices. */
enum feature_group {
    FEATURE_MAN,           /* men */
    FEATURE_KING,          /* kings */
    FEATURE_FIRST_KING,    /* has a king at all */
    FEATURE_TURN,          /* the side to move */
    FEATURE_MAN_SQUARE,    /* men by square, as White sees the board */
    FEATURE_KING_SQUARE,   /* kings by square */
    FEATURE_CENTRE,        /* men on the eight dark squares of the middle 4 x 4 */
    FEATURE_BACK_ROW,      /* men on the own back row */
    FEATURE_GUARDED,       /* men that cannot be jumped from the front because an own piece or the
                              edge is behind them: [0] on one of the two sides, [1] on both */
    FEATURE_MAN_MOBILITY,  /* steps forward onto an empty square, over all men */
    FEATURE_KING_MOBILITY, /* single steps onto an empty square, over all kings */
    FEATURE_GROUPS,
};

enum {
    FEATURES_MAX = 4 + 2 * SQUARES_MAX + 6, /* weights a phase, largest rule set */
    FEATURES_ACTIVE_MAX = FEATURES_MAX,     /* entries in a list, any position */
};

/* Whether a king of the other side holds a draw against a leader who has so few pieces
 * (rules->king_holds): its lead counts by HELD_DIVISOR less, and such positions are not fitted to.
 * (Scan divides so: F. Letouzey, Scan 3.1, eval.cpp.) */
enum { HELD_DIVISOR = 8 };
static inline bool is_held(const struct rules *rules, const struct position *position,
                           enum colour leader)
{
    return rules->king_holds > 0 && position->kings[colour_other(leader)] != 0 &&
           bit_count(position->men[leader] | position->kings[leader]) <= rules->king_holds;
}

/* Whether the lead of one side or the other would count less. */
static inline bool may_be_held(const struct rules *rules, const struct position *position)
{
    return is_held(rules, position, WHITE) || is_held(rules, position, BLACK);
}

/* A group's name (also its dataset's name in a weights file) and its place. */
struct feature_range {
    const char *name; /* "man_square" */
    int first, count; /* indices first .. first + count - 1 */
};

/* Place of a group in a rule set; the counts of all groups sum to feature_count. */
struct feature_range feature_range(const struct rules *rules, enum feature_group group);
int feature_count(const struct rules *rules);

/* First index of a group; of FEATURE_GROUPS: the number of all features. All groups have one
 * feature but the two by square and FEATURE_GUARDED. */
static inline int feature_first(const struct rules *rules, enum feature_group group)
{
    int by_square = (group > FEATURE_MAN_SQUARE) + (group > FEATURE_KING_SQUARE);
    return (int)group + by_square * (rules->squares - 1) + (group > FEATURE_GUARDED);
}

/* The dark squares of the middle 4 x 4: in each of its rows two neighbours, the first of them in
 * one of the two columns left of the middle but one. */
static inline bitboard central_squares(const struct rules *rules)
{
    const int half = rules->rows / 2;
    bitboard squares = 0;

    for (int row = half - 2; row < half + 2; row++) {
        int column = (half + row) % 2 == 0 ? half - 1 : half - 2;
        int first = row * rules->row_squares + column / 2 + 1;
        squares |= bit(square_to_bit(rules, first)) | bit(square_to_bit(rules, first + 1));
    }
    return squares;
}

/* A position's non-zero features from White's view, each index once. */
struct feature {
    int16_t index, value;
};
struct feature_list {
    int phase; /* pieces on the board, at most 2 * men_each */
    int count;
    struct feature feature[FEATURES_ACTIVE_MAX];
};

/* Weights in hundredths of a man. Read-only once loaded, so any number of threads may share. */
struct weights {
    int16_t opening[FEATURES_MAX];
    int16_t ending[FEATURES_MAX];
    struct pattern_table *patterns; /* NULL: none. A copy of the struct shares it; it belongs to the
                                       one whom artefact_read or fit_run gave the weights */
};

/* Gives back the patterns of an owner. */
void weights_fini(struct weights *weights);

/* The built-in weights: man 100, king 300, all else 0, no patterns. */
void weights_builtin(const struct rules *rules, struct weights *weights);

/* A hash of the weights that count for the rule set, the same on every machine. */
uint64_t weights_id(const struct rules *rules, const struct weights *weights);
