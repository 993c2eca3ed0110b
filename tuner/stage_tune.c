/* Stage tune: the generation's positions into weights, with their provenance. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/artefact/artefact.h"
#include "engine/base/clock.h"
#include "engine/base/version.h"
#include "selfplay/game/hash.h"
#include "tuner/fit/quality_rows.h"
#include "tuner/fit/tune.h"
#include "tuner/pipeline.h"
#include "tuner/rescored.h"

/* The shards of a generation, the same on every rank. */
struct generation {
    struct catalogue_shard *shards; /* [count]; owned */
    char (*paths)[FILE_PATH];       /* [count]; owned */
    size_t count;
    struct weights weights; /* that played them; owned */
    int origin;             /* the generation that first played these games */
};

/* All that is tuned on, of several generations. */
struct shard_list {
    struct generation *games; /* [generations]; owned */
    int generations;
    struct load_input *inputs; /* [count]: of all; owned */
    size_t count;
};

static void shard_list_fini(struct shard_list *list)
{
    for (int k = 0; list->games != NULL && k < list->generations; k++) {
        free(list->games[k].shards);
        free(list->games[k].paths);
        weights_fini(&list->games[k].weights);
    }
    free(list->games);
    free(list->inputs);
}

/* Collective: rank 0's rows of the catalogue to everybody. */
static bool broadcast_shards(struct job *job, const struct variant *variant, int generation,
                             struct generation *games, struct err *err)
{
    bool ok =
        job->comm.rank != 0 || catalogue_shards(job->catalogue, variant->rules->name, generation,
                                                &games->shards, &games->count, err);

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, &games->count, sizeof games->count);
    if (job->comm.rank != 0) {
        games->shards = calloc(games->count + 1, sizeof *games->shards);
    }
    games->paths = calloc(games->count + 1, sizeof *games->paths);
    ok = (games->shards || games->count == 0) && games->paths;
    if (!comm_agree(&job->comm,
                    ok || err_set(err, ERR_FAILED, "out of memory for %zu shards", games->count),
                    err)) {
        return false;
    }
    comm_broadcast(&job->comm, games->shards, games->count * sizeof *games->shards);
    return true;
}

/* Collective: a generation's shards and the weights that played their games. */
static bool list_games(struct job *job, const struct variant *variant, int generation,
                       struct generation *games, struct err *err)
{
    bool ok = broadcast_shards(job, variant, generation, games, err) &&
              job_playing_weights(job, variant, generation, &games->weights, err);
    for (size_t i = 0; ok && i < games->count; i++) {
        ok = run_shard_path(games->paths[i], job->directory, games->shards[i].name, err);
    }
    return comm_agree(&job->comm, ok, err);
}

/* Puts the shards of all generations into one list; false: out of memory. */
static bool join(struct shard_list *list)
{
    size_t n = 0;
    for (int k = 0; k < list->generations; k++) {
        list->count += list->games[k].count;
    }
    list->inputs = calloc(list->count + 1, sizeof *list->inputs);
    for (int k = 0; list->inputs != NULL && k < list->generations; k++) {
        const struct generation *games = &list->games[k];
        for (size_t i = 0; i < games->count; i++) {
            const struct catalogue_shard *shard = &games->shards[i];
            list->inputs[n++] =
                (struct load_input){games->paths[i], shard->rows, shard->hash, &games->weights};
        }
    }
    return list->inputs != NULL;
}

/* Collective: all shards of the newest `window` generations up to this one; of games that have been
 * searched again only the newest. */
static bool list_shards(struct job *job, const struct variant *variant, int generation,
                        int64_t window, struct shard_list *list, struct err *err)
{
    int first = generation + 1 > window ? (int)(generation + 1 - window) : 0;
    list->generations = generation + 1 - first;
    list->games = calloc((size_t)list->generations, sizeof *list->games);
    bool ok = list->games || err_set(err, ERR_FAILED, "out of memory for the shards");
    if (!comm_agree(&job->comm, ok, err) || list->games == NULL) {
        return false;
    }
    for (int k = list->generations - 1, newest = -1; ok && k >= 0; k--) {
        struct generation *games = &list->games[k];
        ok = rescored_origin(job, variant, first + k, &games->origin, err) &&
             (games->origin == newest || list_games(job, variant, first + k, games, err));
        newest = games->origin;
    }
    return ok &&
           comm_agree(&job->comm,
                      join(list) || err_set(err, ERR_FAILED, "out of memory for the shards"), err);
}

static struct provenance provenance_of(const struct job *job, const struct shard_list *list,
                                       const struct fit_result *result)
{
    const struct dataset_counts *totals = &result->totals;
    struct provenance provenance = {
        .games = totals->games[DATASET_TRAIN] + totals->games[DATASET_HELD_OUT],
        .positions = totals->positions[DATASET_TRAIN] + totals->positions[DATASET_HELD_OUT],
        .loss_before = result->loss_before[DATASET_HELD_OUT],
        .loss_after = result->loss_after[DATASET_HELD_OUT],
        .scale = result->scale,
    };
    uint64_t hash = HASH_START;
    char now[CLOCK_STAMP];

    for (size_t i = 0; i < list->count; i++) {
        hash = hash_mix(hash, list->inputs[i].hash);
    }
    clock_stamp(now);
    snprintf(provenance.dataset_hash, PROVENANCE_TEXT, "%016" PRIx64, hash);
    snprintf(provenance.configuration, PROVENANCE_TEXT, "%s", job->run.configuration);
    snprintf(provenance.software, PROVENANCE_TEXT, "%s", version_line());
    snprintf(provenance.date, PROVENANCE_TEXT, "%s", now);
    return provenance;
}

