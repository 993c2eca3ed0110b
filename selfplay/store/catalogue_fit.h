/* What a fit says of itself in the catalogue: how predictions and results compare, its terms with
 * their errors, the positions that surprise most, which patterns occur. What the numbers mean is in
 * tuner/fit/quality.h.
 *
 * A catalogue made by an older program has none of it: reading finds nothing. */
#pragma once

#include "engine/rules/fen.h"
#include "selfplay/store/catalogue.h"

enum { CATALOGUE_LABEL = 32 };

/* Positions of one sort within a kind: those with "16-20" pieces on the board, where White is "+1"
 * man ahead, whose predicted score is "0.45-0.50". */
#define CATALOGUE_PIECES "pieces"
#define CATALOGUE_MATERIAL "material"
#define CATALOGUE_PREDICTED "predicted"
struct catalogue_cell {
    char kind[CATALOGUE_LABEL], label[CATALOGUE_LABEL];
    int64_t positions, decided;
    double predicted, scored, error, favoured, favoured_error, loss; /* errors: -1 unknown */
};

struct catalogue_term {
    char name[CATALOGUE_NAME]; /* "man_square.17" */
    int opening, ending;
    double opening_error, ending_error;
};

struct catalogue_surprise {
    char fen[FEN_SIZE];
    double predicted, result; /* White's score */
    double loss;
};

/* States of a window of patterns; windows are numbered from 1. */
struct catalogue_window {
    int states, possible, seen, fitted;
};

struct catalogue_fit {
    struct catalogue_cell *cells; /* [cell_count] and so on, in the order that they were given in */
    struct catalogue_term *terms;
    struct catalogue_surprise *surprises;
    struct catalogue_window *windows;
    size_t cell_count, term_count, surprise_count, window_count;
};

/* Several statements, for the caller's transaction; what was there is replaced. */
bool catalogue_set_fit(struct catalogue *catalogue, const char *rules, int generation,
                       const struct catalogue_fit *fit, struct err *err);

/* The caller gives it back with catalogue_fit_free. */
bool catalogue_read_fit(struct catalogue *catalogue, const char *rules, int generation,
                        struct catalogue_fit *fit, struct err *err);
void catalogue_fit_free(struct catalogue_fit *fit);
