/* The report of a run. */
#include "tuner/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/version.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/run.h"
#include "tuner/contest.h"
#include "tuner/report/html.h"
#include "tuner/report/plot.h"
#include "tuner/report/report_quality.h"
#include "tuner/report/report_selfplay.h"
#include "tuner/report/report_standings.h"
#include "tuner/report/report_weights.h"
#include "tuner/stage.h"

static const char BEGIN[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";

static const char HEAD[] =
    "</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\n"
    "h1{font-size:1.6em}h2{font-size:1.3em;margin-top:2em;border-bottom:1px solid #ccc}\n"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .8em;text-align:right}\n"
    "th{border-bottom:1px solid #888}td:first-child,th:first-child{text-align:left}\n"
    ".wide{overflow-x:auto}td,th{white-space:nowrap}.note{color:#555;font-size:.9em}\n"
    "figure{margin:1em 0}svg{max-width:100%;height:auto}figcaption{color:#555}\n"
    "</style></head><body>\n<h1>Run ";

/* One rule set and generation on its way into the report. */
struct section {
    FILE *out;
    const char *directory; /* of the run */
    struct catalogue *catalogue;
    const struct variant *variant;
    int generation;
    struct err *err;
};

static struct stage_key key_of(const struct section *section, enum stage stage)
{
    return stage_key_of(section->variant, section->generation, stage);
}

static bool figure(const struct section *section, enum stage stage, const char *name, double *value)
{
    struct stage_key key = key_of(section, stage);
    bool found;

    *value = 0;
    return catalogue_figure(section->catalogue, &key, name, value, &found, section->err);
}

static bool plot_curve(const struct section *section, const struct catalogue_pass *passes,
                       size_t count)
{
    struct plot plot;

    if (!plot_begin(&plot, section->err)) {
        return false;
    }
    fputs("$loss << END\n", plot.script);
    for (size_t i = 0; i < count; i++) {
        fprintf(plot.script, "%d %.9g %.9g\n", passes[i].pass, passes[i].training,
                passes[i].heldout);
    }
    fprintf(plot.script, "END\n%s", count <= 20 ? "set xtics 1\n" : "");
    fputs("set xlabel 'pass over the positions'\nset ylabel 'log loss a position'\n"
          "plot $loss using 1:2 with linespoints pt 7 ps 0.4 lw 2 lc rgb '#2166ac' title 'training "
          "games', "
          "$loss using 1:3 with linespoints pt 7 ps 0.4 lw 2 lc rgb '#b2182b' title 'held-out "
          "games'\n",
          plot.script);
    return plot_end(&plot, section->out, "Loss after each pass of the fit.", section->err);
}

static bool plot_ladder(const struct section *section, const struct level_set *levels)
{
    struct plot plot;

    if (!plot_begin(&plot, section->err)) {
        return false;
    }
    fputs("$elo << END\n", plot.script);
    for (int i = 0; i < levels->count; i++) {
        const struct level *level = &levels->level[i];
        fprintf(plot.script, "%d %s %.1f %.1f\n", level->number, level->name, level->elo,
                level->elo_error);
    }
    fprintf(plot.script,
            "END\nset xrange [0.5:%d.5]\nset ylabel 'Elo over Beginner'\nunset key\n"
            "plot $elo using 1:3 with lines lw 1 lc rgb '#999999', "
            "$elo using 1:3:4:xticlabels(2) with yerrorbars pt 7 lw 2 lc rgb '#2166ac'\n",
            levels->count);
    return plot_end(&plot, section->out,
                    "The levels; bars are 95 % intervals against the mean of the pool.",
                    section->err);
}

static bool put_selfplay(const struct section *section)
{
    struct stage_key key = key_of(section, STAGE_SELFPLAY);

    return report_selfplay(section->out, section->catalogue, &key, section->err);
}

/* How good the fit is, and its weights. */
static bool put_fit(const struct section *section)
{
    struct catalogue_fit fit;

    if (!catalogue_read_fit(section->catalogue, section->variant->rules->name, section->generation,
                            &fit, section->err)) {
        return false;
    }
    bool ok = report_quality(section->out, &fit, section->err) &&
              report_weights(section->out, section->directory, section->variant,
                             section->generation, &fit, section->err);
    catalogue_fit_free(&fit);
    return ok;
}

