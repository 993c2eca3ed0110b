/* Rows of what a fit says of itself; the tables stand in catalogue_file.c. */
#include "selfplay/store/catalogue_fit.h"

#include <stdlib.h>

#include "selfplay/store/catalogue_file.h"

static bool clear(struct catalogue *catalogue, const char *rules, int generation, struct err *err)
{
    static const char *const STATEMENTS[] = {
        "DELETE FROM fit_cells WHERE rules = ? AND generation = ?",
        "DELETE FROM fit_terms WHERE rules = ? AND generation = ?",
        "DELETE FROM fit_surprises WHERE rules = ? AND generation = ?",
        "DELETE FROM fit_windows WHERE rules = ? AND generation = ?",
    };

    for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS; i++) {
        if (!database_execute(catalogue->database, err, STATEMENTS[i], "ti", rules, generation)) {
            return false;
        }
    }
    return true;
}

/* Where a row goes. */
struct place {
    struct catalogue *catalogue;
    const char *rules;
    int generation;
    int64_t number; /* of the row within its table, from 1 */
};

static bool add_cell(const struct place *to, const struct catalogue_cell *cell, struct err *err)
{
    return database_execute(
        to->catalogue->database, err,
        "INSERT INTO fit_cells (rules, generation, cell, kind, label, positions, decided,"
        " predicted, scored, error, favoured, favoured_error, loss)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tilttllrrrrrr", to->rules, to->generation, to->number, cell->kind, cell->label,
        cell->positions, cell->decided, cell->predicted, cell->scored, cell->error, cell->favoured,
        cell->favoured_error, cell->loss);
}

static bool add_term(const struct place *to, const struct catalogue_term *term, struct err *err)
{
    return database_execute(to->catalogue->database, err,
                            "INSERT INTO fit_terms (rules, generation, term, name, opening,"
                            " opening_error, ending, ending_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                            "tiltirir", to->rules, to->generation, to->number, term->name,
                            term->opening, term->opening_error, term->ending, term->ending_error);
}

static bool add_surprise(const struct place *to, const struct catalogue_surprise *surprise,
                         struct err *err)
{
    return database_execute(to->catalogue->database, err,
                            "INSERT INTO fit_surprises (rules, generation, place, fen, predicted,"
                            " result, loss) VALUES (?, ?, ?, ?, ?, ?, ?)",
                            "tiltrrr", to->rules, to->generation, to->number, surprise->fen,
                            surprise->predicted, surprise->result, surprise->loss);
}

static bool add_window(const struct place *to, const struct catalogue_window *window,
                       struct err *err)
{
    return database_execute(to->catalogue->database, err,
                            "INSERT INTO fit_windows (rules, generation, window, states, possible,"
                            " seen, fitted) VALUES (?, ?, ?, ?, ?, ?, ?)",
                            "tiliiii", to->rules, to->generation, to->number, window->states,
                            window->possible, window->seen, window->fitted);
}

bool catalogue_set_fit(struct catalogue *catalogue, const char *rules, int generation,
                       const struct catalogue_fit *fit, struct err *err)
{
    struct place to = {catalogue, rules, generation, 0};
    bool ok = clear(catalogue, rules, generation, err);

    for (size_t i = 0; ok && i < fit->cell_count; i++) {
        to.number = (int64_t)i + 1;
        ok = add_cell(&to, &fit->cells[i], err);
    }
    for (size_t i = 0; ok && i < fit->term_count; i++) {
        to.number = (int64_t)i + 1;
        ok = add_term(&to, &fit->terms[i], err);
    }
    for (size_t i = 0; ok && i < fit->surprise_count; i++) {
        to.number = (int64_t)i + 1;
        ok = add_surprise(&to, &fit->surprises[i], err);
    }
    for (size_t i = 0; ok && i < fit->window_count; i++) {
        to.number = (int64_t)i + 1;
        ok = add_window(&to, &fit->windows[i], err);
    }
    return ok;
}

