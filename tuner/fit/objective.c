/* Sums of tuner/fit/pass.h over the ranks, and from them the real numbers that the fit works with;
 * what is done for patterns is in objective_patterns.c. */
#include "tuner/fit/objective_parts.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool check_totals(const struct dataset_counts *totals, struct err *err)
{
    const int64_t *fates = totals->fates, *results = totals->results[DATASET_TRAIN];
    const int64_t *positions = totals->positions;
    if (positions[DATASET_TRAIN] == 0) {
        return err_set(err, ERR_USAGE,
                       "no position to fit to: of %" PRId64 " rows %" PRId64
                       " are opening plies, %" PRId64 " not quiet, %" PRId64
                       " held by a king, %" PRId64 " hidden shots, %" PRId64 " kept, all held out",
                       totals->rows, fates[DATASET_OPENING], fates[DATASET_NOT_QUIET],
                       fates[DATASET_HELD], fates[DATASET_SHOT], fates[DATASET_KEPT]);
    }
    if (positions[DATASET_HELD_OUT] == 0) {
        return err_set(err, ERR_USAGE,
                       "no position is held out to measure the fit by: %" PRId64
                       " games are too few, or the share held out too small",
                       totals->games[DATASET_TRAIN] + totals->games[DATASET_HELD_OUT]);
    }
    if (positions[DATASET_TRAIN] + positions[DATASET_HELD_OUT] > DATASET_POSITIONS_MAX) {
        return err_set(err, ERR_USAGE, "%" PRId64 " positions are more than the %d a fit may have",
                       positions[DATASET_TRAIN] + positions[DATASET_HELD_OUT],
                       DATASET_POSITIONS_MAX);
    }
    for (int result = 0; result < 3; result++) {
        if (results[result] == positions[DATASET_TRAIN]) {
            static const char *const NAMES[] = {"won by Black", "drawn", "won by White"};
            return err_set(err, ERR_USAGE,
                           "nothing to learn from: all %" PRId64
                           " training positions are from games %s",
                           positions[DATASET_TRAIN], NAMES[result]);
        }
    }
    return true;
}

bool objective_spread_out(struct objective *objective)
{
    size_t dense = 2 * (size_t)objective->features;
    spread_fini(&objective->spread);
    if (!spread_init(&objective->spread, &objective->team, (size_t)objective->dimensions)) {
        return false;
    }
    size_t first = spread_first(&objective->spread), end = first;
    end += spread_count(&objective->spread);
    objective->own_first = first > dense ? (int)(first - dense) / 2 : 0;
    objective->own = end > dense ? (int)(end - dense) / 2 - objective->own_first : 0;
    return true;
}

bool objective_init(struct objective *objective, const struct dataset *dataset,
                    const struct team *team, struct err *err)
{
    int features = feature_count(dataset->variant->rules);
    *objective = (struct objective){.dataset = dataset,
                                    .team = *team,
                                    .features = features,
                                    .dimensions = 2 * features,
                                    .totals = dataset->counts};
    objective_sum(objective, &objective->totals, sizeof objective->totals);
    if (!check_totals(&objective->totals, err)) {
        return false;
    }
    objective->buffers = calloc(1, sizeof *objective->buffers);
    bool ok = objective->buffers != NULL && objective_spread_out(objective);
    if (!team_agree(&objective->team, ok)) {
        objective_fini(objective);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    logistic_init(&objective->buffers->logistic);
    return true;
}

void objective_fini(struct objective *objective)
{
    if (objective->buffers != NULL) {
        free(objective->buffers->table.pattern);
        free(objective->buffers->logit);
        free(objective->buffers->sum);
        free(objective->buffers->part);
        free(objective->buffers->first);
    }
    spread_fini(&objective->spread);
    free(objective->pattern);
    free(objective->pattern_curvature);
    free(objective->buffers);
    objective->pattern = NULL;
    objective->pattern_curvature = NULL;
    objective->buffers = NULL;
}

bool objective_fill_table(struct objective *objective, const double *theta, double scale)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t size = 2 * (size_t)objective->features * sizeof *theta;
    if (objective->team.rank == 0) {
        memcpy(buffers->dense, theta, size);
    }
    team_broadcast(&objective->team, buffers->dense, size);
    return pass_table_fill(&buffers->table, objective->dataset->variant->rules, buffers->dense,
                           scale) &&
           (objective->patterns == 0 || objective_share_patterns(objective, theta, scale));
}

double objective_man(struct objective *objective, const double *theta, double scale)
{
    if (!objective_fill_table(objective, theta, scale)) {
        return NAN;
    }
    struct pass_material sums = pass_material(objective->dataset, &objective->buffers->table);
    objective_sum(objective, &sums, sizeof sums);
    if (sums.men_men == 0) {
        return 100;
    }
    double men = (double)sums.men_men, mixed = (double)sums.men_kings;
    double kings = (double)sums.kings_kings, determinant = men * kings - mixed * mixed;
    double logits = determinant > 0
                        ? ((double)sums.men_x * kings - (double)sums.kings_x * mixed) / determinant
                        : (double)sums.men_x / men;
    return logits / (1 << PASS_MATERIAL_BITS) * 100 / scale;
}

static double mean_loss(const struct objective *objective, enum dataset_part part, int64_t sum)
{
    return (double)sum / (double)((int64_t)1 << PASS_LOSS_BITS) /
           (double)objective->totals.positions[part];
}

