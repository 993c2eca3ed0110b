/* The results of a rule set and generation as lines for people. */
#include "tuner/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "tuner/report/crosstable.h"
#include "tuner/stage.h"

/* What the lines are made from. */
struct source {
    FILE *out;
    struct catalogue *catalogue;
    const struct variant *variant;
    struct stage_key key;
    struct err *err;
    bool ok;
};

/* Whether there is a figure; 0 in *value when not. A failure is kept in source->ok. */
static bool find_figure(struct source *source, const char *name, double *value)
{
    bool found = false;

    *value = 0;
    source->ok = source->ok && catalogue_figure(source->catalogue, &source->key, name, value,
                                                &found, source->err);
    return found;
}

/* A figure, 0 when it is missing. */
static double figure(struct source *source, const char *name)
{
    double value;

    (void)find_figure(source, name, &value);
    return value;
}

/* How games were ended by their scores, and what the control games say of it. */
static void write_adjudication(struct source *source)
{
    double resigned = figure(source, "resigned"), agreed = figure(source, "agreed_draws");
    double judged[] = {figure(source, "judged_resigned"), figure(source, "judged_agreed")};
    double wrong[] = {figure(source, "wrong_resigned"), figure(source, "wrong_agreed")};
    double control = figure(source, "control"), plies = figure(source, "control_plies");
    double spared = figure(source, "spared_plies");

    if (resigned + agreed + control == 0) {
        return;
    }
    fprintf(source->out, "\n    adjudicated: %.0f resigned, %.0f agreed draws", resigned, agreed);
    fprintf(source->out,
            "\n    control games: %.0f; resigning wrong in %.0f of %.0f, drawing in %.0f of %.0f; "
            "%.1f %% of their half-moves would have been spared",
            control, wrong[0], judged[0], wrong[1], judged[1],
            100 * spared / (plies > 0 ? plies : 1));
}

static void write_selfplay(struct source *source)
{
    double games = figure(source, "games"), positions = figure(source, "positions");
    double white = figure(source, "white_wins"), draws = figure(source, "draws");
    double repeated = figure(source, "repeated"), share = 100 / (games > 0 ? games : 1);
    double from;
    bool again = find_figure(source, "rescored_from", &from);

    fprintf(source->out,
            "%.0f games%s, %.0f positions (White won %.0f %%, drawn %.0f %%, repeated %.2f %%)",
            games, again ? " searched again" : "", positions, white * share, draws * share,
            repeated * share);
    write_adjudication(source);
}

/* What the games took; nothing when they were played elsewhere. */
static void write_effort(struct source *source)
{
    double seconds = figure(source, "rank_seconds");

    if (seconds > 0) {
        fprintf(source->out,
                "; %.1f games/s and %.0f positions/s a rank, %.1f %% of the time outside the "
                "search",
                figure(source, "played") / seconds, figure(source, "searched_plies") / seconds,
                100 - 100 * figure(source, "search_seconds") / seconds);
    }
}

static void write_tune(struct source *source)
{
    double before = figure(source, "loss_before"), after = figure(source, "loss_after");
    double scale = figure(source, "scale"), positions = figure(source, "positions");

    fprintf(source->out, "loss %.5f -> %.5f on held-out games, K %.3f, %.0f positions", before,
            after, scale, positions);
}

/* The table of the stage's players, as far as it has noted any. */
static void write_table(struct source *source)
{
    struct standings *standings = NULL;

    source->ok = source->ok && standings_read(source->catalogue, source->variant, &source->key,
                                              &standings, source->err);
    if (standings) {
        fprintf(source->out, "\n");
        crosstable_write(source->out, standings);
    }
    free(standings);
}

static void write_gate(struct source *source)
{
    struct catalogue_rating *ratings = NULL;
    size_t count = 0;

    source->ok = source->ok &&
                 catalogue_ratings(source->catalogue, &source->key, &ratings, &count, source->err);
    if (count > 0) {
        fprintf(source->out, "new against last: Elo %+.0f +- %.0f (95 %%, %lld games), %s",
                ratings[0].elo, ratings[0].error, (long long)ratings[0].games,
                figure(source, "accepted") != 0 ? "accepted" : "rejected: the last ones stay");
    }
    free(ratings);
}

static void write_match(struct source *source)
{
    struct catalogue_rating *ratings = NULL;
    size_t count = 0;

    source->ok = source->ok &&
                 catalogue_ratings(source->catalogue, &source->key, &ratings, &count, source->err);
    if (count > 0) {
        fprintf(source->out, "tuned against built-in: Elo %+.0f +- %.0f (95 %%, %lld games)",
                ratings[0].elo, ratings[0].error, (long long)ratings[0].games);
    }
    free(ratings);
    write_table(source);
}

static void write_calibrate(struct source *source)
{
    struct level_set levels = {0};

    source->ok =
        source->ok && catalogue_levels(source->catalogue, &source->key, &levels, source->err);
    fprintf(source->out, "six levels, %s Elo over Beginner, +- 95 %% against their mean",
            levels.model);
    for (int i = 0; i < levels.count; i++) {
        const struct level *level = &levels.level[i];
        char budget[LEVEL_BUDGET];
        level_budget(level, budget);
        fprintf(source->out, "\n    %d %-8s  Elo %5.0f +- %3.0f  (%lld games, plays by %s)",
                level->number, level->name, level->elo, level->elo_error, (long long)level->games,
                budget);
    }
    write_table(source);
}

static void write_stage(struct source *source, enum stage stage)
{
    static void (*const WRITE[STAGES])(struct source *) = {
        [STAGE_SELFPLAY] = write_selfplay,   [STAGE_TUNE] = write_tune,
        [STAGE_GATE] = write_gate,           [STAGE_MATCH] = write_match,
        [STAGE_CALIBRATE] = write_calibrate,
    };
    enum stage_state state = STAGE_MISSING;

    source->key.stage = stage_name(stage);
    source->ok =
        source->ok && catalogue_stage_state(source->catalogue, &source->key, &state, source->err);
    if (!source->ok || state == STAGE_MISSING) {
        return;
    }
    fprintf(source->out, "  %-9s ", source->key.stage);
    if (state == STAGE_BEGUN) {
        fprintf(source->out, "begun, not finished\n");
        return;
    }
    WRITE[stage](source);
    char duration[32];
    clock_duration(figure(source, "seconds"), duration, sizeof duration);
    fprintf(source->out, "%s[%s", stage >= STAGE_MATCH ? "    " : "  ", duration);
    if (stage == STAGE_SELFPLAY) {
        write_effort(source);
    }
    fputs("]\n", source->out);
}

bool summary_write(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                   int generation, struct err *err)
{
    struct source source = {.out = out,
                            .catalogue = catalogue,
                            .variant = variant,
                            .key = {.rules = variant->rules->name, .generation = generation},
                            .err = err,
                            .ok = true};

    fprintf(out, "%s, generation %d\n", variant->rules->title, generation);
    for (int stage = 0; stage < STAGES; stage++) {
        write_stage(&source, (enum stage)stage);
    }
    errno = 0;
    if (source.ok && (fflush(out) != 0 || ferror(out))) {
        return err_set(err, ERR_FAILED, "cannot write the results: %s",
                       errno != 0 ? strerror(errno) : "an earlier write failed");
    }
    return source.ok;
}