static void take_cell(const struct cursor *cursor, void *element)
{
    struct catalogue_cell *cell = element;

    cursor_text(cursor, 0, cell->kind, sizeof cell->kind);
    cursor_text(cursor, 1, cell->label, sizeof cell->label);
    cell->positions = cursor_integer(cursor, 2);
    cell->decided = cursor_integer(cursor, 3);
    cell->predicted = cursor_real(cursor, 4);
    cell->scored = cursor_real(cursor, 5);
    cell->error = cursor_real(cursor, 6);
    cell->favoured = cursor_real(cursor, 7);
    cell->favoured_error = cursor_real(cursor, 8);
    cell->loss = cursor_real(cursor, 9);
}

static void take_term(const struct cursor *cursor, void *element)
{
    struct catalogue_term *term = element;

    cursor_text(cursor, 0, term->name, sizeof term->name);
    term->opening = (int)cursor_integer(cursor, 1);
    term->opening_error = cursor_real(cursor, 2);
    term->ending = (int)cursor_integer(cursor, 3);
    term->ending_error = cursor_real(cursor, 4);
}

static void take_surprise(const struct cursor *cursor, void *element)
{
    struct catalogue_surprise *surprise = element;

    cursor_text(cursor, 0, surprise->fen, sizeof surprise->fen);
    surprise->predicted = cursor_real(cursor, 1);
    surprise->result = cursor_real(cursor, 2);
    surprise->loss = cursor_real(cursor, 3);
}

static void take_window(const struct cursor *cursor, void *element)
{
    struct catalogue_window *window = element;

    window->states = (int)cursor_integer(cursor, 0);
    window->possible = (int)cursor_integer(cursor, 1);
    window->seen = (int)cursor_integer(cursor, 2);
    window->fitted = (int)cursor_integer(cursor, 3);
}

/* What is read of one table. */
struct table_read {
    const char *sql;
    cursor_take *take;
    size_t size; /* of an element */
    void **rows;
    size_t *count;
};

bool catalogue_read_fit(struct catalogue *catalogue, const char *rules, int generation,
                        struct catalogue_fit *fit, struct err *err)
{
    static const int VERSION_WITH_FITS = 3;
    *fit = (struct catalogue_fit){0};
    void *rows[4] = {NULL};
    const struct table_read reads[4] = {
        {"SELECT kind, label, positions, decided, predicted, scored, error, favoured,"
         " favoured_error, loss FROM fit_cells WHERE rules = ? AND generation = ? ORDER BY cell",
         take_cell, sizeof *fit->cells, &rows[0], &fit->cell_count},
        {"SELECT name, opening, opening_error, ending, ending_error FROM fit_terms"
         " WHERE rules = ? AND generation = ? ORDER BY term",
         take_term, sizeof *fit->terms, &rows[1], &fit->term_count},
        {"SELECT fen, predicted, result, loss FROM fit_surprises"
         " WHERE rules = ? AND generation = ? ORDER BY place",
         take_surprise, sizeof *fit->surprises, &rows[2], &fit->surprise_count},
        {"SELECT states, possible, seen, fitted FROM fit_windows"
         " WHERE rules = ? AND generation = ? ORDER BY window",
         take_window, sizeof *fit->windows, &rows[3], &fit->window_count},
    };
    bool ok = true;

    for (int i = 0; ok && i < 4 && catalogue->version >= VERSION_WITH_FITS; i++) {
        struct cursor *cursor =
            database_query(catalogue->database, err, reads[i].sql, "ti", rules, generation);
        ok = cursor_collect(cursor, reads[i].size, reads[i].take, reads[i].rows, reads[i].count,
                            err);
    }
    fit->cells = rows[0];
    fit->terms = rows[1];
    fit->surprises = rows[2];
    fit->windows = rows[3];
    if (!ok) {
        catalogue_fit_free(fit);
    }
    return ok;
}

void catalogue_fit_free(struct catalogue_fit *fit)
{
    free(fit->cells);
    free(fit->terms);
    free(fit->surprises);
    free(fit->windows);
    *fit = (struct catalogue_fit){0};
}
