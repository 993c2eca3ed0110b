/* What a pass over the positions judges each of them by: the model's weights of one phase, and from
 * them log odds, loss and residual. Inlined into the passes (tuner/fit/pass.c, pass_curvature.c,
 * pass_quality.c); model, units and bounds are in tuner/fit/pass.h.
 *
 * Men's squares are summed byte by byte: of each byte of a bitboard a table has the sum of its
 * squares' weights. That takes a fixed number of steps, without a branch that cannot be foreseen.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tuner/fit/dataset.h"
#include "tuner/fit/pass.h"

static const double JUDGE_LOGIT_UNIT = 0x1p32, JUDGE_PATTERN_UNIT = 0x1p24, JUDGE_CUT = 32;

enum {
    JUDGE_BYTES = 7, /* of a bitboard: all but the top one can have squares */
    JUDGE_BYTE_VALUES = 256,
};

/* Numbers for the bytes of both sides' men. */
struct judge_men {
    int64_t white[JUDGE_BYTES][JUDGE_BYTE_VALUES], black[JUDGE_BYTES][JUDGE_BYTE_VALUES];
};

/* The place among the features of a man on a bit of the board, as its owner sees it; -1: a ghost.
 */
static inline int judge_man_feature(const struct rules *rules, int index, enum colour owner)
{
    int square = bit_to_square(rules, index);
    if (square > rules->squares || square_to_bit(rules, square) != index) {
        return -1;
    }
    int seen = owner == WHITE ? square : rules->squares + 1 - square;
    return feature_first(rules, FEATURE_MAN_SQUARE) + seen - 1;
}

/* table->white: the sum of the squares' weights; table->black: what it takes away. */
static inline void judge_fill_men(const struct rules *rules, const int64_t *logit,
                                  struct judge_men *table)
{
    memset(table, 0, sizeof *table);
    for (int byte = 0; byte < JUDGE_BYTES; byte++) {
        for (int value = 1; value < JUDGE_BYTE_VALUES; value++) {
            int rest = value & (value - 1), index = 8 * byte + __builtin_ctz((unsigned)value);
            int ours = judge_man_feature(rules, index, WHITE),
                theirs = judge_man_feature(rules, index, BLACK);
            table->white[byte][value] = table->white[byte][rest] + (ours < 0 ? 0 : logit[ours]);
            table->black[byte][value] = table->black[byte][rest] - (theirs < 0 ? 0 : logit[theirs]);
        }
    }
}

/* What the positions of one phase are judged by. */
struct judge {
    const struct logistic *logistic;
    const struct pattern_set *set; /* NULL: the model has no patterns */
    struct pass_pattern *pattern;
    const int64_t *logit;
    int windows, phase, rest; /* rest = full - phase */
    int target_mask;
    struct judge_men men;
    uint32_t index[PATTERN_ACTIVE_MAX]; /* of the patterns of the position looked at */
};

/* Of the positions of this part and phase. */
static inline void judge_init(struct judge *judge, const struct dataset *dataset,
                              enum dataset_part part, const struct pass_table *table,
                              const struct logistic *logistic, int phase)
{
    const struct rules *rules = dataset->variant->rules;
    judge->logistic = logistic;
    judge->set = table->windows;
    judge->pattern = table->pattern;
    judge->logit = table->logit[phase];
    judge->windows = table->windows ? pattern_windows(rules, table->windows) : 0;
    judge->phase = phase;
    judge->target_mask = dataset_target_mask(part);
    judge->rest = 2 * rules->men_each - phase;
    judge_fill_men(rules, judge->logit, &judge->men);
}

/* Finds a position's patterns and returns their dot product with the weights, times full, in units
 * of 2^-24. */
static inline int64_t judge_patterns(struct judge *judge, const bitboard men[2])
{
    const uint32_t *index = judge->index;
    int64_t opening = 0, ending = 0;
    judge->set->indices(men, judge->index);
    for (int k = 0; k < judge->windows; k++) {
        const struct pass_pattern *plus = &judge->pattern[index[k]];
        const struct pass_pattern *minus = &judge->pattern[index[judge->windows + k]];
        opening += plus->opening - (int64_t)minus->opening;
        ending += plus->ending - (int64_t)minus->ending;
    }
    return opening * judge->phase + ending * judge->rest;
}

