/* The four steps described in fit.h. */
#include "tuner/fit/fit.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "selfplay/game/hash.h"
#include "tuner/fit/normalise.h"
#include "tuner/fit/penalised.h"

enum { LBFGS_PAIRS = 10 };

/* A fit under way. */
struct fit {
    struct penalised penalised;
    struct objective *objective; /* the penalised's */
    const struct fit_watch *watch;
    struct fit_result *result;
    struct checkpoint *checkpoint; /* NULL: none; not owned */
    struct lbfgs_point at;         /* the point accepted last */
    double *theta;                 /* this rank's weights; owned */
    double *workspace;             /* of the minimiser; owned */
    struct err *err;               /* of fit_run */
    bool saving_failed;            /* and *err says why */
    double *whole;                 /* all weights on every rank, after the fit; owned */
};

static int dense(const struct fit *fit)
{
    return 2 * fit->objective->features;
}

/* Adds a point to the loss curve; the training loss is the value less the priors' part. */
static bool add_point(struct fit *fit, const double *theta)
{
    struct fit_result *result = fit->result;
    struct fit_point *point = &result->curve[result->points];
    point->pass = fit->at.evaluations;
    point->loss[DATASET_TRAIN] = fit->at.value - penalised_prior(&fit->penalised, theta);
    if (!objective_loss(fit->objective, DATASET_HELD_OUT, theta, fit->penalised.scale,
                        &point->loss[DATASET_HELD_OUT])) {
        return false;
    }
    result->points++;
    if (fit->watch && fit->watch->point) {
        fit->watch->point(fit->watch->context, point);
    }
    return true;
}

/* What the checkpoint must be of: all data, settings but the limit of passes, and start. */
static uint64_t key_of(const struct fit *fit)
{
    const struct fit_settings *settings = fit->penalised.settings;
    const struct dataset_counts *totals = &fit->objective->totals;
    const double numbers[] = {settings->prior,        settings->pattern_prior,
                              settings->pattern_rare, settings->pattern_least,
                              settings->tolerance,    fit->penalised.scale};
    const int64_t counts[] = {totals->content, totals->positions[DATASET_TRAIN],
                              totals->positions[DATASET_HELD_OUT], totals->games[DATASET_TRAIN],
                              fit->objective->dimensions};
    uint64_t key = hash_bytes(HASH_START, numbers, sizeof numbers);
    key = hash_bytes(key, counts, sizeof counts);
    return hash_bytes(key, fit->penalised.start, (size_t)dense(fit) * sizeof(double));
}

/* What a checkpoint says of the curve. */
struct curve_log {
    int points;
    struct fit_point curve[FIT_PASSES_MAX + 1];
};

static struct checkpoint_state state_of(const struct fit *fit, struct curve_log *log)
{
    memset(log, 0, sizeof *log);
    log->points = fit->result->points;
    memcpy(log->curve, fit->result->curve, sizeof log->curve);
    return (struct checkpoint_state){
        .key = key_of(fit), .point = fit->at, .log_bytes = sizeof *log, .log = log};
}

/* Collective: saves the point accepted last. */
static bool save(struct fit *fit, struct err *err)
{
    struct curve_log log;
    struct checkpoint_state state = state_of(fit, &log);
    return checkpoint_save(fit->checkpoint, &state, &fit->objective->spread, fit->theta,
                           fit->workspace, 1 + lbfgs_vectors(LBFGS_PAIRS), err);
}

/* Collective: goes back to the checkpoint's point, where there is one. */
static bool restore(struct fit *fit, bool *found, struct err *err)
{
    struct curve_log log;
    struct checkpoint_state state = state_of(fit, &log);
    *found = false;
    if (fit->checkpoint == NULL) {
        return true;
    }
    if (!checkpoint_load(fit->checkpoint, &state, &fit->objective->spread, fit->theta,
                         fit->workspace, 1 + lbfgs_vectors(LBFGS_PAIRS), found, err)) {
        return false;
    }
    if (*found) {
        fit->at = state.point;
        fit->objective->passes += state.point.evaluations;
        fit->result->points = log.points;
        fit->result->resumed = state.point.evaluations;
        memcpy(fit->result->curve, log.curve, sizeof log.curve);
    }
    return true;
}

/* Told of each point that the minimiser accepts. */
static bool accepted(void *context, const double *theta, const struct lbfgs_point *at)
{
    struct fit *fit = context;
    fit->at = *at;
    if (!add_point(fit, theta)) {
        return false;
    }
    if (fit->checkpoint == NULL || !checkpoint_due(fit->checkpoint, &fit->objective->team)) {
        return true;
    }
    fit->saving_failed = !save(fit, fit->err);
    return !fit->saving_failed;
}

static bool evaluate(void *context, const double *theta, double *value, double *gradient)
{
    struct fit *fit = context;
    return penalised_evaluate(&fit->penalised, theta, value, gradient);
}

static void precondition(void *context, double *v)
{
    struct fit *fit = context;
    penalised_precondition(&fit->penalised, v);
}

/* Collective: room for the weights and the minimiser. */
static bool make_room(struct fit *fit, struct err *err)
{
    size_t n = spread_count(&fit->objective->spread), room = lbfgs_workspace(n, LBFGS_PAIRS);
    fit->theta = malloc((n + 1) * sizeof *fit->theta);
    fit->workspace = malloc(room * sizeof *fit->workspace);
    return team_agree(&fit->objective->team, fit->theta && fit->workspace) ||
           err_set(err, ERR_FAILED, "out of memory for %d weights", fit->objective->dimensions);
}

