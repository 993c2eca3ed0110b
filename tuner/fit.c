/* The four steps described in fit.h. */
#include "tuner/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "selfplay/strength/cholesky.h"
#include "tuner/scale.h"

enum { LBFGS_PAIRS = 10, DENSE_MAX = 2 * FEATURES_MAX };

/* A 2 x 2 matrix, symmetric: of a pattern's opening and ending weight. */
struct block {
    double opening, mixed, ending;
};

/* A fit under way. theta is laid out as objective.h says; all weights start at start[], those of
 * patterns at 0. */
struct fit {
    struct objective objective;
    const struct fit_settings *settings;
    const struct fit_watch *watch;
    struct fit_result *result;
    double scale;
    double start[DENSE_MAX];
    double factor[DENSE_MAX * DENSE_MAX]; /* Cholesky factor of the features' sampled curvature */
    double *theta;                        /* [dimensions]; owned */
    struct block *inverse;                /* [patterns]: of their curvature; owned */
    double *strength;                     /* [patterns]: curvature of their prior; owned */
};

static int dense(const struct fit *fit)
{
    return 2 * fit->objective.features;
}

/* 1 / (G sigma^2): a prior's curvature beside a mean loss whose positions come from G games;
 * sigma in log odds, the weights in hundredths of a man. */
static double curvature_of_prior(const struct fit *fit, double log_odds)
{
    double games = (double)fit->objective.totals.games[DATASET_TRAIN];
    double sigma = log_odds * 100 / fit->scale;
    return 1 / (games * sigma * sigma);
}

static double prior_curvature(const struct fit *fit)
{
    return curvature_of_prior(fit, fit->settings->prior);
}

/* The priors' part of the value: the sum of (w - start)^2 / (2 G sigma^2) over all weights w.
 * Their derivatives are added to gradient[dimensions], unless it is NULL. */
static double penalty(const struct fit *fit, const double *theta, double *gradient)
{
    double strength = prior_curvature(fit), sum = 0;
    for (int i = 0; i < fit->objective.dimensions; i++) {
        bool pattern = i >= dense(fit);
        double own = pattern ? fit->strength[(i - dense(fit)) / 2] : strength;
        double away = pattern ? theta[i] : theta[i] - fit->start[i];
        sum += own / 2 * away * away;
        if (gradient != NULL) {
            gradient[i] += own * away;
        }
    }
    return sum;
}

/* Mean loss plus the priors. */
static bool evaluate(void *context, const double *theta, double *value, double *gradient)
{
    struct fit *fit = context;
    if (!objective_gradient(&fit->objective, theta, fit->scale, value, gradient)) {
        return false;
    }
    *value += penalty(fit, theta, gradient);
    return true;
}

static void precondition(void *context, double *v)
{
    struct fit *fit = context;
    double *pattern = v + dense(fit);
    cholesky_solve(dense(fit), fit->factor, v);
    for (int k = 0; k < fit->objective.patterns; k++) {
        const struct block *inverse = &fit->inverse[k];
        double opening = pattern[2 * k], ending = pattern[2 * k + 1];
        pattern[2 * k] = inverse->opening * opening + inverse->mixed * ending;
        pattern[2 * k + 1] = inverse->mixed * opening + inverse->ending * ending;
    }
}

/* Adds a point to the loss curve; the training loss is the value less the priors' part. */
static bool accepted(void *context, const double *theta, double value, int evaluations)
{
    struct fit *fit = context;
    struct fit_result *result = fit->result;
    struct fit_point *point = &result->curve[result->points];
    point->pass = evaluations;
    point->loss[DATASET_TRAIN] = value - penalty(fit, theta, NULL);
    if (!objective_loss(&fit->objective, DATASET_HELD_OUT, theta, fit->scale,
                        &point->loss[DATASET_HELD_OUT])) {
        return false;
    }
    result->points++;
    if (fit->watch && fit->watch->point) {
        fit->watch->point(fit->watch->context, point);
    }
    return true;
}

