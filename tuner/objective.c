/* Sums of tuner/pass.h over the ranks, and from them the real numbers that the fit works with. */
#include "tuner/objective.h"

#include <assert.h>
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
    double dense[2 * FEATURES_MAX];
    struct pattern_pair *logit; /* [patterns]: their weights on their way to all ranks */
    int64_t *sum, *part;        /* [2 * patterns], [2 * own]: their gradient, before and after it is
                                   added up over the ranks */
    size_t *first;              /* [ranks + 1]: places of either */
};

/* The weights of a pattern as struct pass_pattern has them. */
struct pattern_pair {
    int32_t opening, ending;
};

static void sum_bytes(const struct objective *objective, void *values, size_t size)
{
    team_sum(&objective->team, values, size / sizeof(int64_t));
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

/* Spreads theta over the ranks. */
static bool spread_out(struct objective *objective)
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
    sum_bytes(objective, &objective->totals, sizeof objective->totals);
    if (!check_totals(&objective->totals, err)) {
        return false;
    }
    objective->buffers = calloc(1, sizeof *objective->buffers);
    bool ok = objective->buffers != NULL && spread_out(objective);
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

/* Where each rank's patterns begin, in items of `size`. */
static const size_t *pattern_places(struct objective *objective, size_t size)
{
    size_t dense = 2 * (size_t)objective->features, *first = objective->buffers->first;
    for (int rank = 0; rank <= team_size(&objective->team); rank++) {
        size_t at = objective->spread.first[rank];
        first[rank] = (at > dense ? (at - dense) / 2 : 0) * size;
    }
    return first;
}

/* Collective: the patterns' weights into the table, from the ranks that have them. False, on every
 * rank: one is out of range. */
static bool share_patterns(struct objective *objective, const double *theta, double scale)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t dense = 2 * (size_t)objective->features, first = spread_first(&objective->spread);
    const double *own = theta + (first < dense ? dense - first : 0);
    struct pass_pattern pattern;
    bool ok = true;
    for (int k = 0; ok && k < objective->own; k++) {
        ok = pass_pattern_fill(&pattern, own + (ptrdiff_t)2 * k, scale);
        buffers->logit[objective->own_first + k] =
            (struct pattern_pair){pattern.opening, pattern.ending};
    }
    if (!team_agree(&objective->team, ok)) {
        return false;
    }
    team_gather(&objective->team, buffers->logit,
                pattern_places(objective, sizeof *buffers->logit));
    for (int k = 0; k < objective->patterns; k++) {
        struct pass_pattern *to = &buffers->table.pattern[objective->pattern[k]];
        to->opening = buffers->logit[k].opening;
        to->ending = buffers->logit[k].ending;
    }
    return true;
}

/* Collective: the model's weights into the table. False, on every rank: one is out of range. */
static bool fill_table(struct objective *objective, const double *theta, double scale)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t size = 2 * (size_t)objective->features * sizeof *theta;
    if (objective->team.rank == 0) {
        memcpy(buffers->dense, theta, size);
    }
    team_broadcast(&objective->team, buffers->dense, size);
    return pass_table_fill(&buffers->table, objective->dataset->variant->rules, buffers->dense,
                           scale) &&
           (objective->patterns == 0 || share_patterns(objective, theta, scale));
}

/* Sums over all ranks of every pattern's curvature; to be freed. Collective; NULL on every rank
 * when memory is out on any. */
static struct pass_pattern_curvature *sum_curvature(struct objective *objective, size_t count)
{
    struct pass_pattern_curvature *sums = calloc(count, sizeof *sums);
    if (!team_agree(&objective->team, sums != NULL)) {
        free(sums);
        return NULL;
    }
    pass_pattern_curvature(objective->dataset, &objective->buffers->table,
                           &objective->buffers->logistic, sums);
    sum_bytes(objective, sums, count * sizeof *sums);
    return sums;
}

/* Notes the patterns that occur often enough; false: out of memory. */
static bool choose_patterns(struct objective *objective, size_t count,
                            const struct pass_pattern_curvature *sums, int64_t least)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        used += sums[i].count > 0 && sums[i].count >= least;
    }
    objective->pattern = calloc(used + 1, sizeof *objective->pattern);
    buffers->logit = calloc(used + 1, sizeof *buffers->logit);
    buffers->sum = calloc(2 * used + 1, sizeof *buffers->sum);
    buffers->part = calloc(2 * used + 1, sizeof *buffers->part);
    if (!objective->pattern || !buffers->logit || !buffers->sum || !buffers->part) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (sums[i].count > 0 && sums[i].count >= least) {
            objective->pattern[objective->patterns++] = (int32_t)i;
        }
    }
    objective->dimensions = 2 * (objective->features + objective->patterns);
    return spread_out(objective);
}

