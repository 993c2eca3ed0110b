/* A match or round robin of players whom the user names. */
#include "tuner/contest.h"

#include <stdlib.h>

#include "engine/artefact/artefact.h"
#include "engine/base/streams.h"
#include "selfplay/match/match.h"
#include "tuner/match_openings.h"
#include "tuner/pool_play.h"
#include "tuner/report/contest_text.h"

/* Of the catalogue's rows. */
static const char CONTEST_STAGE[] = "players";

/* What a player takes from its RULES.h5. */
struct loaded {
    struct weights weights;
    struct level level;
};

/* Rank 0. */
static bool load(const struct player_settings *player, const struct variant *variant,
                 struct loaded *out, struct err *err)
{
    const char *name = settings_player_name(player);
    struct artefact artefact;
    char path[FILE_PATH];

    *out = (struct loaded){0};
    weights_builtin(variant->rules, &out->weights);
    if (player->kind == PLAYER_EXTERNAL || player->weights[0] == '\0') {
        return true;
    }
    if (!settings_path(player->weights, variant, path, err) ||
        !artefact_read(path, variant, &artefact, err)) {
        return err_prefix(err, "player '%s'", name);
    }
    out->weights = artefact.weights;
    if (player->kind == PLAYER_LEVEL) {
        if (artefact.levels.count < player->level) {
            return err_set(err, ERR_USAGE, "player '%s': %s has no measured levels", name, path);
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
        .name = settings_player_name(player),
        .kind = KINDS[player->kind],
        .level = loaded->level,
        .weights = &loaded->weights,
        .limits = {.nodes = (uint64_t)player->nodes,
                   .depth = (int)player->depth,
                   .seconds = player->time},
        .table_bits = (int)player->table_bits,
        .threads = (int)player->threads,
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

struct stage_key contest_key(const struct variant *variant)
{
    return (struct stage_key){.rules = variant->rules->name, .stage = CONTEST_STAGE};
}

/* Rank 0: the results so far. */
static bool print(struct job *job, const struct match_pool *pool, struct err *err)
{
    struct stage_key key = contest_key(pool->variant);
    struct standings *standings;

    if (!standings_read(job->catalogue, pool->variant, &key, &standings, err)) {
        return false;
    }
    contest_write(stdout, standings, "");
    free(standings);
    return output_flush(err);
}

/* Collective. */
static bool play(struct job *job, const struct match_pool *pool, bool *stopped, struct err *err)
{
    const struct stage_key key = {pool->variant->rules->name, pool->generation, pool->stage};
    const char *unit = pool->sprt ? "pairs at most" : "pairs";
    bool begun = job->comm.rank != 0 || job_begin_stage(job, &key, unit, err);

    if (!comm_agree(&job->comm, begun, err)) {
        return false;
    }
    if (!pool_play(job, pool, settings_anchor(&job->settings), job->settings.match.anchor_elo,
                   stopped, err)) {
        return false;
    }
    return comm_agree(&job->comm, job->comm.rank != 0 || print(job, pool, err), err);
}

/* Collective: the players, and in loaded[] what they hold on to. */
static bool load_players(struct job *job, const struct variant *variant, struct loaded loaded[],
                         struct match_player players[], struct err *err)
{
    int count = settings_players(&job->settings);
    bool ok = true;

    for (int i = 0; job->comm.rank == 0 && ok && i < count; i++) {
        ok = load(&job->settings.player[i], variant, &loaded[i], err);
    }
    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        comm_broadcast(&job->comm, &loaded[i].level, sizeof loaded[i].level);
        if (!job_share_weights(job, variant, &loaded[i].weights, err)) {
            return false;
        }
        players[i] = player_of(&job->settings.player[i], &loaded[i]);
    }
    return true;
}

static bool play_rules(struct job *job, const struct variant *variant, struct loaded loaded[],
                       bool *stopped, struct err *err)
{
    const struct settings *settings = &job->settings;
    const struct openings_setting setting = {"match.openings", settings->match.openings};
    struct match_player players[MATCH_PLAYERS_MAX];
    struct opening_file file;
    struct sprt test;

    if (!load_players(job, variant, loaded, players, err) ||
        !match_openings(job, variant, &setting, opening_stream(variant, OPENING_MATCH, 0, 0), &file,
                        err)) {
        return false;
    }
    const struct match_pool pool = {
        .variant = variant,
        .stage = CONTEST_STAGE,
        .use = OPENING_MATCH,
        .seed = (uint64_t)settings->run.seed,
        .opening = match_openings_random(settings),
        .file = file.count > 0 ? &file : NULL,
        .pairs = settings->match.pairs,
        .ends = settings_ends(&settings->match.ends),
        .sprt = settings_test(settings, &test) ? &test : NULL,
        .players = settings_players(settings),
        .player = players,
    };
    match_openings_warn(job, &pool, &setting);
    bool ok = play(job, &pool, stopped, err);
    opening_file_fini(&file);
    return ok;
}

bool contest_run(struct job *job, bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);
    struct loaded *loaded = calloc(MATCH_PLAYERS_MAX, sizeof *loaded);
    bool ok = loaded || err_set(err, ERR_FAILED, "out of memory for the players' weights");

    *stopped = false;
    ok = comm_agree(&job->comm, ok, err) && loaded;
    for (int i = 0; ok && i < count && !*stopped; i++) {
        ok = play_rules(job, variants[i], loaded, stopped, err);
        for (int k = 0; k < MATCH_PLAYERS_MAX; k++) {
            weights_fini(&loaded[k].weights);
        }
    }
    free(loaded);
    return ok;
}

/* --- status ------------------------------------------------------------------------------------*/

static bool is_among(const struct standings *standings, int64_t match)
{
    for (int i = 0; standings && i < standings->pairings; i++) {
        if (standings->pairing[i].match == match) {
            return true;
        }
    }
    return false;
}

/* The matches that are not in the standings (NULL: all). */
static bool write_earlier(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                          const struct standings *standings, struct err *err)
{
    struct stage_key key = contest_key(variant);
    struct catalogue_match_row *rows;
    size_t count;

    if (!catalogue_matches(catalogue, &key, &rows, &count, err)) {
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (is_among(standings, rows[i].id)) {
            continue;
        }
        struct standings *match = standings_of_match(catalogue, variant, &rows[i], err);
        ok = match != NULL;
        if (ok) {
            contest_write(out, match, ", earlier settings");
        }
        free(match);
    }
    free(rows);
    return ok;
}

bool contest_status(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                    struct err *err)
{
    struct stage_key key = contest_key(variant);
    struct standings *standings;

    if (!standings_read(catalogue, variant, &key, &standings, err)) {
        return false;
    }
    if (standings) {
        contest_write(out, standings, "");
    }
    bool ok = write_earlier(out, catalogue, variant, standings, err);
    free(standings);
    return ok;
}