/* The loss curve and what is said of the fit's quality, in one transaction. */
static bool set_quality(struct job *job, const struct variant *variant, const struct stage_key *key,
                        const struct fit_result *result, struct err *err)
{
    struct catalogue_fit rows;
    struct catalogue_pass *passes = calloc((size_t)result->points + 1, sizeof *passes);

    if (!passes) {
        return err_set(err, ERR_FAILED, "out of memory for the loss curve");
    }
    for (int i = 0; i < result->points; i++) {
        passes[i] =
            (struct catalogue_pass){result->curve[i].pass, result->curve[i].loss[DATASET_TRAIN],
                                    result->curve[i].loss[DATASET_HELD_OUT]};
    }
    bool ok = quality_rows(variant, result, &rows, err);
    if (ok) {
        ok = catalogue_begin(job->catalogue, err) &&
             catalogue_set_curve(job->catalogue, key->rules, key->generation, passes,
                                 (size_t)result->points, err) &&
             catalogue_set_fit(job->catalogue, key->rules, key->generation, &rows, err) &&
             catalogue_commit(job->catalogue, err);
        catalogue_fit_free(&rows);
    }
    free(passes);
    return ok;
}

/* Rank 0: the weights into their file, the figures into the catalogue. */
static bool keep(struct job *job, const struct variant *variant, const struct stage_key *key,
                 const struct shard_list *list, const struct fit_result *result, struct err *err)
{
    struct artefact artefact;
    char path[FILE_PATH];

    artefact_builtin(variant, &artefact);
    artefact.weights = result->weights;
    artefact.provenance = provenance_of(job, list, result);
    const struct provenance *from = &artefact.provenance;
    return run_weights_path(path, job->directory, variant, key->generation, err) &&
           artefact_write(path, &artefact, err) && set_quality(job, variant, key, result, err) &&
           catalogue_set_figure(job->catalogue, key, "games", (double)from->games, err) &&
           catalogue_set_figure(job->catalogue, key, "positions", (double)from->positions, err) &&
           catalogue_set_figure(job->catalogue, key, "loss_before", from->loss_before, err) &&
           catalogue_set_figure(job->catalogue, key, "loss_after", from->loss_after, err) &&
           catalogue_set_figure(job->catalogue, key, "scale_before", result->scale_before, err) &&
           catalogue_set_figure(job->catalogue, key, "scale", from->scale, err);
}

static struct tune_settings settings_of(const struct settings *settings,
                                        const struct variant *variant)
{
    return (struct tune_settings){
        .filter = {.margin = (int)settings->tune.margin,
                   .holdout = (int)settings->tune.holdout,
                   .per_game = (int)settings->tune.per_game,
                   .scratch = settings->tune.scratch[0] != '\0' ? settings->tune.scratch : NULL,
                   .merge = settings->tune.merge != 0,
                   .share = settings->tune.score_share},
        .fit = {.windows = settings->tune.pattern_prior > 0
                               ? variant->pattern_sets[settings->tune.windows]
                               : NULL,
                .prior = settings->tune.prior,
                .pattern_prior = settings->tune.pattern_prior,
                .pattern_rare = settings->tune.pattern_rare,
                .pattern_least = (int)settings->tune.pattern_least,
                .tolerance = settings->tune.tolerance,
                .passes_max = (int)settings->tune.passes},
    };
}

/* The file of a fit under way: RUN/tune-RULES-gN.state. */
static bool checkpoint_path(const struct job *job, const struct variant *variant, int generation,
                            char path[FILE_PATH], struct err *err)
{
    char name[64];
    snprintf(name, sizeof name, "tune-%s-g%d.state", variant->rules->name, generation);
    return file_join(path, job->directory, name, err);
}

bool stage_tune(struct job *job, const struct variant *variant, int generation, bool *stopped,
                struct err *err)
{
    struct tune_settings settings = settings_of(&job->settings, variant);
    struct stage_key key = stage_key_of(variant, generation, STAGE_TUNE);
    struct shard_list list = {0};
    struct fit_result result = {0};
    char checkpoint[FILE_PATH];

    if (!checkpoint_path(job, variant, generation, checkpoint, err)) {
        return false;
    }
    settings.checkpoint = checkpoint;
    settings.checkpoint_seconds = job->settings.tune.checkpoint_seconds;
    bool ok = list_shards(job, variant, generation, job->settings.tune.window, &list, err) &&
              tune_stage(&job->comm, job->stop, &job->log, variant, &settings, list.inputs,
                         list.count, &result, stopped, err);
    if (ok && !*stopped) {
        ok = comm_agree(&job->comm,
                        job->comm.rank != 0 || keep(job, variant, &key, &list, &result, err), err);
    }
    if (ok && !*stopped && job->comm.rank == 0) {
        (void)remove(checkpoint); /* there is none, mostly; one that stays does no harm */
    }
    shard_list_fini(&list);
    weights_fini(&result.weights);
    return ok;
}
