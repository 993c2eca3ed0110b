/* How good a fit is: numbers about the weights it came to, for people. They are the same bits on
 * any number of ranks.
 *
 * By the positions held out, which the fit never saw: predicted and actual score, loss, and how
 * often the winner was favoured, for kinds of positions (tuner/fit/pass_quality.h); and the
 * positions whose results surprise most, at most one of a group of games.
 *
 * The positions of a game share its result, so they are no independent observations. Errors are
 * those of a ratio of sums over independent clusters, the groups of games: for a = sum a_g over
 * b = sum b_g its variance is G / (G - 1) * sum (a_g - a / b * b_g)^2 / b^2 (W. G. Cochran,
 * Sampling Techniques, 3rd ed. 1977, section 9A; the groups are the clusters).
 *
 * Standard errors of the features' weights are those of Laplace's approximation (D. MacKay,
 * Information Theory, Inference, and Learning Algorithms, 2003, chapter 27): the posterior is
 * normal about the minimum with covariance (games * A)^-1, A being the second derivatives of what
 * is minimised, mean loss and priors (tuner/fit/penalised.h), at the rounded weights and over the
 * sample of training positions. Like the prior they take a game for one observation. Where patterns
 * are fitted, too, the errors are those with the patterns' weights held. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/eval/feature.h"
#include "engine/eval/pattern.h"
#include "tuner/fit/pass_quality.h"

enum { QUALITY_SURPRISES = 20 };

/* An error is -1 where there are fewer than two groups of games. */
struct quality_cell {
    int64_t positions, decided; /* decided: those whose game was won */
    double predicted, scored;   /* by White, means */
    double error;               /* standard error of scored - predicted */
    double favoured;            /* share of `decided` in which the winner was favoured */
    double favoured_error;      /* its standard error */
    double loss;                /* mean log loss */
};

/* The states of a window of patterns. */
struct quality_window {
    int states;   /* 3^squares */
    int possible; /* without those that have a man on its far row */
    int seen;     /* that occur in the training positions */
    int fitted;   /* that occur often enough */
};

struct quality {
    struct quality_cell cell[QUALITY_CELLS];
    int surprises;
    struct surprise surprise[QUALITY_SURPRISES]; /* the worst first */
    double opening_error[FEATURES_MAX];          /* of the features' weights, hundredths of a man */
    double ending_error[FEATURES_MAX];
    int windows; /* 0: no patterns */
    struct quality_window window[PATTERN_WINDOWS_MAX];
};

struct penalised;

/* Collective: of all weights, the same on every rank, as they were rounded, and their scale. One
 * pass over the positions held out, one over the training positions of the sample. ERR_FAILED when
 * memory is out on any rank or the curvature is singular. */
bool quality_measure(struct penalised *penalised, const double *whole, double scale,
                     struct quality *quality, struct err *err);