/* The dot product of a position's features with their weights, in units of 2^-32. */
static inline int64_t judge_features(const struct judge *judge,
                                     const struct dataset_position *position)
{
    int64_t sum = 0;
    for (const struct dataset_entry *entry = position->entry; entry < position->end;
         entry += DATASET_STRIDE) {
        for (int k = 0; k < DATASET_STRIDE; k++) {
            sum += entry[k].value * judge->logit[entry[k].index];
        }
    }
    for (int byte = 0; byte < JUDGE_BYTES; byte++) {
        sum += judge->men.white[byte][position->men[WHITE] >> 8 * byte & 0xff] +
               judge->men.black[byte][position->men[BLACK] >> 8 * byte & 0xff];
    }
    return sum;
}

/* x of a position, cut to [-JUDGE_CUT, JUDGE_CUT]. */
static inline double judge_logit(struct judge *judge, const struct dataset_position *position)
{
    double x = (double)judge_features(judge, position) * (1 / JUDGE_LOGIT_UNIT);
    if (judge->set != NULL) {
        int full = judge->phase + judge->rest;
        x += (double)judge_patterns(judge, position->men) / (full * JUDGE_PATTERN_UNIT);
    }
    return x < -JUDGE_CUT ? -JUDGE_CUT : x > JUDGE_CUT ? JUDGE_CUT : x;
}

/* Nearest whole number of units of 2^-bits to v in [-1, 64). */
static inline int64_t judge_fixed(double v, int bits)
{
    const double unit = (double)((int64_t)1 << bits);
    return (int64_t)((v + 1) * unit + 0.5) - ((int64_t)1 << bits);
}

/* Loss and residual of a position. */
static inline void judge_weigh(struct judge *judge, const struct dataset_position *position,
                               int64_t *loss, int64_t *residual)
{
    double target = (position->target & judge->target_mask) * (1.0 / (1 << DATASET_TARGET_BITS));
    double x = judge_logit(judge, position), p, l;
    logistic_at(judge->logistic, x, &p, &l);
    *loss = judge_fixed(l + (x > 0 ? x : 0) - target * x, PASS_LOSS_BITS);
    *residual = judge_fixed(p - target, PASS_RESIDUAL_BITS);
}

/* P (1 - P) of a position. */
static inline int64_t judge_curvature(struct judge *judge, const struct dataset_position *position)
{
    double p, l;
    logistic_at(judge->logistic, judge_logit(judge, position), &p, &l);
    return judge_fixed(p * (1 - p), PASS_CURVATURE_BITS);
}

/* Indices of the model's patterns. */
static inline size_t judge_pattern_count(const struct dataset *dataset,
                                         const struct pass_table *table)
{
    return table->windows ? (size_t)pattern_count(dataset->variant->rules, table->windows) : 0;
}

/* All positions of a part, one after another, each with the judge of its phase. */
struct judge_walk {
    struct judge judge;
    struct dataset_position position;

    /* Where it is. */
    const struct dataset *dataset;
    enum dataset_part part;
    const struct pass_table *table;
    const struct logistic *logistic;
    int phase;
    int64_t left; /* of the phase */
    const unsigned char *at;
};

/* Before the first position. logistic NULL: nothing is asked of it. */
static inline void judge_walk_start(struct judge_walk *walk, const struct dataset *dataset,
                                    enum dataset_part part, const struct pass_table *table,
                                    const struct logistic *logistic)
{
    walk->dataset = dataset;
    walk->part = part;
    walk->table = table;
    walk->logistic = logistic;
    walk->phase = -1;
    walk->left = 0;
}

/* The next position; false: that was the last one. */
static inline bool judge_walk_next(struct judge_walk *walk)
{
    while (walk->left == 0) {
        if (++walk->phase == DATASET_PHASES) {
            return false;
        }
        const struct dataset_group *group = &walk->dataset->group[walk->part][walk->phase];
        walk->left = group->positions;
        walk->at = group->packed.data;
        if (walk->left != 0) {
            judge_init(&walk->judge, walk->dataset, walk->part, walk->table, walk->logistic,
                       walk->phase);
        }
    }
    walk->left--;
    walk->at = dataset_next(walk->at, &walk->position);
    return true;
}
