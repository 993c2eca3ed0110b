/* Weights in the report: the terms in a table, the squares as colours on boards. */
#include "tuner/report/report_weights.h"

#include <stdlib.h>

#include "engine/artefact/artefact.h"
#include "selfplay/store/run.h"
#include "tuner/fit/feature_name.h"
#include "tuner/report/report_patterns.h"

enum {
    CELL = 34,   /* pixels of a square's side */
    MARGIN = 24, /* around each board; its title stands in it */
};

static const char *const PHASES[] = {"opening", "ending"};

static bool is_by_square(const struct rules *rules, int feature)
{
    struct feature_range men = feature_range(rules, FEATURE_MAN_SQUARE);
    struct feature_range kings = feature_range(rules, FEATURE_KING_SQUARE);

    return (feature >= men.first && feature < men.first + men.count) ||
           (feature >= kings.first && feature < kings.first + kings.count);
}

/* A weight and its standard error, -1: not known. */
static void put_term(FILE *out, int weight, double error)
{
    fprintf(out, "<td>%d", weight);
    if (error >= 0) {
        fprintf(out, " &plusmn; %.1f", error);
    }
    fputs("</td>", out);
}

/* The catalogue's row of a feature; NULL: it has none. */
static const struct catalogue_term *term_of(const struct catalogue_fit *fit, int feature)
{
    return (size_t)feature < fit->term_count ? &fit->terms[feature] : NULL;
}

static void put_terms(FILE *out, const struct rules *rules, const struct weights *weights,
                      const struct catalogue_fit *fit)
{
    fputs("<table><tr><th>term</th><th>opening</th><th>ending</th></tr>\n", out);
    for (int k = 0; k < feature_count(rules); k++) {
        const struct catalogue_term *term = term_of(fit, k);
        if (!is_by_square(rules, k)) {
            char name[FEATURE_NAME];
            feature_name(rules, k, name);
            fprintf(out, "<tr><td>%s</td>", name);
            put_term(out, weights->opening[k], term ? term->opening_error : -1);
            put_term(out, weights->ending[k], term ? term->ending_error : -1);
            fputs("</tr>\n", out);
        }
    }
    fputs("</table>\n", out);
    if (fit->term_count > 0) {
        fputs(
            "<p class=\"note\">Hundredths of a man &plusmn; standard error, by the curvature of "
            "the loss at the fit; a game counts for one observation, and patterns are held.</p>\n",
            out);
    }
}

/* The greatest weight of a group in either phase, without its sign, at least 1. */
static int greatest(const struct weights *weights, const struct feature_range *range)
{
    int most = 1;

    for (int k = range->first; k < range->first + range->count; k++) {
        most = abs(weights->opening[k]) > most ? abs(weights->opening[k]) : most;
        most = abs(weights->ending[k]) > most ? abs(weights->ending[k]) : most;
    }
    return most;
}

/* A square of a board whose corner is at (x, y): from white (0) to blue (most) or red (-most);
 * error: -1 unknown. */
static void put_square(FILE *out, const struct rules *rules, int square, int weight, double error,
                       int most, int x, int y)
{
    int row = square / rules->row_squares;
    int column = 2 * (square % rules->row_squares) + (row % 2 == 0);
    int pale = 255 - 200 * abs(weight) / most;
    int red = weight < 0 ? 255 : pale, blue = weight < 0 ? pale : 255;

    x += column * CELL;
    y += row * CELL;
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"/>"
            "<text x=\"%d\" y=\"%d\">%d</text>\n",
            x, y, CELL, CELL, red, pale, blue, x + CELL / 2, y + CELL / 2 + 1, weight);
    if (error >= 0) {
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#666\">&#177;%.0f</text>\n",
                x + CELL / 2, y + CELL / 2 + 12, error);
    }
}

static void put_board(FILE *out, const struct rules *rules, const struct feature_range *range,
                      const int16_t *weight, int most, const struct catalogue_fit *fit, int phase,
                      int x, int y)
{
    int side = 2 * rules->row_squares * CELL;

    fprintf(out,
            "<text x=\"%d\" y=\"%d\">%s, %s</text>"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\" "
            "stroke=\"#888\"/>\n",
            x + side / 2, y - 8, range->name, PHASES[phase], x, y, side, side);
    for (int square = 0; square < range->count; square++) {
        int k = range->first + square;
        const struct catalogue_term *term = term_of(fit, k);
        double error = !term ? -1 : phase == 0 ? term->opening_error : term->ending_error;
        put_square(out, rules, square, weight[k], error, most, x, y);
    }
}

static void put_boards(FILE *out, const struct rules *rules, const struct weights *weights,
                       const struct catalogue_fit *fit)
{
    static const enum feature_group GROUPS[] = {FEATURE_MAN_SQUARE, FEATURE_KING_SQUARE};
    const int16_t *const phase[] = {weights->opening, weights->ending};
    int step = 2 * rules->row_squares * CELL + MARGIN;

    fprintf(out,
            "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\" font-size=\"12\" text-anchor=\"middle\">\n",
            2 * step + MARGIN, 2 * step + MARGIN, 2 * step + MARGIN, 2 * step + MARGIN);
    for (int g = 0; g < 2; g++) {
        struct feature_range range = feature_range(rules, GROUPS[g]);
        int most = greatest(weights, &range);
        for (int p = 0; p < 2; p++) {
            put_board(out, rules, &range, phase[p], most, fit, p, MARGIN + p * step,
                      MARGIN + g * step);
        }
    }
    fputs("</svg><figcaption>What a piece is worth by its square, besides its worth anywhere: "
          "hundredths of a man with standard errors, its owner moving up the "
          "board.</figcaption></figure>\n",
          out);
}

bool report_weights(FILE *out, const char *directory, const struct variant *variant, int generation,
                    const struct catalogue_fit *fit, struct err *err)
{
    struct artefact artefact;
    char path[FILE_PATH];

    if (!run_weights_path(path, directory, variant, generation, err)) {
        return false;
    }
    if (!file_exists(path)) {
        return true;
    }
    if (!artefact_read(path, variant, &artefact, err)) {
        return false;
    }
    put_terms(out, variant->rules, &artefact.weights, fit);
    put_boards(out, variant->rules, &artefact.weights, fit);
    report_patterns(out, variant->rules, artefact.weights.patterns);
    weights_fini(&artefact.weights);
    return true;
}
