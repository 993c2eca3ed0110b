/* Sums of tuner/pass.h over the ranks, and from them the real numbers that the fit works with. */
#include "tuner/objective.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is added up over the ranks after a gradient pass. */
struct shared_sums {
    struct pass_sums sums;
    int64_t stopping; /* ranks that were asked to stop */
};
_Static_assert(sizeof(struct shared_sums) % sizeof(int64_t) == 0, "added up as int64");

struct objective_buffers {
    struct logistic logistic;
    struct pass_table table;
    struct shared_sums shared;
    struct pass_pattern_sum *pattern_sum; /* [pattern_count]; NULL without patterns */
    int64_t (*pattern_gradient)[2];       /* [patterns]: of them, what is added up over the ranks */
};

static void team_sum(const struct objective *objective, void *values, size_t size)
{
    if (objective->team.sum) {
        objective->team.sum(objective->team.context, values, size / sizeof(int64_t));
    }
}

bool objective_agree(const struct objective *objective, bool ok)
{
    int64_t failed = !ok;
    team_sum(objective, &failed, sizeof failed);
    return failed == 0;
}

static int64_t stopping_here(const struct objective *objective)
{
    const struct objective_team *team = &objective->team;
    return team->stopping && team->stopping(team->context);
}

static bool check_totals(const struct dataset_counts *totals, struct err *err)
{
    const int64_t *fates = totals->fates, *results = totals->results[DATASET_TRAIN];
    const int64_t *positions = totals->positions;
    if (positions[DATASET_TRAIN] == 0) {
        return err_set(err, ERR_USAGE,
                       "no position to fit to: of %" PRId64 " rows %" PRId64
                       " are opening plies, %" PRId64 " not quiet, %" PRId64
                       " hidden shots, %" PRId64 " kept, all held out",
                       totals->rows, fates[DATASET_OPENING], fates[DATASET_NOT_QUIET],
                       fates[DATASET_SHOT], fates[DATASET_KEPT]);
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

bool objective_init(struct objective *objective, const struct dataset *dataset,
                    const struct objective_team *team, struct err *err)
{
    int features = feature_count(dataset->variant->rules);
    *objective = (struct objective){.dataset = dataset,
                                    .team = *team,
                                    .features = features,
                                    .dimensions = 2 * features,
                                    .totals = dataset->counts};
    team_sum(objective, &objective->totals, sizeof objective->totals);
    if (!check_totals(&objective->totals, err)) {
        return false;
    }
    objective->buffers = calloc(1, sizeof *objective->buffers);
    if (!objective_agree(objective, objective->buffers != NULL)) {
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
        free(objective->buffers->pattern_sum);
        free(objective->buffers->pattern_gradient);
    }
    free(objective->pattern);
    free(objective->pattern_curvature);
    free(objective->buffers);
    objective->pattern = NULL;
    objective->pattern_curvature = NULL;
    objective->buffers = NULL;
}

static bool fill_table(struct objective *objective, const double *theta, double scale)
{
    struct pass_table *table = &objective->buffers->table;
    const double *pattern = theta + (ptrdiff_t)2 * objective->features;
    bool filled = pass_table_fill(table, objective->dataset->variant->rules, theta, scale);
    for (int k = 0; filled && k < objective->patterns; k++) {
        filled = pass_pattern_fill(&table->pattern[objective->pattern[k]],
                                   pattern + (ptrdiff_t)2 * k, scale);
    }
    return filled;
}

/* Sums over all ranks of every pattern's curvature; to be freed. Collective; NULL on every rank
 * when memory is out on any. */
static struct pass_pattern_curvature *sum_curvature(struct objective *objective, size_t count)
{
    struct pass_pattern_curvature *sums = calloc(count, sizeof *sums);
    if (!objective_agree(objective, sums != NULL)) {
        free(sums);
        return NULL;
    }
    pass_pattern_curvature(objective->dataset, &objective->buffers->table,
                           &objective->buffers->logistic, sums);
    team_sum(objective, sums, count * sizeof *sums);
    return sums;
}

/* Notes the patterns that occur often enough; false: out of memory. */
static bool choose_patterns(struct objective *objective, size_t count,
                            const struct pass_pattern_curvature *sums, int64_t least)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        used += sums[i].count > 0 && sums[i].count >= least;
    }
    objective->pattern = calloc(used + 1, sizeof *objective->pattern);
    objective->pattern_curvature = calloc(used + 1, sizeof *objective->pattern_curvature);
    objective->buffers->pattern_gradient =
        calloc(used + 1, sizeof *objective->buffers->pattern_gradient);
    if (!objective->pattern || !objective->pattern_curvature ||
        !objective->buffers->pattern_gradient) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (sums[i].count > 0 && sums[i].count >= least) {
            objective->pattern[objective->patterns] = (int32_t)i;
            objective->pattern_curvature[objective->patterns++] = sums[i];
        }
    }
    return true;
}

