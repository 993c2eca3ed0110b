/* Loss, priors and preconditioner; see penalised.h. */
#include "tuner/fit/penalised.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/strength/cholesky.h"

static int dense(const struct penalised *penalised)
{
    return 2 * penalised->objective.features;
}

/* How many of this rank's weights are those of features: all, or none. */
static size_t own_dense(const struct penalised *penalised)
{
    return penalised->objective.team.rank == 0 ? (size_t)dense(penalised) : 0;
}

/* 1 / (G sigma^2): a prior's curvature beside a mean loss whose positions come from G games;
 * sigma in log odds, the weights in hundredths of a man. */
static double curvature_of_prior(const struct penalised *penalised, double log_odds)
{
    double games = (double)penalised->objective.totals.games[DATASET_TRAIN];
    double sigma = log_odds * 100 / penalised->scale;
    return 1 / (games * sigma * sigma);
}

static double prior_curvature(const struct penalised *penalised)
{
    return curvature_of_prior(penalised, penalised->settings->prior);
}

/* Where this rank's weight i is drawn to by the prior, and how strongly. */
struct pull {
    double strength, away;
};

static struct pull pull_of(const struct penalised *penalised, const double *theta, size_t i)
{
    size_t features = own_dense(penalised);
    if (i < features) {
        return (struct pull){prior_curvature(penalised), theta[i] - penalised->start[i]};
    }
    return (struct pull){penalised->strength[(i - features) / 2], theta[i]};
}

struct point_at {
    const struct penalised *penalised;
    const double *theta;
};

static double penalty_of(const void *context, size_t i)
{
    const struct point_at *at = context;
    struct pull pull = pull_of(at->penalised, at->theta, i);
    return pull.strength / 2 * pull.away * pull.away;
}

/* The priors' part of the value: the sum of (w - start)^2 / (2 G sigma^2) over all weights w. */
double penalised_prior(struct penalised *penalised, const double *theta)
{
    struct point_at at = {penalised, theta};
    return spread_sum(&penalised->objective.spread, penalty_of, &at);
}

/* Mean loss plus the priors. */
bool penalised_evaluate(void *context, const double *theta, double *value, double *gradient)
{
    struct penalised *penalised = context;
    if (!objective_gradient(&penalised->objective, theta, penalised->scale, value, gradient)) {
        return false;
    }
    for (size_t i = 0; i < spread_count(&penalised->objective.spread); i++) {
        struct pull pull = pull_of(penalised, theta, i);
        gradient[i] += pull.strength * pull.away;
    }
    *value += penalised_prior(penalised, theta);
    return true;
}

void penalised_precondition(void *context, double *v)
{
    struct penalised *penalised = context;
    double *pattern = v + own_dense(penalised);
    if (own_dense(penalised) > 0) {
        cholesky_solve(dense(penalised), penalised->factor, v);
    }
    for (int k = 0; k < penalised->objective.own; k++) {
        const struct block *inverse = &penalised->inverse[k];
        double opening = pattern[2 * k], ending = pattern[2 * k + 1];
        pattern[2 * k] = inverse->opening * opening + inverse->mixed * ending;
        pattern[2 * k + 1] = inverse->mixed * opening + inverse->ending * ending;
    }
}

/* Factors the sampled curvature at the start with the prior's, so that the first step is nearly
 * Newton's. */
static bool factor_curvature(struct penalised *penalised, struct err *err)
{
    int n = dense(penalised);
    if (!objective_curvature(&penalised->objective, penalised->start, penalised->scale,
                             penalised->factor, err)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        penalised->factor[i * n + i] += prior_curvature(penalised);
    }
    return cholesky_factor(n, penalised->factor) ||
           err_set(err, ERR_FAILED,
                   "the curvature of the data is singular: take a smaller prior than %g",
                   penalised->settings->prior);
}

/* The inverse of a pattern's curvature and its prior's. The block is positive definite: its
 * determinant is at least strength^2. */
static struct block invert(const struct penalised *penalised,
                           const struct pass_pattern_curvature *sums, double strength)
{
    int full = 2 * penalised->objective.dataset->variant->rules->men_each;
    double unit = penalised->scale / 100 / full * (penalised->scale / 100 / full) /
                  (double)((int64_t)1 << PASS_CURVATURE_BITS) /
                  (double)penalised->objective.totals.positions[DATASET_TRAIN];
    double opening = (double)sums->opening * unit + strength;
    double mixed = (double)sums->mixed * unit;
    double ending = (double)sums->ending * unit + strength;
    double determinant = opening * ending - mixed * mixed;
    return (struct block){ending / determinant, -mixed / determinant, opening / determinant};
}

/* Joins the patterns to the fit, when there are to be any; makes room for all weights. */
static bool add_patterns(struct penalised *penalised, struct err *err)
{
    const struct fit_settings *settings = penalised->settings;
    struct objective *objective = &penalised->objective;
    if (settings->windows != NULL &&
        !objective_add_patterns(objective, settings->windows, penalised->start, penalised->scale,
                                settings->pattern_least, err)) {
        return false;
    }
    penalised->inverse = calloc((size_t)objective->own + 1, sizeof *penalised->inverse);
    penalised->strength = calloc((size_t)objective->own + 1, sizeof *penalised->strength);
    if (!team_agree(&objective->team, penalised->inverse && penalised->strength)) {
        return err_set(err, ERR_FAILED, "out of memory for %d weights", objective->dimensions);
    }
    for (int k = 0; k < objective->own; k++) {
        const struct pass_pattern_curvature *sums = &objective->pattern_curvature[k];
        penalised->strength[k] = curvature_of_prior(penalised, settings->pattern_prior) *
                                 (1 + settings->pattern_rare / (double)sums->count);
        penalised->inverse[k] = invert(penalised, sums, penalised->strength[k]);
    }
    return true;
}

bool penalised_init(struct penalised *penalised, const struct dataset *dataset,
                    const struct fit_settings *settings, const struct team *team, struct err *err)
{
    penalised->settings = settings;
    penalised->scale = 1;
    penalised->inverse = NULL;
    penalised->strength = NULL;
    return objective_init(&penalised->objective, dataset, team, err);
}

void penalised_fini(struct penalised *penalised)
{
    objective_fini(&penalised->objective);
    free(penalised->inverse);
    free(penalised->strength);
}

bool penalised_prepare(struct penalised *penalised, struct err *err)
{
    return factor_curvature(penalised, err) && add_patterns(penalised, err);
}

void penalised_start(const struct penalised *penalised, double *theta)
{
    size_t features = own_dense(penalised);
    memcpy(theta, penalised->start, features * sizeof *theta);
    memset(theta + features, 0,
           (spread_count(&penalised->objective.spread) - features) * sizeof *theta);
}
