/* What a fit minimises: the mean log loss of the training positions plus the priors of the weights,
 * and an approximation of its curvature, by which the minimiser is preconditioned:
 *
 *  - the features' weights all together, from the second derivatives at the start over a sample;
 *  - each pattern's two weights by themselves, from all positions in which it occurs.
 *
 * Weights are laid out and spread over the ranks as tuner/fit/objective.h says; those of features
 * start at start[], those of patterns at 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/objective.h"

/* A 2 x 2 matrix, symmetric: of a pattern's opening and ending weight. */
struct block {
    double opening, mixed, ending;
};

enum { PENALISED_DENSE_MAX = 2 * FEATURES_MAX };

struct penalised {
    struct objective objective;
    const struct fit_settings *settings; /* not owned */
    double scale;                        /* K, to be set before penalised_prepare */
    double start[PENALISED_DENSE_MAX];   /* the same */
    double factor[PENALISED_DENSE_MAX * PENALISED_DENSE_MAX]; /* Cholesky factor of the features'
                                                                 sampled curvature */
    struct block *inverse; /* [own patterns]: of their curvature; owned */
    double *strength;      /* [own patterns]: curvature of their prior; owned */
};

/* Collective. Errors as objective_init. penalised_fini is needed after success only. */
bool penalised_init(struct penalised *penalised, const struct dataset *dataset,
                    const struct fit_settings *settings, const struct team *team, struct err *err);
void penalised_fini(struct penalised *penalised);

/* Collective: joins the patterns, where there are to be any, and finds the curvature. ERR_FAILED
 * when memory is out or the curvature is singular. */
bool penalised_prepare(struct penalised *penalised, struct err *err);

/* Sets this rank's part of the weights to where they start. */
void penalised_start(const struct penalised *penalised, double *theta);

/* Collective: value and gradient, as lbfgs_problem wants them of `context`, a struct penalised. */
bool penalised_evaluate(void *context, const double *theta, double *value, double *gradient);

/* Collective: the priors' part of the value, the sum of (w - start)^2 / (2 G sigma^2) over all
 * weights w. */
double penalised_prior(struct penalised *penalised, const double *theta);

/* Replaces v by the approximate curvature's inverse times v. */
void penalised_precondition(void *context, double *v);