/* Factors the sampled curvature at the start with the prior's, so that the first step is nearly
 * Newton's. */
static bool factor_curvature(struct fit *fit, struct err *err)
{
    int n = dense(fit);
    if (!objective_curvature(&fit->objective, fit->start, fit->scale, fit->factor, err)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        fit->factor[i * n + i] += prior_curvature(fit);
    }
    return cholesky_factor(n, fit->factor) ||
           err_set(err, ERR_FAILED,
                   "the curvature of the data is singular: take a smaller prior than %g",
                   fit->settings->prior);
}

/* The inverse of a pattern's curvature and its prior's. The block is positive definite: its
 * determinant is at least strength^2. */
static struct block invert(const struct fit *fit, const struct pass_pattern_curvature *sums,
                           double strength)
{
    int full = 2 * fit->objective.dataset->variant->rules->men_each;
    double unit = fit->scale / 100 / full * (fit->scale / 100 / full) /
                  (double)((int64_t)1 << PASS_CURVATURE_BITS) /
                  (double)fit->objective.totals.positions[DATASET_TRAIN];
    double opening = (double)sums->opening * unit + strength;
    double mixed = (double)sums->mixed * unit;
    double ending = (double)sums->ending * unit + strength;
    double determinant = opening * ending - mixed * mixed;
    return (struct block){ending / determinant, -mixed / determinant, opening / determinant};
}

/* Joins the patterns to the fit, when there are to be any; makes room for all weights. */
static bool add_patterns(struct fit *fit, struct err *err)
{
    const struct fit_settings *settings = fit->settings;
    struct objective *objective = &fit->objective;
    if (settings->windows != NULL &&
        !objective_add_patterns(objective, settings->windows, fit->start, fit->scale,
                                settings->pattern_least, err)) {
        return false;
    }
    fit->theta = calloc((size_t)objective->dimensions, sizeof *fit->theta);
    fit->inverse = calloc((size_t)objective->patterns + 1, sizeof *fit->inverse);
    fit->strength = calloc((size_t)objective->patterns + 1, sizeof *fit->strength);
    if (!objective_agree(objective, fit->theta && fit->inverse && fit->strength)) {
        return err_set(err, ERR_FAILED, "out of memory for %d weights", objective->dimensions);
    }
    memcpy(fit->theta, fit->start, (size_t)dense(fit) * sizeof *fit->theta);
    for (int k = 0; k < objective->patterns; k++) {
        const struct pass_pattern_curvature *sums = &objective->pattern_curvature[k];
        fit->strength[k] = curvature_of_prior(fit, settings->pattern_prior) *
                           (1 + settings->pattern_rare / (double)sums->count);
        fit->inverse[k] = invert(fit, sums, fit->strength[k]);
    }
    fit->result->patterns = objective->patterns;
    return true;
}

static bool minimise(struct fit *fit, struct err *err)
{
    size_t n = (size_t)fit->objective.dimensions;
    struct lbfgs_problem problem = {.n = n,
                                    .context = fit,
                                    .evaluate = evaluate,
                                    .precondition = precondition,
                                    .accepted = accepted};
    struct lbfgs_settings settings = {.memory = LBFGS_PAIRS,
                                      .evaluations_max = fit->settings->passes_max,
                                      .tolerance = fit->settings->tolerance};
    double *workspace = malloc(lbfgs_workspace(n, LBFGS_PAIRS) * sizeof *workspace);
    bool ok = objective_agree(&fit->objective, workspace != NULL);
    if (ok) {
        fit->result->stop = lbfgs_minimise(&problem, &settings, fit->theta, workspace).stop;
        ok = !fit->objective.interrupted || err_set(err, ERR_FAILED, "interrupted");
    } else {
        err_set(err, ERR_FAILED, "out of memory");
    }
    free(workspace);
    return ok;
}

