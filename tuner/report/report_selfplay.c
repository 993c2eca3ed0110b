/* Self-play in the report. */
#include "tuner/report/report_selfplay.h"

/* What the tables are made from; the first failure is kept in ok. */
struct source {
    FILE *out;
    struct catalogue *catalogue;
    const struct stage_key *key;
    struct err *err;
    bool ok;
};

/* A figure, 0 when it is missing. */
static double figure(struct source *source, const char *name)
{
    double value = 0;
    bool found;

    source->ok = source->ok && catalogue_figure(source->catalogue, source->key, name, &value,
                                                &found, source->err);
    return value;
}

static double percent(double part, double whole)
{
    return 100 * part / (whole > 0 ? whole : 1);
}

static void put_games(struct source *source)
{
    double games = figure(source, "games"), repeated = figure(source, "repeated");

    fprintf(source->out,
            "<h3>Self-play</h3><table><tr><th>games</th><th>repeated</th><th>positions</th>"
            "<th>White won</th><th>drawn</th><th>Black won</th><th>seconds</th></tr>"
            "<tr><td>%.0f</td><td>%.2f %%</td><td>%.0f</td><td>%.0f</td><td>%.0f</td>"
            "<td>%.0f</td><td>%.0f</td></tr></table>\n",
            games, percent(repeated, games), figure(source, "positions"),
            figure(source, "white_wins"), figure(source, "draws"), figure(source, "black_wins"),
            figure(source, "seconds"));
}

/* What the control games say of one rule of adjudication. */
static void put_verdicts(struct source *source, const char *what, const char *ended,
                         const char *judged, const char *wrong)
{
    double games = figure(source, ended), would = figure(source, judged);
    double wrongly = figure(source, wrong);

    fprintf(source->out,
            "<tr><td>%s</td><td>%.0f</td><td>%.0f</td><td>%.0f</td><td>%.2f %%</td></tr>\n", what,
            games, would, wrongly, percent(wrongly, would));
}

static void put_adjudication(struct source *source)
{
    double control = figure(source, "control"), plies = figure(source, "control_plies");
    double ended = figure(source, "resigned") + figure(source, "agreed_draws");

    if (ended + control == 0) {
        return;
    }
    fputs("<table><tr><th>adjudication</th><th>games ended</th><th>control games it would have "
          "ended</th><th>of these wrongly</th><th>error</th></tr>\n",
          source->out);
    put_verdicts(source, "resigned", "resigned", "judged_resigned", "wrong_resigned");
    put_verdicts(source, "agreed draw", "agreed_draws", "judged_agreed", "wrong_agreed");
    fprintf(source->out,
            "</table><p class=\"note\">%.0f control games were played to their end; adjudication "
            "would have spared %.1f %% of their half-moves.</p>\n",
            control, percent(figure(source, "spared_plies"), plies));
}

bool report_selfplay(FILE *out, struct catalogue *catalogue, const struct stage_key *key,
                     struct err *err)
{
    struct source source = {out, catalogue, key, err, true};

    put_games(&source);
    put_adjudication(&source);
    return source.ok;
}