static bool put_tune(const struct section *section)
{
    double positions, before, after, scale;
    struct catalogue_pass *passes;
    size_t count;

    if (!figure(section, STAGE_TUNE, "positions", &positions) ||
        !figure(section, STAGE_TUNE, "loss_before", &before) ||
        !figure(section, STAGE_TUNE, "loss_after", &after) ||
        !figure(section, STAGE_TUNE, "scale", &scale)) {
        return false;
    }
    fprintf(section->out,
            "<h3>Weights</h3><table><tr><th>quiet positions</th><th>held-out loss before</th>"
            "<th>after</th><th>K</th></tr><tr><td>%.0f</td><td>%.5f</td><td>%.5f</td>"
            "<td>%.4f</td></tr></table>\n",
            positions, before, after, scale);
    if (!catalogue_curve(section->catalogue, section->variant->rules->name, section->generation,
                         &passes, &count, section->err)) {
        return false;
    }
    bool ok = count == 0 || plot_curve(section, passes, count);
    free(passes);
    return ok && put_fit(section);
}

/* The standings of a stage that plays matches. */
static bool put_standings(const struct section *section, enum stage stage)
{
    struct stage_key key = key_of(section, stage);
    struct standings *standings;

    if (!standings_read(section->catalogue, section->variant, &key, &standings, section->err)) {
        return false;
    }
    if (standings) {
        report_standings(section->out, standings);
    }
    free(standings);
    return true;
}

static bool put_gate(const struct section *section)
{
    struct stage_key key = key_of(section, STAGE_GATE);
    struct catalogue_rating *ratings;
    size_t count;
    double accepted;

    if (!figure(section, STAGE_GATE, "accepted", &accepted) ||
        !catalogue_ratings(section->catalogue, &key, &ratings, &count, section->err)) {
        return false;
    }
    if (count > 0) {
        fprintf(
            section->out,
            "<h3>Gate</h3><p>New weights against the last ones: Elo %+.0f &plusmn; %.0f (95 %%, "
            "%lld games). <b>%s</b></p>\n",
            ratings[0].elo, ratings[0].error, (long long)ratings[0].games,
            accepted != 0 ? "They are accepted."
                          : "The test finds them weaker: they are rejected, the last ones stay.");
    }
    free(ratings);
    return put_standings(section, STAGE_GATE);
}

static bool put_match(const struct section *section)
{
    struct stage_key key = key_of(section, STAGE_MATCH);
    struct catalogue_rating *ratings;
    size_t count;

    if (!catalogue_ratings(section->catalogue, &key, &ratings, &count, section->err)) {
        return false;
    }
    if (count > 0) {
        fprintf(section->out,
                "<h3>Match</h3><p>Tuned against built-in weights: Elo %+.0f &plusmn; %.0f "
                "(95 %%, %lld games in pairs of one opening with colours swapped).</p>\n",
                ratings[0].elo, ratings[0].error, (long long)ratings[0].games);
    }
    free(ratings);
    return put_standings(section, STAGE_MATCH);
}

static bool put_calibrate(const struct section *section)
{
    struct stage_key key = key_of(section, STAGE_CALIBRATE);
    struct level_set levels;

    if (!catalogue_levels(section->catalogue, &key, &levels, section->err)) {
        return false;
    }
    fprintf(section->out,
            "<h3>Levels</h3><table><tr><th>level</th><th>Elo (%s)</th>"
            "<th>95 %%, against the mean</th><th>games</th><th>plays by</th></tr>\n",
            levels.model);
    for (int i = 0; i < levels.count; i++) {
        const struct level *level = &levels.level[i];
        char budget[LEVEL_BUDGET];
        level_budget(level, budget);
        fprintf(section->out,
                "<tr><td>%d %s</td><td>%.0f</td><td>&plusmn; %.0f</td><td>%lld</td><td>%s</td>"
                "</tr>\n",
                level->number, level->name, level->elo, level->elo_error, (long long)level->games,
                budget);
    }
    fputs("</table>\n", section->out);
    return (levels.count == 0 || plot_ladder(section, &levels)) &&
           put_standings(section, STAGE_CALIBRATE);
}