/* What a lone white man on a square adds by itself in each of the two ends of the game. */
static void material_of_man(const struct variant *variant, int square, const double *theta,
                            double worth[2])
{
    static const enum feature_group MATERIAL[] = {FEATURE_MAN, FEATURE_MAN_SQUARE, FEATURE_CENTRE,
                                                  FEATURE_BACK_ROW};
    struct position lone = {.men = {bit(square_to_bit(variant->rules, square))}};
    struct feature_list list;
    variant->features(&lone, &list);
    worth[0] = worth[1] = 0;
    for (int k = 0; k < list.count; k++) {
        int index = list.feature[k].index, value = list.feature[k].value;
        for (size_t g = 0; g < sizeof MATERIAL / sizeof *MATERIAL; g++) {
            struct feature_range range = feature_range(variant->rules, MATERIAL[g]);
            if (index >= range.first && index < range.first + range.count) {
                worth[0] += value * theta[2 * index];
                worth[1] += value * theta[2 * index + 1];
            }
        }
    }
}

/* Mean of that over all men of the training positions; 100 when there are none. */
static double mean_man(const struct fit *fit)
{
    const struct variant *variant = fit->objective.dataset->variant;
    int full = 2 * variant->rules->men_each;
    double sum = 0, men = 0;

    for (int square = 1; square <= variant->rules->squares; square++) {
        double worth[2];
        material_of_man(variant, square, fit->theta, worth);
        for (int phase = 0; phase <= full; phase++) {
            double count = (double)fit->objective.totals.men[phase][square - 1];
            sum += count * (worth[0] * phase + worth[1] * (full - phase)) / full;
            men += count;
        }
    }
    return men > 0 ? sum / men : 100;
}

/* "man_square 17". */
static void name_feature(const struct rules *rules, int index, char *out, size_t size)
{
    for (int group = 0; group < FEATURE_GROUPS; group++) {
        struct feature_range range = feature_range(rules, (enum feature_group)group);
        if (index >= range.first && index < range.first + range.count) {
            snprintf(out, size, "%s %d", range.name, index - range.first + 1);
        }
    }
}

/* Rounds a weight of theta to the nearest int16. */
static bool round_weight(const struct fit *fit, int i, int16_t *out, struct err *err)
{
    double whole = nearbyint(fit->theta[i]);
    if (whole >= INT16_MIN && whole <= INT16_MAX) {
        *out = (int16_t)whole;
        return true;
    }
    char name[64] = "";
    bool pattern = i >= dense(fit);
    if (pattern) {
        snprintf(name, sizeof name, "pattern %d", fit->objective.pattern[(i - dense(fit)) / 2]);
    } else {
        name_feature(fit->objective.dataset->variant->rules, i / 2, name, sizeof name);
    }
    return err_set(err, ERR_USAGE,
                   "the weight of %s came out as %g, which does not fit 16 bits: take a smaller "
                   "%sprior than %g or more games",
                   name, fit->theta[i], pattern ? "pattern_" : "",
                   pattern ? fit->settings->pattern_prior : fit->settings->prior);
}

static bool round_patterns(const struct fit *fit, struct pattern_table *table, struct err *err)
{
    for (int k = 0; k < fit->objective.patterns; k++) {
        struct pattern_weight *weight = &table->weight[fit->objective.pattern[k]];
        int i = dense(fit) + 2 * k;
        if (!round_weight(fit, i, &weight->opening, err) ||
            !round_weight(fit, i + 1, &weight->ending, err)) {
            return false;
        }
    }
    return true;
}