/* d loss / d theta from the sums by phase: each phase's interpolation, applied to its sum. */
static void interpolate_gradient(const struct objective *objective, double scale, double *gradient)
{
    int full = 2 * objective->dataset->variant->rules->men_each;
    const struct pass_sums *sums = &objective->buffers->shared.sums;
    double unit = scale / 100 / (double)((int64_t)1 << PASS_RESIDUAL_BITS) /
                  (double)objective->totals.positions[DATASET_TRAIN];

    for (int i = 0; i < objective->features; i++) {
        double opening = 0, ending = 0;
        for (int phase = 0; phase <= full; phase++) {
            double sum = (double)sums->gradient[phase][i];
            opening += sum * ((double)phase / full);
            ending += sum * ((double)(full - phase) / full);
        }
        gradient[2 * i] = opening * unit;
        gradient[2 * i + 1] = ending * unit;
    }
}

bool objective_gradient(struct objective *objective, const double *theta, double scale,
                        double *loss, double *gradient)
{
    size_t dense = 2 * (size_t)objective->features, count = spread_count(&objective->spread);
    if (!objective_fill_table(objective, theta, scale)) {
        *loss = INFINITY;
        memset(gradient, 0, count * sizeof *gradient);
        return true;
    }
    struct objective_buffers *buffers = objective->buffers;
    pass_gradient(objective->dataset, DATASET_TRAIN, &buffers->table, &buffers->logistic,
                  &buffers->shared.sums);
    buffers->shared.stopping = team_stopping(&objective->team);
    objective_sum(objective, &buffers->shared, sizeof buffers->shared);
    objective->passes++;
    objective->interrupted = buffers->shared.stopping > 0;
    if (objective->interrupted) {
        return false;
    }
    *loss = mean_loss(objective, DATASET_TRAIN, buffers->shared.sums.loss);
    if (objective->team.rank == 0) {
        interpolate_gradient(objective, scale, gradient);
        gradient += dense;
    }
    if (objective->patterns > 0) {
        objective_pattern_gradient(objective, scale, gradient);
    }
    return true;
}

bool objective_scale(struct objective *objective, const double *dense, double *scale,
                     struct err *err)
{
    struct objective_buffers *buffers = objective->buffers;
    struct score_counts *counts = calloc(1, sizeof *counts);
    bool ok =
        team_agree(&objective->team, counts != NULL) || err_set(err, ERR_FAILED, "out of memory");
    if (!ok || counts == NULL) {
        free(counts);
        return false;
    }
    assert(objective->patterns == 0);
    int64_t stopping = team_stopping(&objective->team);
    ok = pass_table_fill(&buffers->table, objective->dataset->variant->rules, dense, 1) ||
         err_set(err, ERR_USAGE, "a starting weight is no number below 409600");
    if (ok) {
        pass_scores(objective->dataset, &buffers->table, counts);
        objective_sum(objective, counts, sizeof *counts);
        team_sum(&objective->team, &stopping, 1);
        objective->passes++;
        objective->interrupted = stopping > 0;
        ok = !objective->interrupted || err_set(err, ERR_FAILED, "interrupted");
    }
    ok = ok && score_scale(counts, &buffers->logistic, "the starting weights", scale, err);
    free(counts);
    return ok;
}

bool objective_loss(struct objective *objective, enum dataset_part part, const double *theta,
                    double scale, double *loss)
{
    struct objective_buffers *buffers = objective->buffers;
    if (!objective_fill_table(objective, theta, scale)) {
        *loss = INFINITY;
        return true;
    }
    int64_t sums[2] = {
        pass_loss(objective->dataset, part, &buffers->table, &buffers->logistic),
        team_stopping(&objective->team),
    };
    team_sum(&objective->team, sums, 2);
    objective->interrupted = sums[1] > 0;
    *loss = mean_loss(objective, part, sums[0]);
    return !objective->interrupted;
}

/* Adds one phase's sums: theta holds two weights a feature, so each sum feeds a 2 x 2 block. */
static void add_phase(const struct objective *objective, const int64_t (*sum)[FEATURES_MAX],
                      int phase, double unit, double *matrix)
{
    int full = 2 * objective->dataset->variant->rules->men_each;
    const double share[2] = {(double)phase / full, (double)(full - phase) / full};
    size_t n = 2 * (size_t)objective->features;

    for (size_t i = 0; i < n; i++) {
        const int64_t *row = sum[i / 2];
        for (size_t j = 0; j < n; j++) {
            size_t feature = j / 2;
            matrix[i * n + j] += (double)row[feature] * share[i % 2] * share[j % 2] * unit;
        }
    }
}

bool objective_curvature(struct objective *objective, const double *dense, double scale,
                         double *matrix, struct err *err)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t n = 2 * (size_t)objective->features;
    struct pass_curvature *sums = malloc(sizeof *sums);
    if (!team_agree(&objective->team, sums != NULL) || sums == NULL) {
        free(sums);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    memset(matrix, 0, n * n * sizeof *matrix);
    if (pass_table_fill(&buffers->table, objective->dataset->variant->rules, dense, scale) &&
        objective->totals.sampled > 0) {
        double unit = scale / 100 * (scale / 100) / (double)((int64_t)1 << PASS_CURVATURE_BITS) /
                      (double)objective->totals.sampled;
        pass_curvature(objective->dataset, &buffers->table, &buffers->logistic, sums);
        objective_sum(objective, sums, sizeof *sums);
        for (int phase = 0; phase <= 2 * objective->dataset->variant->rules->men_each; phase++) {
            add_phase(objective, (const int64_t(*)[FEATURES_MAX])sums->sum[phase], phase, unit,
                      matrix);
        }
    }
    free(sums);
    return true;
}
