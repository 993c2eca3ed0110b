/* What the fit minimises, over the data of all ranks: the mean log loss of the training positions,
 * its gradient and its curvature.
 *
 * Every rank calls these functions in the same order with the same arguments (collective); each
 * passes over its own data, the integer sums are added up over the ranks, and what is computed
 * from them is the same on every rank.
 *
 * theta holds two weights, opening and ending, of each feature, and behind those of each pattern
 * that is fitted. It is spread over the ranks as `spread` says: theta, gradient and what else has a
 * number for each weight are a rank's own part of it. The features' weights are all rank 0's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "tuner/fit/blocks.h"
#include "tuner/fit/dataset.h"
#include "tuner/fit/logistic.h"
#include "tuner/fit/pass.h"

/* How many of a window's states occur in the training positions, and how many of them are fitted.
 */
struct window_counts {
    int seen, fitted;
};

struct objective {
    const struct dataset *dataset; /* finished; of this rank; not owned */
    struct team team;
    struct spread spread;
    int features, dimensions; /* dimensions = 2 * (features + patterns), of all ranks */
    int patterns;             /* that are fitted; 0 until objective_add_patterns */
    int own, own_first;       /* patterns whose weights are this rank's: how many, from which on */
    int32_t *pattern;         /* [patterns]: their indices, ascending; owned */
    struct pass_pattern_curvature *pattern_curvature; /* [own]: of all ranks; owned */
    struct window_counts window[PATTERN_WINDOWS_MAX]; /* by number of window */
    struct dataset_counts totals;                     /* of all ranks */
    struct objective_buffers *buffers;                /* owned */
    bool interrupted; /* a rank was asked to stop: what was returned last is void */
    int passes;       /* over the training positions, so far */
};

/* Collective. ERR_USAGE when a fit is not possible, saying what is missing: no training position
 * (with what became of the rows), none held out, all games with the same result, too many
 * positions. ERR_FAILED when memory is out. objective_fini is needed after success only. */
bool objective_init(struct objective *objective, const struct dataset *dataset,
                    const struct team *team, struct err *err);
void objective_fini(struct objective *objective);

/* Collective, once: from now on the patterns of these windows are fitted that occur in the training
 * positions at least `least` times; the other patterns' weights are 0. Their curvature is that of
 * the model with the features' weights dense[2 * features], the same on every rank. ERR_FAILED when
 * memory is out on any rank. */
bool objective_add_patterns(struct objective *objective, const struct pattern_set *windows,
                            const double *dense, double scale, int64_t least, struct err *err);

/* Collective. What a man is worth, in the unit of theta: of the least squares that give a
 * position's score by its differences in men and in kings (White's less Black's), over the sampled
 * positions, the coefficient of men. The fit makes the sums of residuals vanish over those
 * differences, so this follows from the results, whichever weights or patterns the worth of a man
 * is spread over. 100 when men differ nowhere; NaN when a weight is out of range. */
double objective_man(struct objective *objective, const double *theta, double scale);

/* Collective. Mean log loss of the training positions and its derivatives by theta. Weights out of
 * range (pass_table_fill) give INFINITY and no gradient. False: interrupted. */
bool objective_gradient(struct objective *objective, const double *theta, double scale,
                        double *loss, double *gradient);

/* Collective, without patterns: K of least training loss for the features' weights
 * dense[2 * features], the same on every rank. ERR_USAGE from score_scale; false also when
 * interrupted. */
bool objective_scale(struct objective *objective, const double *dense, double *scale,
                     struct err *err);

/* Collective. Mean log loss of a part. False: interrupted. */
bool objective_loss(struct objective *objective, enum dataset_part part, const double *theta,
                    double scale, double *loss);

/* Collective. The second derivatives of the loss by the features' weights dense[2 * features], the
 * same on every rank, averaged over the sampled positions: matrix[2 * features][2 * features],
 * symmetric; all zero when nothing is sampled. The patterns' weights are those of the last gradient
 * or loss. ERR_FAILED when memory is out on any rank. */
bool objective_curvature(struct objective *objective, const double *dense, double scale,
                         double *matrix, struct err *err);
