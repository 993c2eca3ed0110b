/* From sums and curvature to numbers about a fit; see quality.h. */
#include "tuner/fit/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/strength/cholesky.h"
#include "tuner/fit/objective_parts.h"
#include "tuner/fit/penalised.h"

/* --- cells -------------------------------------------------------------------------------------*/

/* A ratio of two sums over groups of games, and the standard error that the groups tell. */
struct ratio {
    double numerator[DATASET_GAME_GROUPS], denominator[DATASET_GAME_GROUPS];
};

static double ratio_of(const struct ratio *ratio, double *error)
{
    double a = 0, b = 0, squares = 0;
    int groups = 0;
    for (int g = 0; g < DATASET_GAME_GROUPS; g++) {
        a += ratio->numerator[g];
        b += ratio->denominator[g];
        groups += ratio->denominator[g] > 0;
    }
    double value = b > 0 ? a / b : 0;
    for (int g = 0; g < DATASET_GAME_GROUPS; g++) {
        double away = ratio->numerator[g] - value * ratio->denominator[g];
        squares += away * away;
    }
    *error = groups < 2 ? -1 : sqrt(squares * groups / (groups - 1)) / b;
    return value;
}

static void take_cell(const struct pass_quality *sums, int k, struct quality_cell *cell)
{
    const double unit = (double)((int64_t)1 << PASS_RESIDUAL_BITS);
    struct pass_quality_sums all = {0};
    struct ratio residual, favoured;
    for (int g = 0; g < DATASET_GAME_GROUPS; g++) {
        const struct pass_quality_sums *of = &sums->sums[g][k];
        all.positions += of->positions;
        all.predicted += of->predicted;
        all.loss += of->loss;
        all.decided += of->decided;
        residual.numerator[g] = (double)(of->scored - of->predicted) / unit;
        residual.denominator[g] = (double)of->positions;
        favoured.numerator[g] = (double)of->right / 2;
        favoured.denominator[g] = (double)of->decided;
    }
    double positions = all.positions > 0 ? (double)all.positions : 1;
    cell->positions = all.positions;
    cell->decided = all.decided;
    cell->predicted = (double)all.predicted / unit / positions;
    cell->scored = cell->predicted + ratio_of(&residual, &cell->error);
    cell->favoured = ratio_of(&favoured, &cell->favoured_error);
    cell->loss = (double)all.loss / (double)((int64_t)1 << PASS_LOSS_BITS) / positions;
}

/* --- surprises ---------------------------------------------------------------------------------*/

static int compare_surprises(const void *a, const void *b)
{
    return surprise_is_worse(b, a) - surprise_is_worse(a, b);
}

/* Collective: of each group the worst of all ranks. ERR_FAILED: out of memory. */
static bool worst_of_ranks(const struct team *team, struct surprise *worst, struct err *err)
{
    size_t ranks = (size_t)team_size(team), own = DATASET_GAME_GROUPS * sizeof *worst;
    struct surprise *all = calloc(ranks * DATASET_GAME_GROUPS, sizeof *all);
    size_t *first = calloc(ranks + 1, sizeof *first);
    bool ok = team_agree(team, all && first) ||
              err_set(err, ERR_FAILED, "out of memory for the most surprising positions");
    if (ok && all != NULL && first != NULL) {
        for (size_t rank = 0; rank <= ranks; rank++) {
            first[rank] = rank * own;
        }
        memcpy(all + (size_t)team->rank * DATASET_GAME_GROUPS, worst, own);
        team_gather(team, all, first);
        for (size_t k = 0; k < ranks * DATASET_GAME_GROUPS; k++) {
            struct surprise *here = &worst[k % DATASET_GAME_GROUPS];
            *here = surprise_is_worse(&all[k], here) ? all[k] : *here;
        }
    }
    free(all);
    free(first);
    return ok;
}

static void take_surprises(struct pass_quality *sums, struct quality *quality)
{
    qsort(sums->worst, DATASET_GAME_GROUPS, sizeof *sums->worst, compare_surprises);
    for (int k = 0; k < QUALITY_SURPRISES && sums->worst[k].loss > 0; k++) {
        quality->surprise[quality->surprises++] = sums->worst[k];
    }
}

