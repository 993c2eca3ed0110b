/* Stage selfplay: games from the generation's weights, positions into shards. */
#include <stdio.h>

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
                                  .hash = entry->hash};

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

bool stage_selfplay(struct job *job, const struct variant *variant, int generation, bool *stopped,
                    struct err *err)
{
    struct selfplay_settings settings = stage_selfplay_settings(&job->settings, generation);
    struct shards shards = {job, variant, generation};
    struct selfplay_watch watch = {progress, add_shard, &shards};
    struct selfplay_result result;
    struct weights weights;
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);

    if (!job_playing_weights(job, variant, generation, &weights, err) ||
        !selfplay_stage(&job->comm, job->stop, &job->log, job->directory, &settings, variant,
                        &weights, job->comm.rank == 0 ? &watch : NULL, &result, err)) {
        return false;
    }
    *stopped = result.stopped;
    bool ok = job->comm.rank != 0 || *stopped || set_figures(job, &key, &result, err);
    return comm_agree(&job->comm, ok, err);
}
