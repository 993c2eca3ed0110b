/* Weights in the report: the terms in a table, the squares as colours on boards. */
#include "tuner/report_weights.h"

#include <stdlib.h>

#include "engine/artefact.h"
#include "selfplay/run.h"

enum {
    CELL = 34,   /* pixels of a square's side */
    MARGIN = 24, /* around each board; its title stands in it */
};

static const char *const PHASES[] = {"opening", "ending"};

/* The groups of several weights are by square, but for the guarded men's two. */
static bool is_by_square(const struct feature_range *range)
{
    return range->count > 2;
}

static void put_terms(FILE *out, const struct rules *rules, const struct weights *weights)
{
    fputs("<table><tr><th>term</th><th>opening</th><th>ending</th></tr>\n", out);
    for (int group = 0; group < FEATURE_GROUPS; group++) {
        struct feature_range range = feature_range(rules, (enum feature_group)group);
        for (int k = 0; k < range.count && !is_by_square(&range); k++) {
            fprintf(out, "<tr><td>%s", range.name);
            if (range.count > 1) {
                fprintf(out, " %d", k + 1);
            }
            fprintf(out, "</td><td>%d</td><td>%d</td></tr>\n", weights->opening[range.first + k],
                    weights->ending[range.first + k]);
        }
    }
    fputs("</table>\n", out);
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

/* A square of a board whose corner is at (x, y): from white (0) to blue (most) or red (-most). */
static void put_square(FILE *out, const struct rules *rules, int square, int weight, int most,
                       int x, int y)
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
            x, y, CELL, CELL, red, pale, blue, x + CELL / 2, y + CELL / 2 + 4, weight);
}

static void put_board(FILE *out, const struct rules *rules, const struct feature_range *range,
                      const int16_t *weight, int most, const char *phase, int x, int y)
{
    int side = 2 * rules->row_squares * CELL;

    fprintf(out,
            "<text x=\"%d\" y=\"%d\">%s, %s</text>"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\" "
            "stroke=\"#888\"/>\n",
            x + side / 2, y - 8, range->name, phase, x, y, side, side);
    for (int square = 0; square < range->count; square++) {
        put_square(out, rules, square, weight[range->first + square], most, x, y);
    }
}

static void put_boards(FILE *out, const struct rules *rules, const struct weights *weights)
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
            put_board(out, rules, &range, phase[p], most, PHASES[p], MARGIN + p * step,
                      MARGIN + g * step);
        }
    }
    fputs("</svg><figcaption>What a piece is worth by its square, besides its worth anywhere: "
          "hundredths of a man, its owner moving up the board.</figcaption></figure>\n",
          out);
}

bool report_weights(FILE *out, const char *directory, const struct variant *variant, int generation,
                    struct err *err)
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
    put_terms(out, variant->rules, &artefact.weights);
    put_boards(out, variant->rules, &artefact.weights);
    weights_fini(&artefact.weights);
    return true;
}
