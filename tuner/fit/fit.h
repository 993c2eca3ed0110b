/* Weights from results: logistic regression of the game's result on the linear evaluation (Texel's
 * method: P. Osterlund, "Texel's tuning method", chessprogramming.org).
 *
 *  1. The scale K is fitted with the starting weights held (tuner/fit/score_scale.h).
 *  2. K is held and the weights are fitted. A Gaussian prior around the starting weights keeps
 *     apart what the data cannot: a man's worth and the mean of the worth of men on each square
 *     are the same thing. The positions of a game share one result, so against the prior the data
 *     count as so many games, not as so many positions.
 *     Patterns, where they are fitted, start at 0, and their prior is around 0; a pattern that
 *     occurs in c positions is held to it 1 + pattern_rare / c times as strongly.
 *  3. Weights and K are rescaled so that a man is worth 100, as objective_man measures it: by how
 *     the whole score goes with the difference in men. P does not change by it. Search margins keep
 *     their meaning from one generation to the next, and from weights without patterns to weights
 *     with them.
 *  4. Weights are rounded to int16; "after" losses are those of the rounded weights, and so is what
 *     is said of their quality (tuner/fit/quality.h).
 *
 * The weights are the same bytes on any number of ranks, see tuner/fit/pass.h. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/eval/feature.h"
#include "tuner/fit/checkpoint.h"
#include "tuner/fit/dataset.h"
#include "tuner/fit/lbfgs.h"
#include "tuner/fit/objective.h"
#include "tuner/fit/quality.h"

enum { FIT_PASSES_MAX = 500 };

struct fit_settings {
    double prior; /* standard deviation of a weight around its start, in log odds of the result
                     (100 / K hundredths of a man make 1) */
    const struct pattern_set *windows; /* of the patterns; NULL: none are fitted */
    double pattern_prior;              /* the same as `prior` of a frequent pattern's weight */
    double pattern_rare;               /* occurrences, >= 0: see step 2 */
    int pattern_least; /* patterns that occur less often in the training positions keep 0 */
    double tolerance;  /* stop when less than this is estimated to be gained, loss a position */
    int passes_max;    /* 1..FIT_PASSES_MAX gradient passes for the weights */
};

/* A point of the loss curve. */
struct fit_point {
    int pass;
    double loss[DATASET_PARTS];
};

/* Told of each point of the curve on every rank; may be NULL. */
struct fit_watch {
    void *context;
    void (*point)(void *context, const struct fit_point *point);
};

struct fit_result {
    struct weights weights; /* the caller's: weights_fini */
    int patterns;           /* that were fitted */
    double scale_before;    /* K of the starting weights */
    double scale;           /* K that belongs to the weights: P = 1 / (1 + exp(-K * score / 100)) */
    double man;             /* what a man was worth before rescaling, hundredths */
    double loss_before[DATASET_PARTS], loss_after[DATASET_PARTS]; /* log loss a position */
    struct quality quality;
    enum lbfgs_stop stop;
    int passes;     /* over the training positions: for K and for gradients */
    double seconds; /* spent in them, on this rank; not the same on all */
    int resumed;    /* the pass at which a checkpoint was gone on from; 0: none */
    int points;
    struct fit_point curve[FIT_PASSES_MAX + 1];
    struct dataset_counts totals; /* of all ranks */
};

/* Collective. The fit goes on from the checkpoint, where there is one of this fit, and is saved
 * there from time to time and when it is interrupted; NULL: it is not. A fit that was gone on with
 * has the same result as one that was not interrupted, but for `resumed` and `seconds`. The
 * finished fit's file is left to the caller to remove. ERR_USAGE when the data do not allow a fit
 * (objective_init), when the material does not predict the results, when a weight does not fit
 * int16 (it is named). *interrupted: a rank was asked to stop; then false is returned and err says
 * so. */
bool fit_run(const struct dataset *dataset, const struct weights *start,
             const struct fit_settings *settings, const struct team *team,
             const struct fit_watch *watch, struct checkpoint *checkpoint,
             struct fit_result *result, bool *interrupted, struct err *err);