/* The stages of a section that are finished; *any tells whether the first was begun at all. */
static bool put_section(const struct section *section, bool *any)
{
    static bool (*const PUT[STAGES])(const struct section *) = {
        [STAGE_SELFPLAY] = put_selfplay, [STAGE_TUNE] = put_tune,           [STAGE_GATE] = put_gate,
        [STAGE_MATCH] = put_match,       [STAGE_CALIBRATE] = put_calibrate,
    };

    for (int stage = 0; stage < STAGES; stage++) {
        struct stage_key key = key_of(section, (enum stage)stage);
        enum stage_state state;
        if (!catalogue_stage_state(section->catalogue, &key, &state, section->err)) {
            return false;
        }
        if (stage == 0) {
            *any = state != STAGE_MISSING;
            if (*any) {
                fprintf(section->out, "<h2>%s, generation %d</h2>\n",
                        section->variant->rules->title, section->generation);
            }
        }
        if (state == STAGE_FINISHED && !PUT[stage](section)) {
            return false;
        }
        if (state == STAGE_BEGUN) {
            fprintf(section->out, "<p>Stage %s is not finished.</p>\n", key.stage);
            if (!put_standings(section, (enum stage)stage)) {
                return false;
            }
        }
    }
    return true;
}

/* The matches of players whom the user has named; *any: there are some. */
static bool put_contest(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                        bool *any, struct err *err)
{
    struct stage_key key = contest_key(variant);
    struct standings *standings;
    struct catalogue_match_row *rows;
    size_t count;

    if (!catalogue_matches(catalogue, &key, &rows, &count, err)) {
        return false;
    }
    free(rows);
    if (!standings_read(catalogue, variant, &key, &standings, err)) {
        return false;
    }
    *any = standings != NULL;
    if (standings) {
        fprintf(out, "<h2>%s, %s</h2>\n", variant->rules->title,
                standings->players == 2 ? "match" : "round robin");
        report_standings(out, standings);
        if (count > (size_t)standings->pairings) {
            fprintf(out, "<p>Matches with earlier settings: %zu, not shown.</p>\n",
                    count - (size_t)standings->pairings);
        }
    }
    free(standings);
    return true;
}

static bool put_report(FILE *out, const char *directory, struct catalogue *catalogue,
                       struct err *err)
{
    char now[CLOCK_STAMP];
    int sections = 0;

    clock_stamp(now);
    fputs(BEGIN, out);
    html_text(out, directory);
    fputs(HEAD, out);
    html_text(out, directory);
    fprintf(out, "</h1>\n<p>%s, written %s.</p>\n", version_line(), now);
    for (int i = 0; i < VARIANT_COUNT; i++) {
        bool any = true;
        for (int generation = 0; any; generation++) {
            struct section section = {out, directory, catalogue, variant_at(i), generation, err};
            if (!put_section(&section, &any)) {
                return false;
            }
            sections += any;
        }
        if (!put_contest(out, catalogue, variant_at(i), &any, err)) {
            return false;
        }
        sections += any;
    }
    if (sections == 0) {
        fputs("<p>Nothing to report yet: no stage of this run has begun.</p>\n", out);
    }
    fputs("</body></html>\n", out);
    return true;
}

bool report_write(const char *directory, char *path, struct err *err)
{
    char *text = NULL;
    size_t size = 0;

    if (!file_join(path, directory, "report.html", err)) {
        return false;
    }
    struct catalogue *catalogue = run_catalogue(directory, err);
    if (!catalogue) {
        return false;
    }
    FILE *out = open_memstream(&text, &size);
    bool ok = out ? put_report(out, directory, catalogue, err)
                  : err_set(err, ERR_FAILED, "out of memory for the report");
    if (out && fclose(out) != 0 && ok) {
        ok = err_set(err, ERR_FAILED, "out of memory for the report");
    }
    catalogue_close(catalogue);
    ok = ok && file_replace(path, text, size, err);
    free(text);
    return ok;
}