/* Collective: rounds theta, back in the result and in theta. */
static bool round_weights(struct fit *fit, struct err *err)
{
    const struct variant *variant = fit->objective.dataset->variant;
    struct weights *weights = &fit->result->weights;
    for (int i = 0; i < fit->objective.features; i++) {
        if (!round_weight(fit, 2 * i, &weights->opening[i], err) ||
            !round_weight(fit, 2 * i + 1, &weights->ending[i], err)) {
            return false;
        }
    }
    if (fit->objective.patterns > 0) {
        weights->patterns = pattern_table_create(variant->rules, fit->settings->windows);
        if (!objective_agree(&fit->objective, weights->patterns != NULL)) {
            return err_set(err, ERR_FAILED, "out of memory for the patterns' weights");
        }
        if (!round_patterns(fit, weights->patterns, err)) {
            return false;
        }
    }
    for (int i = 0; i < fit->objective.dimensions; i++) {
        fit->theta[i] = nearbyint(fit->theta[i]);
    }
    return true;
}

/* Rescales so that a man is worth 100, and rounds. */
static bool normalise(struct fit *fit, struct err *err)
{
    struct fit_result *result = fit->result;
    result->man = mean_man(fit) + objective_pattern_man(&fit->objective, fit->theta, fit->scale);
    if (!(result->man >= 1)) {
        return err_set(err, ERR_USAGE,
                       "the data value a man at %g hundredths, which no scale can mend: take a "
                       "smaller prior than %g or more games",
                       result->man, fit->settings->prior);
    }
    for (int i = 0; i < fit->objective.dimensions; i++) {
        fit->theta[i] *= 100 / result->man;
    }
    result->scale = fit->scale * result->man / 100;
    return round_weights(fit, err);
}

static void weights_to_theta(const struct weights *weights, int features, double *theta)
{
    for (int i = 0; i < features; i++) {
        theta[2 * i] = weights->opening[i];
        theta[2 * i + 1] = weights->ending[i];
    }
}

static bool losses(struct fit *fit, const double *theta, double scale, double out[DATASET_PARTS],
                   struct err *err)
{
    for (int part = 0; part < DATASET_PARTS; part++) {
        if (!objective_loss(&fit->objective, (enum dataset_part)part, theta, scale, &out[part])) {
            return err_set(err, ERR_FAILED, "interrupted");
        }
    }
    return true;
}

static bool fit_steps(struct fit *fit, const struct weights *start, struct err *err)
{
    struct fit_result *result = fit->result;
    int features = fit->objective.features;
    weights_to_theta(start, features, fit->start);
    if (!fit_scale(&fit->objective, fit->start, &fit->scale, err)) {
        return false;
    }
    result->scale_before = fit->scale;
    result->scale_passes = fit->objective.passes;
    if (!losses(fit, fit->start, fit->scale, result->loss_before, err) ||
        !factor_curvature(fit, err) || !add_patterns(fit, err) || !minimise(fit, err) ||
        !normalise(fit, err)) {
        return false;
    }
    return losses(fit, fit->theta, result->scale, result->loss_after, err);
}

bool fit_run(const struct dataset *dataset, const struct weights *start,
             const struct fit_settings *settings, const struct objective_team *team,
             const struct fit_watch *watch, struct fit_result *result, bool *interrupted,
             struct err *err)
{
    double began = clock_seconds();
    struct fit *fit = calloc(1, sizeof *fit);
    *result = (struct fit_result){0};
    *interrupted = false;
    struct objective objective;
    if (!objective_init(&objective, dataset, team, err)) {
        free(fit);
        return false;
    }
    bool ok = objective_agree(&objective, fit != NULL) || err_set(err, ERR_FAILED, "out of memory");
    if (!ok || fit == NULL) {
        objective_fini(&objective);
    } else {
        fit->objective = objective;
        fit->settings = settings;
        fit->watch = watch;
        fit->result = result;
        ok = fit_steps(fit, start, err);
        *interrupted = fit->objective.interrupted;
        result->passes = fit->objective.passes;
        result->totals = fit->objective.totals;
        objective_fini(&fit->objective);
        free(fit->theta);
        free(fit->inverse);
        free(fit->strength);
    }
    result->seconds = clock_seconds() - began;
    if (!ok) {
        weights_fini(&result->weights);
    }
    free(fit);
    return ok;
}
