/* How good a fit is, in HTML. */
#include "tuner/report/report_quality.h"

#include <inttypes.h>
#include <string.h>

#include "tuner/report/plot.h"

static const double NORMAL_95 = 1.96; /* standard errors of a 95 % interval */

static bool plot_calibration(FILE *out, const struct catalogue_fit *fit, struct err *err)
{
    struct plot plot;

    if (!plot_begin(&plot, err)) {
        return false;
    }
    fputs("$cells << END\n", plot.script);
    for (size_t i = 0; i < fit->cell_count; i++) {
        const struct catalogue_cell *cell = &fit->cells[i];
        if (strcmp(cell->kind, CATALOGUE_PREDICTED) == 0 && cell->error >= 0) {
            fprintf(plot.script, "%.9g %.9g %.9g\n", cell->predicted, cell->scored,
                    NORMAL_95 * cell->error);
        }
    }
    fputs("END\nset key top left\nset xrange [0:1]\nset yrange [0:1]\n"
          "set xlabel 'predicted score of White'\nset ylabel 'actual score'\n"
          "plot x with lines lw 1 lc rgb '#999999' title 'as predicted', "
          "$cells using 1:2:3 with yerrorbars pt 7 ps 0.5 lw 2 lc rgb '#2166ac' "
          "title 'held-out games, 95 % intervals'\n",
          plot.script);
    return plot_end(&plot, out,
                    "Predicted against actual score on the games held out; intervals are by whole "
                    "games, whose positions share one result.",
                    err);
}

/* " +- x" of a 95 % interval, in units of 1 / factor; nothing when the error is not known. */
static void put_interval(FILE *out, double error, double factor, int digits)
{
    if (error >= 0) {
        fprintf(out, " &plusmn; %.*f", digits, NORMAL_95 * error * factor);
    }
}

static void put_cell(FILE *out, const struct catalogue_cell *cell)
{
    fprintf(out, "<tr><td>%s</td><td>%" PRId64 "</td><td>%.4f</td><td>%.4f</td><td>%+.4f",
            cell->label, cell->positions, cell->predicted, cell->scored,
            cell->scored - cell->predicted);
    put_interval(out, cell->error, 1, 4);
    fprintf(out, "</td><td>%.5f</td>", cell->loss);
    if (cell->decided > 0) {
        fprintf(out, "<td>%.2f", 100 * cell->favoured);
        put_interval(out, cell->favoured_error, 100, 2);
        fprintf(out, "</td><td>%" PRId64 "</td></tr>\n", cell->decided);
    } else {
        fputs("<td></td><td>0</td></tr>\n", out);
    }
}

static void put_cells(FILE *out, const struct catalogue_fit *fit, const char *kind,
                      const char *title)
{
    fprintf(out,
            "<div class=\"wide\"><table><tr><th>%s</th><th>positions</th><th>predicted</th>"
            "<th>scored</th><th>difference</th><th>loss</th><th>winner favoured, %%</th>"
            "<th>of positions</th></tr>\n",
            title);
    for (size_t i = 0; i < fit->cell_count; i++) {
        const struct catalogue_cell *cell = &fit->cells[i];
        if (strcmp(cell->kind, kind) == 0 && cell->positions > 0) {
            put_cell(out, cell);
        }
    }
    fputs("</table></div>\n", out);
}

static void put_surprises(FILE *out, const struct catalogue_fit *fit)
{
    if (fit->surprise_count == 0) {
        return;
    }
    fputs("<h4>Most surprising positions</h4><div class=\"wide\"><table><tr><th>position</th>"
          "<th>predicted</th><th>result</th><th>loss</th></tr>\n",
          out);
    for (size_t i = 0; i < fit->surprise_count; i++) {
        const struct catalogue_surprise *row = &fit->surprises[i];
        fprintf(out, "<tr><td>%s</td><td>%.4f</td><td>%g</td><td>%.3f</td></tr>\n", row->fen,
                row->predicted, row->result, row->loss);
    }
    fputs("</table></div><p class=\"note\">White's predicted score and result, of the games held "
          "out; at most one of a group of games.</p>\n",
          out);
}

static void put_windows(FILE *out, const struct catalogue_fit *fit)
{
    if (fit->window_count == 0) {
        return;
    }
    fputs("<h4>Patterns</h4><table><tr><th>window</th><th>states</th><th>possible</th>"
          "<th>occurred</th><th>never</th><th>fitted</th></tr>\n",
          out);
    for (size_t i = 0; i < fit->window_count; i++) {
        const struct catalogue_window *window = &fit->windows[i];
        fprintf(out,
                "<tr><td>%zu</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>\n",
                i + 1, window->states, window->possible, window->seen,
                window->possible - window->seen, window->fitted);
    }
    fputs("</table><p class=\"note\">Possible are the states without a man on its far row; never: "
          "those of them that occur in no training position.</p>\n",
          out);
}

bool report_quality(FILE *out, const struct catalogue_fit *fit, struct err *err)
{
    if (fit->cell_count > 0) {
        fputs("<h4>Predictions and results</h4>\n", out);
        if (!plot_calibration(out, fit, err)) {
            return false;
        }
        put_cells(out, fit, CATALOGUE_PREDICTED, "predicted");
        put_cells(out, fit, CATALOGUE_PIECES, "pieces on the board");
        put_cells(out, fit, CATALOGUE_MATERIAL, "White ahead, men (a king: 3)");
        fputs(
            "<p class=\"note\">Intervals are 95 %. The winner is favoured where the prediction is "
            "on his side of 1/2, among positions of games that somebody won.</p>\n",
            out);
    }
    put_surprises(out, fit);
    put_windows(out, fit);
    return true;
}
