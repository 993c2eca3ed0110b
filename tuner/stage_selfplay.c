/* Stage selfplay: games from the generation's weights, positions into shards. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "selfplay/selfplay.h"
#include "tuner/pipeline.h"

/* What the shard callback needs. */
struct shards {
    struct job *job;
    const struct variant *variant;
    int generation;
};

static void progress(void *context, int64_t done, int64_t total, double rate)
{
    job_progress(((struct shards *)context)->job, done, total, rate);
}

static bool add_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    struct shards *shards = context;
    struct catalogue_shard row = {.first_game = entry->first_game,
                                  .games = entry->games,
                                  .rows = entry->info.rows,
                                  .hash = entry->info.hash};

    snprintf(row.name, sizeof row.name, "%s", entry->name);
    return catalogue_add_shard(shards->job->catalogue, shards->variant->rules->name,
                               shards->generation, &row, err);
}

struct selfplay_settings stage_selfplay_settings(const struct settings *settings, int generation)
{
    bool part = settings_are_of_part(settings);

    return (struct selfplay_settings){
        .seed = (uint64_t)settings->run.seed,
        .generation = generation,
        .first = settings->part.first,
        .end = part ? settings->part.end : settings->selfplay.games,
        .nodes = (uint64_t)settings->selfplay.nodes,
        .noise = (int)settings->selfplay.noise,
        .table_bits = (int)settings->selfplay.table_bits,
        .opening = {.plies = (int)settings->selfplay.opening_plies,
                    .bound = (int)settings->selfplay.opening_bound,
                    .nodes = (uint64_t)settings->selfplay.nodes},
        .shard_rows = part ? 0 : settings->selfplay.shard_rows,
        .sync_seconds = settings->selfplay.sync_seconds,
    };
}

/* Rank 0: the figures of a finished stage. */
static bool set_figures(struct job *job, const struct stage_key *key,
                        const struct selfplay_result *result, struct err *err)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"games", (double)result->data.games}, {"positions", (double)result->data.positions},
        {"plies", (double)result->data.plies}, {"white_wins", (double)result->data.white_wins},
        {"draws", (double)result->data.draws}, {"black_wins", (double)result->data.black_wins},
    };

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (!catalogue_set_figure(job->catalogue, key, figures[i].name, figures[i].value, err)) {
            return false;
        }
    }
    return true;
}

/* Rank 0: whether a shard is the one that the catalogue knows; else the log says why not. */
static bool stands(const struct job *job, const struct variant *variant,
                   const struct catalogue_shard *shard)
{
    char path[FILE_PATH];
    struct shard_info info;
    struct shard_row *rows;
    struct err err;

    if (!run_shard_path(path, job->directory, shard->name, &err) ||
        !shard_read(path, variant, &info, &rows, &err)) {
        log_line(&job->log, LOG_WARNING, "%s", err.text);
        return false;
    }
    free(rows);
    if (info.hash != shard->hash || info.rows != shard->rows) {
        log_line(&job->log, LOG_WARNING, "%s: not the shard that was written", path);
        return false;
    }
    return true;
}

/* Rank 0: *damaged counts the shards that are missing or damaged. */
static bool check_shards(const struct job *job, const struct variant *variant, int generation,
                         int64_t *damaged, struct err *err)
{
    struct catalogue_shard *shards;
    size_t count;

    if (!catalogue_shards(job->catalogue, variant->rules->name, generation, &shards, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        *damaged += !stands(job, variant, &shards[i]);
    }
    free(shards);
    return true;
}

bool stage_selfplay_mend(struct job *job, const struct variant *variant, int generation,
                         bool *stopped, struct err *err)
{
    int64_t damaged = 0;
    bool ok = job->comm.rank != 0 || check_shards(job, variant, generation, &damaged, err);

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, &damaged, sizeof damaged);
    if (damaged == 0) {
        return true;
    }
    log_line(&job->log, LOG_WARNING,
             "%" PRId64
             " shards of %s generation %d are made again; games that were lost with them "
             "are played again",
             damaged, variant->rules->name, generation);
    return stage_selfplay(job, variant, generation, stopped, err);
}

bool stage_selfplay(struct job *job, const struct variant *variant, int generation, bool *stopped,
                    struct err *err)
{
    struct selfplay_settings settings = stage_selfplay_settings(&job->settings, generation);
    struct shards shards = {job, variant, generation};
    struct selfplay_watch watch = {progress, add_shard, &shards};
    struct selfplay_result result;
    struct weights weights;
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);

    if (!job_playing_weights(job, variant, generation, &weights, err)) {
        return false;
    }
    bool played =
        selfplay_stage(&job->comm, job->stop, &job->log, job->directory, &settings, variant,
                       &weights, job->comm.rank == 0 ? &watch : NULL, &result, err);
    weights_fini(&weights);
    if (!played) {
        return false;
    }
    *stopped = result.stopped;
    bool ok = job->comm.rank != 0 || *stopped || set_figures(job, &key, &result, err);
    return comm_agree(&job->comm, ok, err);
}
