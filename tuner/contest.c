/* A match of two players whom the user names. */
#include "tuner/contest.h"

#include <stdlib.h>

#include "engine/artefact.h"
#include "selfplay/match.h"
#include "tuner/contest_text.h"
#include "tuner/match_openings.h"

/* Of the catalogue's rows. */
static const char CONTEST_STAGE[] = "players";

enum { BALANCE_NODES = 2000 }; /* of the search that judges an opening */

/* What a player takes from its RULES.h5. */
struct loaded {
    struct weights weights;
    struct level level;
};

/* Rank 0. */
static bool load(const struct player_settings *player, const struct variant *variant,
                 struct loaded *out, struct err *err)
{
    struct artefact artefact;

    *out = (struct loaded){0};
    weights_builtin(variant->rules, &out->weights);
    if (player->kind == PLAYER_EXTERNAL || player->weights[0] == '\0') {
        return true;
    }
    if (!artefact_read(player->weights, variant, &artefact, err)) {
        return err_prefix(err, "player '%s'", player->name);
    }
    out->weights = artefact.weights;
    if (player->kind == PLAYER_LEVEL) {
        if (artefact.levels.count < player->level) {
            return err_set(err, ERR_USAGE, "player '%s': %s has no measured levels", player->name,
                           player->weights);
        }
        out->level = artefact.levels.level[player->level - 1];
    }
    return true;
}

static struct match_player player_of(const struct player_settings *player,
                                     const struct loaded *loaded)
{
    static const enum match_kind KINDS[] = {[PLAYER_SEARCH] = MATCH_SEARCH,
                                            [PLAYER_LEVEL] = MATCH_LEVEL,
                                            [PLAYER_EXTERNAL] = MATCH_ENGINE};

    return (struct match_player){
        .name = player->name,
        .kind = KINDS[player->kind],
        .level = loaded->level,
        .weights = &loaded->weights,
        .limits = {.nodes = (uint64_t)player->nodes,
                   .depth = (int)player->depth,
                   .seconds = player->time},
        .table_bits = (int)player->table_bits,
        .engine = {.command = player->command,
                   .parameters = player->parameters,
                   .limits = {.nodes = (uint64_t)player->nodes,
                              .depth = (int)player->depth,
                              .seconds = player->time},
                   .margin = player->margin,
                   .start_seconds = player->start,
                   .flood_bytes = HUB_CLIENT_FLOOD},
    };
}

/* Rank 0: the results so far. */
static bool print(struct job *job, const struct match_pool *pool, struct err *err)
{
    struct match_results results;
    struct match_effort effort[2];
    int64_t id;

    if (!match_results(job->catalogue, pool, 0, &results, err) ||
        !match_id(job->catalogue, pool, 0, &id, err) ||
        !match_efforts(job->catalogue, pool->variant, id, results.limit, effort, err)) {
        return false;
    }
    const struct contest_heading heading = {.title = pool->variant->rules->title,
                                            .first = pool->player[0].name,
                                            .second = pool->player[1].name,
                                            .test = pool->sprt};
    contest_write(stdout, &heading, &results, effort);
    return fflush(stdout) == 0 ||
           err_set(err, ERR_FAILED, "cannot write the results: disk full or pipe closed");
}

static bool play(struct job *job, const struct match_pool *pool, bool *stopped, struct err *err)
{
    const struct match_watch watch = {job_progress, job};

    job->status = (struct run_status){.state = "running",
                                      .rules = pool->variant->rules->name,
                                      .stage = pool->stage,
                                      .unit = "pairs"};
    if (!match_play(&job->comm, job->stop, &job->log, job->catalogue, pool, &watch, stopped, err)) {
        return false;
    }
    return comm_agree(&job->comm, job->comm.rank != 0 || print(job, pool, err), err);
}

static bool play_rules(struct job *job, const struct variant *variant, bool *stopped,
                       struct err *err)
{
    const struct settings *settings = &job->settings;
    struct loaded loaded[2];
    struct sprt test;

    bool ok = job->comm.rank != 0 || (load(&settings->player_one, variant, &loaded[0], err) &&
                                      load(&settings->player_two, variant, &loaded[1], err));
    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, loaded, sizeof loaded);
    struct opening_file file;
    if (!match_openings(job, variant, opening_stream(variant, OPENING_MATCH, 0, 0), &file, err)) {
        return false;
    }
    const struct match_player players[] = {player_of(&settings->player_one, &loaded[0]),
                                           player_of(&settings->player_two, &loaded[1])};
    int bound = (int)settings->match.opening_bound;
    const struct match_pool pool = {
        .variant = variant,
        .stage = CONTEST_STAGE,
        .use = OPENING_MATCH,
        .seed = (uint64_t)settings->run.seed,
        .opening = {.plies = (int)settings->match.opening_plies,
                    .bound = bound,
                    .nodes = bound > 0 ? BALANCE_NODES : 0},
        .file = file.count > 0 ? &file : NULL,
        .pairs = settings->match.pairs,
        .sprt = settings_test(settings, &test) ? &test : NULL,
        .players = 2,
        .player = players,
    };
    ok = play(job, &pool, stopped, err);
    opening_file_fini(&file);
    return ok;
}

/* Everything that was played, whatever limit or test it was played for. */
static bool status_of(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                      const struct catalogue_match_row *row, struct err *err)
{
    const struct contest_heading heading = {
        .title = variant->rules->title, .first = row->first, .second = row->second};
    struct catalogue_pair *pairs;
    struct match_results results;
    struct match_effort effort[2];
    size_t count;

    if (!catalogue_pairs(catalogue, row->id, &pairs, &count, err)) {
        return false;
    }
    bool ok = match_count(pairs, count, INT64_MAX, NULL, &results, err) &&
              match_efforts(catalogue, variant, row->id, results.limit, effort, err);
    free(pairs);
    if (ok) {
        contest_write(out, &heading, &results, effort);
    }
    return ok;
}

bool contest_status(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                    struct err *err)
{
    const struct stage_key key = {.rules = variant->rules->name, .stage = CONTEST_STAGE};
    struct catalogue_match_row *rows;
    size_t count;

    if (!catalogue_matches(catalogue, &key, &rows, &count, err)) {
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = status_of(out, catalogue, variant, &rows[i], err);
    }
    free(rows);
    return ok;
}

bool contest_run(struct job *job, bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);

    *stopped = false;
    for (int i = 0; i < count && !*stopped; i++) {
        if (!play_rules(job, variants[i], stopped, err)) {
            return false;
        }
    }
    return true;
}