/* What became of the minimiser when it was ended by a function of ours: an error or an
 * interruption, before which the fit is saved. */
static bool broken_off(struct fit *fit, struct err *err)
{
    if (fit->saving_failed) {
        return false;
    }
    fit->saving_failed = fit->checkpoint != NULL && fit->at.evaluations > 0 && !save(fit, err);
    if (fit->saving_failed) {
        return false;
    }
    return err_set(err, ERR_FAILED, "interrupted");
}

static bool minimise(struct fit *fit, struct err *err)
{
    struct lbfgs_problem problem = {.spread = &fit->objective->spread,
                                    .context = fit,
                                    .evaluate = evaluate,
                                    .precondition = precondition,
                                    .accepted = accepted};
    struct lbfgs_settings settings = {.memory = LBFGS_PAIRS,
                                      .evaluations_max = fit->penalised.settings->passes_max,
                                      .tolerance = fit->penalised.settings->tolerance};
    bool found;
    if (!make_room(fit, err)) {
        return false;
    }
    memset(fit->workspace, 0,
           lbfgs_workspace(spread_count(&fit->objective->spread), LBFGS_PAIRS) *
               sizeof *fit->workspace);
    if (!restore(fit, &found, err)) {
        return false;
    }
    if (!found) {
        penalised_start(&fit->penalised, fit->theta);
    }
    int points = fit->result->points;
    bool told = points > 0 && fit->result->curve[points - 1].pass == fit->at.evaluations;
    if (found && !told && !add_point(fit, fit->theta)) {
        return broken_off(fit, err);
    }
    struct lbfgs_point from = fit->at;
    fit->result->stop =
        lbfgs_minimise(&problem, &settings, fit->theta, fit->workspace, found ? &from : NULL).stop;
    if (fit->result->stop == LBFGS_NOT_FINITE) {
        return err_set(err, ERR_USAGE,
                       "the starting weights are out of range: with K %g one is beyond %d in log "
                       "odds",
                       fit->penalised.scale, PASS_LOGIT_MAX);
    }
    return fit->result->stop != LBFGS_INTERRUPTED || broken_off(fit, err);
}

/* Collective: all weights to every rank, for what is done to them once. */
static bool gather(struct fit *fit, struct err *err)
{
    struct spread *spread = &fit->objective->spread;
    fit->whole = calloc(spread->n, sizeof *fit->whole);
    if (!team_agree(spread->team, fit->whole != NULL) || fit->whole == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for %zu weights", spread->n);
    }
    memcpy(fit->whole + spread_first(spread), fit->theta,
           spread_count(spread) * sizeof *fit->whole);
    spread_gather(spread, fit->whole);
    return true;
}

/* This rank's part of all weights. */
static const double *own_part(const struct fit *fit)
{
    return fit->whole + spread_first(&fit->objective->spread);
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
        if (!objective_loss(fit->objective, (enum dataset_part)part, theta, scale, &out[part])) {
            return err_set(err, ERR_FAILED, "interrupted");
        }
    }
    return true;
}

static bool fit_steps(struct fit *fit, const struct weights *start, struct err *err)
{
    struct penalised *penalised = &fit->penalised;
    struct objective *objective = &penalised->objective;
    struct fit_result *result = fit->result;
    weights_to_theta(start, objective->features, penalised->start);
    if (!objective_scale(objective, penalised->start, &penalised->scale, err)) {
        return false;
    }
    result->scale_before = penalised->scale;
    if (!losses(fit, penalised->start, penalised->scale, result->loss_before, err) ||
        !penalised_prepare(penalised, err)) {
        return false;
    }
    result->patterns = objective->patterns;
    if (!minimise(fit, err) || !gather(fit, err) ||
        !normalise(penalised, fit->whole, result, err)) {
        return false;
    }
    return losses(fit, own_part(fit), result->scale, result->loss_after, err) &&
           quality_measure(penalised, fit->whole, result->scale, &result->quality, err);
}

bool fit_run(const struct dataset *dataset, const struct weights *start,
             const struct fit_settings *settings, const struct team *team,
             const struct fit_watch *watch, struct checkpoint *checkpoint,
             struct fit_result *result, bool *interrupted, struct err *err)
{
    double began = clock_seconds();
    struct fit *fit = calloc(1, sizeof *fit);
    *result = (struct fit_result){0};
    *interrupted = false;
    if (!team_agree(team, fit != NULL) || fit == NULL) {
        free(fit);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    if (!penalised_init(&fit->penalised, dataset, settings, team, err)) {
        free(fit);
        return false;
    }
    fit->objective = &fit->penalised.objective;
    fit->watch = watch;
    fit->checkpoint = checkpoint;
    fit->err = err;
    fit->result = result;
    bool ok = fit_steps(fit, start, err);
    *interrupted = fit->objective->interrupted && !fit->saving_failed;
    result->passes = fit->objective->passes;
    result->totals = fit->objective->totals;
    result->seconds = clock_seconds() - began;
    penalised_fini(&fit->penalised);
    free(fit->theta);
    free(fit->workspace);
    free(fit->whole);
    free(fit);
    if (!ok) {
        weights_fini(&result->weights);
    }
    return ok;
}
