/* Names and units for what tuner/fit/quality.h counts. */
#include "tuner/fit/quality_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "tuner/fit/feature_name.h"

/* Kind and label of a cell. */
static void name_cell(const struct rules *rules, int k, struct catalogue_cell *row)
{
    const int most = QUALITY_MATERIAL / 2;
    if (k < QUALITY_FIRST_MATERIAL) {
        int first = quality_band_first(rules, k), next = quality_band_first(rules, k + 1);
        snprintf(row->kind, sizeof row->kind, CATALOGUE_PIECES);
        snprintf(row->label, sizeof row->label, "%d-%d", first, next - 1);
    } else if (k < QUALITY_FIRST_PREDICTED) {
        int balance = k - QUALITY_FIRST_MATERIAL - most;
        snprintf(row->kind, sizeof row->kind, CATALOGUE_MATERIAL);
        snprintf(row->label, sizeof row->label, "%+d%s", balance,
                 balance == -most  ? " and below"
                 : balance == most ? " and above"
                                   : "");
    } else {
        double step = 1.0 / QUALITY_PREDICTED, from = (k - QUALITY_FIRST_PREDICTED) * step;
        snprintf(row->kind, sizeof row->kind, CATALOGUE_PREDICTED);
        snprintf(row->label, sizeof row->label, "%.2f-%.2f", from, from + step);
    }
}

static void take_cells(const struct rules *rules, const struct quality *quality,
                       struct catalogue_fit *rows)
{
    for (int k = 0; k < QUALITY_CELLS; k++) {
        const struct quality_cell *cell = &quality->cell[k];
        struct catalogue_cell *row = &rows->cells[k];
        *row = (struct catalogue_cell){.positions = cell->positions,
                                       .decided = cell->decided,
                                       .predicted = cell->predicted,
                                       .scored = cell->scored,
                                       .error = cell->error,
                                       .favoured = cell->favoured,
                                       .favoured_error = cell->favoured_error,
                                       .loss = cell->loss};
        name_cell(rules, k, row);
    }
    rows->cell_count = QUALITY_CELLS;
}

static void take_terms(const struct rules *rules, const struct fit_result *result,
                       struct catalogue_fit *rows)
{
    const struct quality *quality = &result->quality;
    int features = feature_count(rules);
    for (int k = 0; k < features; k++) {
        struct catalogue_term *row = &rows->terms[k];
        *row = (struct catalogue_term){.opening = result->weights.opening[k],
                                       .ending = result->weights.ending[k],
                                       .opening_error = quality->opening_error[k],
                                       .ending_error = quality->ending_error[k]};
        feature_name(rules, k, row->name);
    }
    rows->term_count = (size_t)features;
}

static void take_surprises(const struct rules *rules, const struct quality *quality,
                           struct catalogue_fit *rows)
{
    for (int k = 0; k < quality->surprises; k++) {
        const struct surprise *from = &quality->surprise[k];
        const struct position position = {.men = {from->men[WHITE], from->men[BLACK]},
                                          .kings = {from->kings[WHITE], from->kings[BLACK]},
                                          .turn = from->black_to_move ? BLACK : WHITE};
        struct catalogue_surprise *row = &rows->surprises[k];
        row->predicted = (double)from->predicted / (1 << PASS_RESIDUAL_BITS);
        row->result = (double)(from->result + 1) / 2;
        row->loss = (double)from->loss / (1 << PASS_LOSS_BITS);
        fen_write(rules, &position, row->fen);
    }
    rows->surprise_count = (size_t)quality->surprises;
}

static void take_windows(const struct quality *quality, struct catalogue_fit *rows)
{
    for (int k = 0; k < quality->windows; k++) {
        const struct quality_window *from = &quality->window[k];
        rows->windows[k] = (struct catalogue_window){.states = from->states,
                                                     .possible = from->possible,
                                                     .seen = from->seen,
                                                     .fitted = from->fitted};
    }
    rows->window_count = (size_t)quality->windows;
}

bool quality_rows(const struct variant *variant, const struct fit_result *result,
                  struct catalogue_fit *rows, struct err *err)
{
    *rows = (struct catalogue_fit){
        .cells = calloc(QUALITY_CELLS, sizeof *rows->cells),
        .terms = calloc(FEATURES_MAX, sizeof *rows->terms),
        .surprises = calloc(QUALITY_SURPRISES, sizeof *rows->surprises),
        .windows = calloc(PATTERN_WINDOWS_MAX, sizeof *rows->windows),
    };
    if (!rows->cells || !rows->terms || !rows->surprises || !rows->windows) {
        catalogue_fit_free(rows);
        return err_set(err, ERR_FAILED, "out of memory for the quality of the fit");
    }
    take_cells(variant->rules, &result->quality, rows);
    take_terms(variant->rules, result, rows);
    take_surprises(variant->rules, &result->quality, rows);
    take_windows(&result->quality, rows);
    return true;
}