bool objective_add_patterns(struct objective *objective, const struct pattern_set *windows,
                            const double *theta, double scale, int64_t least, struct err *err)
{
    const struct variant *variant = objective->dataset->variant;
    struct objective_buffers *buffers = objective->buffers;
    size_t count = (size_t)pattern_count(variant->rules, windows);
    buffers->table.pattern = calloc(count, sizeof *buffers->table.pattern);
    buffers->table.windows = windows;
    buffers->pattern_sum = calloc(count, sizeof *buffers->pattern_sum);
    bool ok = objective_agree(objective, buffers->table.pattern && buffers->pattern_sum) &&
              fill_table(objective, theta, scale);
    struct pass_pattern_curvature *sums = ok ? sum_curvature(objective, count) : NULL;
    ok = sums != NULL && objective_agree(objective, choose_patterns(objective, count, sums, least));
    free(sums);
    objective->dimensions = 2 * (objective->features + objective->patterns);
    return ok || err_set(err, ERR_FAILED, "out of memory for %zu patterns", count);
}

double objective_pattern_man(struct objective *objective, const double *theta, double scale)
{
    if (objective->patterns == 0 || !fill_table(objective, theta, scale)) {
        return 0;
    }
    struct pass_man sum = pass_man(objective->dataset, &objective->buffers->table);
    int64_t sums[2] = {sum.worth, sum.men};
    team_sum(objective, sums, sizeof sums);
    return sums[1] > 0 ? (double)sums[0] / (1 << PASS_MAN_BITS) / (double)sums[1] * 100 / scale : 0;
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

/* The patterns' part of the gradient, from the sums of all ranks. */
static void pattern_gradient(struct objective *objective, double scale, double *gradient)
{
    struct objective_buffers *buffers = objective->buffers;
    int full = 2 * objective->dataset->variant->rules->men_each;
    double unit = scale / 100 / full / (double)((int64_t)1 << PASS_RESIDUAL_BITS) /
                  (double)objective->totals.positions[DATASET_TRAIN];

    for (int k = 0; k < objective->patterns; k++) {
        const struct pass_pattern_sum *sum = &buffers->pattern_sum[objective->pattern[k]];
        buffers->pattern_gradient[k][0] = sum->opening;
        buffers->pattern_gradient[k][1] = sum->ending;
    }
    if (objective->patterns > 0) {
        team_sum(objective, buffers->pattern_gradient,
                 (size_t)objective->patterns * sizeof *buffers->pattern_gradient);
    }
    for (int k = 0; k < objective->patterns; k++) {
        gradient[2 * k] = (double)buffers->pattern_gradient[k][0] * unit;
        gradient[2 * k + 1] = (double)buffers->pattern_gradient[k][1] * unit;
    }
}

bool objective_gradient(struct objective *objective, const double *theta, double scale,
                        double *loss, double *gradient)
{
    struct objective_buffers *buffers = objective->buffers;
    if (!fill_table(objective, theta, scale)) {
        *loss = INFINITY;
        memset(gradient, 0, (size_t)objective->dimensions * sizeof *gradient);
        return true;
    }
    pass_gradient(objective->dataset, DATASET_TRAIN, &buffers->table, &buffers->logistic,
                  &buffers->shared.sums, buffers->pattern_sum);
    buffers->shared.stopping = stopping_here(objective);
    team_sum(objective, &buffers->shared, sizeof buffers->shared);
    objective->passes++;
    objective->interrupted = buffers->shared.stopping > 0;
    *loss = mean_loss(objective, DATASET_TRAIN, buffers->shared.sums.loss);
    interpolate_gradient(objective, scale, gradient);
    pattern_gradient(objective, scale, gradient + (ptrdiff_t)2 * objective->features);
    return !objective->interrupted;
}

bool objective_loss(struct objective *objective, enum dataset_part part, const double *theta,
                    double scale, double *loss)
{
    struct objective_buffers *buffers = objective->buffers;
    if (!fill_table(objective, theta, scale)) {
        *loss = INFINITY;
        return true;
    }
    int64_t sums[2] = {
        pass_loss(objective->dataset, part, &buffers->table, &buffers->logistic),
        stopping_here(objective),
    };
    team_sum(objective, sums, sizeof sums);
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

bool objective_curvature(struct objective *objective, const double *theta, double scale,
                         double *matrix, struct err *err)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t n = 2 * (size_t)objective->features;
    struct pass_curvature *sums = malloc(sizeof *sums);
    if (!objective_agree(objective, sums != NULL) || sums == NULL) {
        free(sums);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    memset(matrix, 0, n * n * sizeof *matrix);
    if (fill_table(objective, theta, scale) && objective->totals.sampled > 0) {
        double unit = scale / 100 * (scale / 100) / (double)((int64_t)1 << PASS_CURVATURE_BITS) /
                      (double)objective->totals.sampled;
        pass_curvature(objective->dataset, &buffers->table, &buffers->logistic, sums);
        team_sum(objective, sums, sizeof *sums);
        for (int phase = 0; phase <= 2 * objective->dataset->variant->rules->men_each; phase++) {
            add_phase(objective, (const int64_t(*)[FEATURES_MAX])sums->sum[phase], phase, unit,
                      matrix);
        }
    }
    free(sums);
    return true;
}