/* Collective: cells and surprises of the positions held out. */
static bool measure_held_out(struct objective *objective, const double *own, double scale,
                             struct quality *quality, struct err *err)
{
    struct objective_buffers *buffers = objective->buffers;
    struct pass_quality *sums = malloc(sizeof *sums);
    bool ok = team_agree(&objective->team, sums != NULL) ||
              err_set(err, ERR_FAILED, "out of memory for the quality of the fit");
    if (ok && sums != NULL && objective_fill_table(objective, own, scale)) {
        pass_quality(objective->dataset, &buffers->table, &buffers->logistic, sums);
        objective_sum(objective, sums->sums, sizeof sums->sums);
        ok = worst_of_ranks(&objective->team, sums->worst, err);
        for (int k = 0; ok && k < QUALITY_CELLS; k++) {
            take_cell(sums, k, &quality->cell[k]);
        }
        if (ok) {
            take_surprises(sums, quality);
        }
    }
    free(sums);
    return ok;
}

/* --- standard errors ---------------------------------------------------------------------------*/

/* Square roots of the diagonal of (games * curvature)^-1. */
static void take_errors(int n, const double *factor, double games, struct quality *quality)
{
    double unit[PENALISED_DENSE_MAX];
    for (int i = 0; i < n; i++) {
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        double error = sqrt(cholesky_inverse_form(n, factor, unit) / games);
        (i % 2 == 0 ? quality->opening_error : quality->ending_error)[i / 2] = error;
    }
}

static bool measure_errors(struct penalised *penalised, const double *whole, double scale,
                           struct quality *quality, struct err *err)
{
    struct objective *objective = &penalised->objective;
    double games = (double)objective->totals.games[DATASET_TRAIN];
    double sigma = penalised->settings->prior * 100 / scale;
    int n = 2 * objective->features;
    double *matrix = malloc((size_t)n * (size_t)n * sizeof *matrix);
    bool ok = team_agree(&objective->team, matrix != NULL) ||
              err_set(err, ERR_FAILED, "out of memory for the standard errors");
    if (ok && matrix != NULL) {
        ok = objective_curvature(objective, whole, scale, matrix, err);
        for (int i = 0; ok && i < n; i++) {
            matrix[i * n + i] += 1 / (games * sigma * sigma);
        }
        ok = ok && (cholesky_factor(n, matrix) ||
                    err_set(err, ERR_FAILED, "the curvature at the fitted weights is singular"));
        if (ok) {
            take_errors(n, matrix, games, quality);
        }
    }
    free(matrix);
    return ok;
}

/* --- windows -----------------------------------------------------------------------------------*/

/* States without a man on its far row, which is the viewer's top row and the other's last. */
static int possible_states(const struct rules *rules, const struct pattern_set *set, int window)
{
    int across = rules->row_squares - set->columns + 1, top = 2 * (window / across);
    int states = 1;
    for (int row = top; row < top + set->rows; row++) {
        for (int column = 0; column < set->columns; column++) {
            states *= row == 0 || row == rules->rows - 1 ? 2 : 3;
        }
    }
    return states;
}

static void count_windows(const struct objective *objective, struct quality *quality)
{
    const struct rules *rules = objective->dataset->variant->rules;
    const struct pattern_set *set = objective->buffers->table.windows;
    quality->windows = set ? pattern_windows(rules, set) : 0;
    for (int k = 0; k < quality->windows; k++) {
        quality->window[k] = (struct quality_window){.states = pattern_states(set),
                                                     .possible = possible_states(rules, set, k),
                                                     .seen = objective->window[k].seen,
                                                     .fitted = objective->window[k].fitted};
    }
}

bool quality_measure(struct penalised *penalised, const double *whole, double scale,
                     struct quality *quality, struct err *err)
{
    struct objective *objective = &penalised->objective;
    memset(quality, 0, sizeof *quality);
    count_windows(objective, quality);
    return measure_held_out(objective, whole + spread_first(&objective->spread), scale, quality,
                            err) &&
           measure_errors(penalised, whole, scale, quality, err);
}