/* Keeps the curvature of this rank's own patterns; false: out of memory. */
static bool keep_curvature(struct objective *objective, const struct pass_pattern_curvature *sums)
{
    objective->pattern_curvature =
        calloc((size_t)objective->own + 1, sizeof *objective->pattern_curvature);
    for (int k = 0; objective->pattern_curvature != NULL && k < objective->own; k++) {
        objective->pattern_curvature[k] = sums[objective->pattern[objective->own_first + k]];
    }
    return objective->pattern_curvature != NULL;
}

bool objective_add_patterns(struct objective *objective, const struct pattern_set *windows,
                            const double *dense, double scale, int64_t least, struct err *err)
{
    struct objective_buffers *buffers = objective->buffers;
    size_t count = (size_t)pattern_count(objective->dataset->variant->rules, windows);
    buffers->table.pattern =
        aligned_alloc(_Alignof(struct pass_pattern), count * sizeof *buffers->table.pattern);
    buffers->first = calloc((size_t)team_size(&objective->team) + 1, sizeof *buffers->first);
    buffers->table.windows = windows;
    bool ok = team_agree(&objective->team, buffers->table.pattern && buffers->first);
    if (ok && buffers->table.pattern != NULL) {
        memset(buffers->table.pattern, 0, count * sizeof *buffers->table.pattern);
        ok = pass_table_fill(&buffers->table, objective->dataset->variant->rules, dense, scale);
    }
    struct pass_pattern_curvature *sums = ok ? sum_curvature(objective, count) : NULL;
    ok = sums != NULL &&
         team_agree(&objective->team, choose_patterns(objective, count, sums, least) &&
                                          keep_curvature(objective, sums));
    free(sums);
    return ok || err_set(err, ERR_FAILED, "out of memory for %zu patterns", count);
}

double objective_man(struct objective *objective, const double *theta, double scale)
{
    if (!fill_table(objective, theta, scale)) {
        return NAN;
    }
    struct pass_material sums = pass_material(objective->dataset, &objective->buffers->table);
    sum_bytes(objective, &sums, sizeof sums);
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

/* The patterns' part of the gradient: each rank receives the sums of its own. */
static void pattern_gradient(struct objective *objective, double scale, double *gradient)
{
    struct objective_buffers *buffers = objective->buffers;
    int full = 2 * objective->dataset->variant->rules->men_each;
    double unit = scale / 100 / full / (double)((int64_t)1 << PASS_RESIDUAL_BITS) /
                  (double)objective->totals.positions[DATASET_TRAIN];

    for (int k = 0; k < objective->patterns; k++) {
        const struct pass_pattern *pattern = &buffers->table.pattern[objective->pattern[k]];
        buffers->sum[2 * k] = pattern->opening_sum;
        buffers->sum[2 * k + 1] = pattern->ending_sum;
    }
    team_sum_parts(&objective->team, buffers->sum, buffers->part, pattern_places(objective, 2));
    for (int i = 0; i < 2 * objective->own; i++) {
        gradient[i] = (double)buffers->part[i] * unit;
    }
}

bool objective_gradient(struct objective *objective, const double *theta, double scale,
                        double *loss, double *gradient)
{
    size_t dense = 2 * (size_t)objective->features, count = spread_count(&objective->spread);
    if (!fill_table(objective, theta, scale)) {
        *loss = INFINITY;
        memset(gradient, 0, count * sizeof *gradient);
        return true;
    }
    struct objective_buffers *buffers = objective->buffers;
    pass_gradient(objective->dataset, DATASET_TRAIN, &buffers->table, &buffers->logistic,
                  &buffers->shared.sums);
    buffers->shared.stopping = team_stopping(&objective->team);
    sum_bytes(objective, &buffers->shared, sizeof buffers->shared);
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
        pattern_gradient(objective, scale, gradient);
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
        sum_bytes(objective, counts, sizeof *counts);
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
    if (!fill_table(objective, theta, scale)) {
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
        sum_bytes(objective, sums, sizeof *sums);
        for (int phase = 0; phase <= 2 * objective->dataset->variant->rules->men_each; phase++) {
            add_phase(objective, (const int64_t(*)[FEATURES_MAX])sums->sum[phase], phase, unit,
                      matrix);
        }
    }
    free(sums);
    return true;
}
