/* The patterns of an objective: which are fitted, their weights on the way to all ranks, their
 * gradient on the way back. */
#include <stdlib.h>
#include <string.h>

#include "tuner/fit/objective_parts.h"

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

bool objective_share_patterns(struct objective *objective, const double *theta, double scale)
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

void objective_pattern_gradient(struct objective *objective, double scale, double *gradient)
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
    objective_sum(objective, sums, count * sizeof *sums);
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
    size_t states = (size_t)pattern_states(buffers->table.windows);
    for (size_t i = 0; i < count; i++) {
        bool fitted = sums[i].count > 0 && sums[i].count >= least;
        objective->window[i / states].seen += sums[i].count > 0;
        objective->window[i / states].fitted += fitted;
        if (fitted) {
            objective->pattern[objective->patterns++] = (int32_t)i;
        }
    }
    objective->dimensions = 2 * (objective->features + objective->patterns);
    return objective_spread_out(objective);
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
