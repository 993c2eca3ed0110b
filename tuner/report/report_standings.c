/* The players of a pool in the report of a run. */
#include "tuner/report/report_standings.h"

#include <inttypes.h>

#include "tuner/report/contest_text.h"
#include "tuner/report/crosstable.h"
#include "tuner/report/html.h"

/* "<td>3 name</td>" */
static void put_player(FILE *out, const struct standings *standings, int player)
{
    fprintf(out, "<td>%d ", player + 1);
    html_text(out, standings->name[player]);
    fputs("</td>", out);
}

/* A value with its interval. */
static void put_estimate(FILE *out, double value, double error)
{
    fprintf(out, "<td>%+.1f &plusmn; %.1f</td>", value, error);
}

/* --- who against whom --------------------------------------------------------------------------*/

static void put_row(FILE *out, const struct standings *standings, int player)
{
    const struct crosstable_row row = crosstable_row(standings, player);
    double divisor = row.games > 0 ? (double)row.games : 1;
    double depth = match_effort_depth(&row.effort);

    fputs("<tr>", out);
    put_player(out, standings, player);
    for (int other = 0; other < standings->players; other++) {
        if (standings_games(standings, player, other) > 0) {
            fprintf(out, "<td>%.1f</td>",
                    (double)standings_half_points(standings, player, other) / 2);
        } else {
            fputs("<td>&ndash;</td>", out);
        }
    }
    fprintf(out, "<td>%.1f</td><td>%" PRId64 "</td><td>%.1f %%</td><td>%.1f</td>",
            (double)row.half_points / 2, row.games, 100 * (double)row.draws / divisor,
            (double)row.plies / divisor);
    if (depth > 0) {
        fprintf(out, "<td>%.1f</td>", depth);
    } else {
        fputs("<td>&ndash;</td>", out);
    }
    fprintf(out, "<td>%.2f</td></tr>\n", match_effort_milliseconds(&row.effort));
}

static void put_crosstable(FILE *out, const struct standings *standings)
{
    fputs("<div class=\"wide\"><table><tr><th>points against</th>", out);
    for (int player = 0; player < standings->players; player++) {
        fprintf(out, "<th>%d</th>", player + 1);
    }
    fputs("<th>points</th><th>games</th><th>drawn</th><th>plies a game</th><th>depth</th>"
          "<th>ms a move</th></tr>\n",
          out);
    for (int player = 0; player < standings->players; player++) {
        put_row(out, standings, player);
    }
    fprintf(out, "</table></div><p class=\"note\">Depth: %s.</p>\n", match_effort_depth_note);
}

/* --- pairs -------------------------------------------------------------------------------------*/

static void put_pairing(FILE *out, const struct standings *standings,
                        const struct standing *standing)
{
    const struct pentanomial *scores = &standing->results.scores;
    struct match_statistics statistics = match_statistics(scores);

    fputs("<tr><td>", out);
    html_text(out, standings->name[standing->first]);
    fputs(" &ndash; ", out);
    html_text(out, standings->name[standing->second]);
    fprintf(out, "</td><td>%" PRId64 "</td>", statistics.pairs);
    for (int i = 0; i < PAIR_SCORES; i++) {
        fprintf(out, "<td>%" PRId64 "</td>", scores->pairs[i]);
    }
    put_estimate(out, statistics.elo.value, statistics.elo.error);
    put_estimate(out, statistics.normalised_elo.value, statistics.normalised_elo.error);
    fprintf(out, "<td>%.1f %%</td></tr>\n", 100 * statistics.superiority);
}

static void put_pairings(FILE *out, const struct standings *standings)
{
    fputs("<div class=\"wide\"><table><tr><th>first &ndash; second</th><th>pairs</th><th>of 0</th>"
          "<th>&frac12;</th><th>1</th><th>1&frac12;</th><th>2</th><th>Elo, logistic</th>"
          "<th>normalised Elo</th><th>superiority</th></tr>\n",
          out);
    for (int i = 0; i < standings->pairings; i++) {
        put_pairing(out, standings, &standings->pairing[i]);
    }
    fputs(
        "</table></div><p class=\"note\">Pairs of games with one opening, colours swapped, by the "
        "points of the first player; &plusmn;: 95 % interval, from the counts of pairs; "
        "superiority: likelihood that the first is the stronger.</p>\n",
        out);
}

