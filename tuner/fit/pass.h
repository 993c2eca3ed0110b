/* One pass over the positions: loss and gradient as exact integer sums.
 *
 * The model gives a position the probability of a win for White
 *
 *     P = 1 / (1 + exp(-x)),   x = K * score / 100,   score = the linear evaluation
 * (engine/eval/feature.h)
 *
 * and a position with target t (1, 1/2, 0 for White's results, or between) costs -t log P - (1 - t)
 * log(1 - P). The residual P - t is the derivative by x.
 *
 * Everything is summed in fixed point, so that no order of summation and no partition over ranks
 * can change a bit. The bounds, for N <= DATASET_POSITIONS_MAX = 1.05 * 10^9 < 2^30 positions on
 * all ranks:
 *
 *     dot product  logit weights |w| <= 2^12 as multiples of 2^-32; |value| <= 2^7, fewer than 2^8
 *                  entries: below 2^(44 + 7 + 8) = 2^59
 *     loss         x is cut to [-32, 32], so a loss is below 33 < 2^6, in units of 2^-26:
 *                  below 2^(6 + 26 + 30) = 2^62
 *     gradient     |residual| <= 1 in units of 2^-26, times |value| <= 2^7:
 *                  at most 2^(26 + 7) * N < 2^63, which is what limits N
 *     curvature    P (1 - P) <= 1/4 in units of 2^-20, times two values: at most
 *                  2^(18 + 14 + 30) = 2^62
 *
 * and for patterns, whose values are 1 and -1 and which are too many to be kept apart by phase: the
 * interpolation (phase and full - phase, both <= 40 < 2^6) is a factor of each summand:
 *
 * (targets are multiples of 2^-14, so residuals and losses of merged positions are as exact)
 *
 *     dot product  logit weights |w| <= 2^6 as multiples of 2^-24, at most 24 < 2^5 of them, times
 *                  phase and the rest, which sum up to full: below 2^(30 + 5 + 6) = 2^41
 *     gradient     a pattern counts at most once a position (White's and Black's cancel):
 *                  at most 2^(26 + 6 + 30) = 2^62
 *     curvature    times phase^2 <= 1600 < 2^11, and at most twice a position: at most
 *                  2^(18 + 11 + 1 + 30) = 2^60
 *
 * and for the worth of a man:
 *
 *     material     |x| < 32 in units of 2^-16, times a difference of at most 40 < 2^6 pieces:
 *                  below 2^(21 + 6 + 30) = 2^57
 *
 * all less than 2^63 (tuner/fit/pass.c asserts the two that come near). The gradients of features
 * are kept apart by phase; there the interpolation is applied to the sums (tuner/fit/objective.c).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tuner/fit/dataset.h"
#include "tuner/fit/logistic.h"
#include "tuner/fit/score_scale.h"

enum {
    PASS_LOGIT_MAX = 1 << 12,
    PASS_LOSS_BITS = 26,
    PASS_RESIDUAL_BITS = 26,
    PASS_CURVATURE_BITS = 20
};

/* The two weights of a pattern, multiplied by K / 100, in units of 2^-24; and what a gradient pass
 * adds up: residual * value, times phase and times full - phase. They lie together, so that a pass
 * waits for one cache line instead of two. */
struct pass_pattern {
    _Alignas(32) int32_t opening;
    int32_t ending;
    int64_t opening_sum, ending_sum;
};

/* The model's weights as a pass needs them: interpolated for each phase, multiplied by K / 100, in
 * units of 2^-32. */
struct pass_table {
    int64_t logit[DATASET_PHASES][FEATURES_MAX];
    const struct pattern_set *windows; /* NULL: the model has no patterns */
    struct pass_pattern *pattern;      /* by index of pattern, where it has. Not owned */
};

/* theta[2 * i] is the opening weight of feature i, theta[2 * i + 1] its ending weight, in
 * hundredths of a man. False when a weight is not finite or beyond 2^12 in logits. The patterns
 * stay as they are. */
bool pass_table_fill(struct pass_table *table, const struct rules *rules, const double *theta,
                     double scale);

/* The same for one pattern; false beyond 2^6 in logits. */
bool pass_pattern_fill(struct pass_pattern *pattern, const double theta[2], double scale);

/* Sums over the positions of one part of this rank's data. */
struct pass_sums {
    int64_t loss;                                   /* units of 2^-PASS_LOSS_BITS */
    int64_t gradient[DATASET_PHASES][FEATURES_MAX]; /* sum of residual * value, by phase; units of
                                                       2^-PASS_RESIDUAL_BITS */
};

/* Where the model has patterns, their sums in table->pattern are set too. */
void pass_gradient(const struct dataset *dataset, enum dataset_part part, struct pass_table *table,
                   const struct logistic *logistic, struct pass_sums *sums);

/* Adds the training positions to the counts by their scores, of a model without patterns whose
 * table was filled with scale 1. */
void pass_scores(const struct dataset *dataset, const struct pass_table *table,
                 struct score_counts *counts);

/* The loss alone. */
int64_t pass_loss(const struct dataset *dataset, enum dataset_part part,
                  const struct pass_table *table, const struct logistic *logistic);

/* Sums P (1 - P) * value_i * value_j over the sampled training positions, by phase, in units of
 * 2^-PASS_CURVATURE_BITS. */
struct pass_curvature {
    int64_t sum[DATASET_PHASES][FEATURES_MAX][FEATURES_MAX];
};
void pass_curvature(const struct dataset *dataset, const struct pass_table *table,
                    const struct logistic *logistic, struct pass_curvature *sums);

/* Of one pattern, over all training positions in which it occurs: their number, and the sums of
 * P (1 - P) times phase^2, phase * (full - phase) and (full - phase)^2, in units of
 * 2^-PASS_CURVATURE_BITS. */
struct pass_pattern_curvature {
    int64_t count, opening, mixed, ending;
};
void pass_pattern_curvature(const struct dataset *dataset, const struct pass_table *table,
                            const struct logistic *logistic, struct pass_pattern_curvature *sums);

/* How x goes with material: sums over the sampled training positions of the products of the
 * differences in men and in kings (White's less Black's) and of each with x, in units of
 * 2^-PASS_MATERIAL_BITS. Positions whose x the loss cuts are left out. */
enum { PASS_MATERIAL_BITS = 16 };
struct pass_material {
    int64_t men_men, men_kings, kings_kings, men_x, kings_x;
};
struct pass_material pass_material(const struct dataset *dataset, const struct pass_table *table);
