/* Stage selfplay: games from the generation's weights, positions into shards. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "selfplay/selfplay.h"
#include "tuner/pipeline.h"
#include "tuner/selfplay_material.h"

/* What the shard callback needs. */
struct shards {
    struct job *job;
    const struct variant *variant;
    int generation;
};

static void progress(void *context, const struct selfplay_standing *standing)
{
    job_standing(((struct shards *)context)->job, standing);
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

/* Rank 0: the figures of a finished stage. */
static bool set_figures(struct job *job, const struct stage_key *key,
                        const struct selfplay_result *result, struct err *err)
{
    const struct game_store_result *data = &result->data;
    const struct census_figures *census = &result->census;
    const struct {
        const char *name;
        int64_t value;
    } figures[] = {
        {"games", data->games},
        {"positions", data->positions},
        {"plies", data->plies},
        {"white_wins", data->white_wins},
        {"draws", data->draws},
        {"black_wins", data->black_wins},
        {"repeated", census->repeated},
        {"resigned", census->adjudicated[ADJUDICATION_RESIGNED]},
        {"agreed_draws", census->adjudicated[ADJUDICATION_DRAWN]},
        {"control", census->control},
        {"control_plies", census->control_plies},
        {"spared_plies", census->spared_plies},
        {"judged_resigned", census->judged[ADJUDICATION_RESIGNED]},
        {"wrong_resigned", census->wrong[ADJUDICATION_RESIGNED]},
        {"judged_agreed", census->judged[ADJUDICATION_DRAWN]},
        {"wrong_agreed", census->wrong[ADJUDICATION_DRAWN]},
    };

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (!catalogue_set_figure(job->catalogue, key, figures[i].name, (double)figures[i].value,
                                  err)) {
            return false;
        }
    }
    return true;
}

/* Rank 0: what the playing took, stopped or not. */
static bool add_effort(struct job *job, const struct stage_key *key,
                       const struct selfplay_result *result, struct err *err)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"played", (double)result->played},
        {"searched_plies", (double)result->plies},
        {"searched_nodes", (double)result->nodes},
        {"rank_seconds", result->seconds * job->comm.size},
        {"busy_seconds", result->busy_seconds},
        {"search_seconds", result->search_seconds},
    };

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (!stage_add_figure(job->catalogue, key, figures[i].name, figures[i].value, err)) {
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
    struct err err;

    struct shard *file = run_shard_path(path, job->directory, shard->name, &err)
                             ? shard_open(path, variant, &info, &err)
                             : NULL;
    bool whole = file && shard_verify(file, &err);
    shard_close(file);
    if (!whole) {
        log_line(&job->log, LOG_WARNING, "%s", err.text);
        return false;
    }
    if (info.hash != shard->hash || info.rows != shard->rows) {
        log_line(&job->log, LOG_WARNING, "%s: not the shard that was written", path);
        return false;
    }
    return true;
}

/* Rank 0: imported shards cannot be made again from games of the run. */
static bool check_played(const struct job *job, const struct variant *variant, int generation,
                         int64_t damaged, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
    double imported;
    bool found;

    return catalogue_figure(job->catalogue, &key, "imported", &imported, &found, err) &&
           (!found || err_set(err, ERR_FAILED,
                              "%s: %" PRId64 " imported shards of %s are missing or damaged; "
                              "import their files again, into another run",
                              job->directory, damaged, key.rules));
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
    return *damaged == 0 || check_played(job, variant, generation, *damaged, err);
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
    struct shards shards = {job, variant, generation};
    struct selfplay_watch watch = {progress, add_shard, &shards};
    struct selfplay_material material;
    struct selfplay_result result;
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);

    bool played =
        selfplay_material_init(&material, job, variant, generation, err) &&
        selfplay_stage(&job->comm, job->stop, &job->log, job->directory, &material.settings,
                       &material.source, job->comm.rank == 0 ? &watch : NULL, &result, err);
    selfplay_material_fini(&material);
    if (!played) {
        return false;
    }
    *stopped = result.stopped;
    bool ok = job->comm.rank != 0 || (add_effort(job, &key, &result, err) &&
                                      (*stopped || set_figures(job, &key, &result, err)));
    return comm_agree(&job->comm, ok, err);
}