static void put_test(FILE *out, const struct standings *standings)
{
    const struct sprt *test = &standings->test;
    const struct match_results *results = &standings->pairing[0].results;

    fprintf(out,
            "<p>Sequential test (GSPRT) of %s Elo %g against %g, &alpha; %g, &beta; %g: LLR %.3f, "
            "elo0 accepted at %.3f or below, elo1 at %.3f or above: <b>%s</b>.</p>\n",
            contest_scale(test), test->elo0, test->elo1, test->alpha, test->beta,
            sprt_log_likelihood_ratio(test, &results->scores), sprt_lower_bound(test),
            sprt_upper_bound(test), contest_decision(results->decision));
}

/* --- ratings -----------------------------------------------------------------------------------*/

static void put_rating(FILE *out, const struct standings *standings, int player, bool lowest,
                       const struct rating *rating)
{
    fputs("<tr>", out);
    put_player(out, standings, player);
    fprintf(out, "<td>%.1f</td><td>&plusmn; %.1f</td><td>&plusmn; %.1f</td>", rating->elo,
            rating->over_anchor.error, rating->over_mean.error);
    if (lowest) {
        fputs("<td>&ndash;</td>", out);
    } else {
        put_estimate(out, rating->over_below.value, rating->over_below.error);
    }
    fprintf(out, "<td>%.0f</td><td>%.1f %%</td></tr>\n", rating->games, 100 * rating->score);
}

static void put_ratings(FILE *out, const struct standings *standings)
{
    struct rating ratings[MATCH_PLAYERS_MAX];
    int ladder[MATCH_PLAYERS_MAX];
    const char *anchor = standings->name[standings->anchor];
    struct err err;

    if (!standings_rate(standings, ladder, ratings, &err)) {
        fputs("<p>No joint ratings yet: ", out);
        html_text(out, err.text);
        fputs("</p>\n", out);
        return;
    }
    fprintf(out, "<div class=\"wide\"><table><tr><th>rating</th><th>Elo (%s)</th><th>against ",
            score_model_name);
    html_text(out, anchor);
    fputs("</th><th>against the mean</th><th>over the next below</th><th>games</th><th>score</th>"
          "</tr>\n",
          out);
    for (int rung = standings->players - 1; rung >= 0; rung--) {
        put_rating(out, standings, ladder[rung], rung == 0, &ratings[ladder[rung]]);
    }
    fprintf(out, "</table></div><p class=\"note\">Joint maximum likelihood under the model %s, ",
            score_model_name);
    html_text(out, anchor);
    fprintf(out, " held at %g; &plusmn;: 95 %% intervals against what the column says.</p>\n",
            standings->anchor_elo);
}

/* --- ends --------------------------------------------------------------------------------------*/

/* Nothing when there are none; *before is what separates it from what came before. */
static void put_end(FILE *out, const char *name, int64_t games, const char **before)
{
    if (games > 0) {
        fprintf(out, "%s%s %" PRId64, *before, name, games);
        *before = ", ";
    }
}

static void put_ends(FILE *out, const struct standings *standings)
{
    const char *before = "<p>Games ended by: ";
    int64_t ends[END_QUIET + 1], adjudicated[ADJUDICATION_DRAWN + 1];

    standings_ends(standings, ends, adjudicated);
    for (int reason = 0; reason <= END_QUIET; reason++) {
        put_end(out, end_reason_name((enum end_reason)reason), ends[reason], &before);
    }
    for (int verdict = 0; verdict <= ADJUDICATION_DRAWN; verdict++) {
        put_end(out, adjudication_name((enum adjudication)verdict), adjudicated[verdict], &before);
    }
    fputs(before[0] == ',' ? ".</p>\n" : "", out);
}

/* What external engines lost games by. */
static void put_faults(FILE *out, const struct standings *standings)
{
    for (int i = 0; i < standings->pairings; i++) {
        const struct standing *standing = &standings->pairing[i];
        for (int side = 0; side < 2; side++) {
            for (int fault = 0; fault < FAULTS; fault++) {
                int64_t games = standing->results.faults[side][fault];
                if (games > 0) {
                    int player = side == 0 ? standing->first : standing->second;
                    int other = side == 0 ? standing->second : standing->first;
                    fputs("<p><b>", out);
                    html_text(out, standings->name[player]);
                    fprintf(out, " %s</b> in %" PRId64 " games against ",
                            fault_name((enum fault)fault), games);
                    html_text(out, standings->name[other]);
                    fputs(".</p>\n", out);
                }
            }
        }
    }
}

void report_standings(FILE *out, const struct standings *standings)
{
    fputs("<p>", out);
    contest_pairs(out, standings);
    fputs(".</p>\n", out);
    put_crosstable(out, standings);
    put_pairings(out, standings);
    if (standings->has_test) {
        put_test(out, standings);
    }
    if (standings->players > 2) {
        put_ratings(out, standings);
    }
    put_ends(out, standings);
    put_faults(out, standings);
}
