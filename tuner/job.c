/* What a running pipeline carries from stage to stage. */
#include "tuner/job.h"

#include <stdlib.h>

#include "engine/artefact.h"
#include "engine/base/clock.h"
#include "engine/base/version.h"
#include "selfplay/lock.h"

static bool open_catalogue(struct job *job, struct err *err)
{
    char path[FILE_PATH], host[LOCK_HOST];

    lock_host(host);
    if (!run_catalogue_path(path, job->directory, err)) {
        return false;
    }
    job->catalogue = catalogue_open(path, err);
    return job->catalogue && catalogue_add_start(job->catalogue, version_line(), host,
                                                 job->run.configuration, job->comm.size, err);
}

static bool open_run(struct job *job, struct err *err)
{
    struct run_settings settings;

    if (!settings_begin(&job->settings, &settings, err)) {
        return false;
    }
    bool ok =
        run_open(&job->run, job->directory, &settings, &job->log, err) && open_catalogue(job, err);
    settings_end(&settings);
    return ok;
}

bool job_open(struct job *job, struct err *err)
{
    job->status = (struct run_status){.state = "running", .rules = "", .stage = "", .unit = ""};
    return comm_agree(&job->comm, job->comm.rank != 0 || open_run(job, err), err);
}

void job_close(struct job *job, const char *state, const char *reason)
{
    struct err err;

    if (job->run.lock.held && lock_check(&job->run.lock, NULL)) {
        job->status.state = state;
        job->status.reason = reason;
        if (!run_write_status(job->directory, &job->status, &err)) {
            log_line(&job->log, LOG_WARNING, "%s", err.text);
        }
    }
    catalogue_close(job->catalogue);
    job->catalogue = NULL;
    run_close(&job->run);
}

void job_progress(void *context, int64_t done, int64_t total, double rate)
{
    struct job *job = context;
    struct err err;

    job->status.done = done;
    job->status.total = total;
    job->status.rate = rate;
    if (clock_seconds() - job->status_written < 1) {
        return;
    }
    job->status_written = clock_seconds();
    if (!run_write_status(job->directory, &job->status, &err)) {
        log_line(&job->log, LOG_WARNING, "%s", err.text);
    }
}

static bool read_weights(const struct variant *variant, const char *path, struct weights *weights,
                         struct err *err)
{
    struct artefact artefact;

    if (!artefact_read(path, variant, &artefact, err)) {
        return false;
    }
    *weights = artefact.weights;
    return true;
}

bool job_share_weights(const struct job *job, const struct variant *variant,
                       struct weights *weights, struct err *err)
{
    const bool first = job->comm.rank == 0;
    struct pattern_table *mine = first ? weights->patterns : NULL;
    int set = PATTERN_SETS; /* no patterns */

    for (int i = 0; mine != NULL && i < PATTERN_SETS; i++) {
        set = variant->pattern_sets[i] == mine->set ? i : set;
    }
    comm_broadcast(&job->comm, &set, sizeof set);
    if (set < PATTERN_SETS && !first) {
        mine = pattern_table_create(variant->rules, variant->pattern_sets[set]);
    }
    bool ok = set == PATTERN_SETS || mine != NULL ||
              err_set(err, ERR_FAILED, "out of memory for the weights of patterns");
    if (!comm_agree(&job->comm, ok, err)) {
        free(first ? NULL : mine);
        return false;
    }
    comm_broadcast(&job->comm, weights, sizeof *weights);
    weights->patterns = mine;
    if (mine != NULL) {
        comm_broadcast(&job->comm, mine->weight, (size_t)mine->count * sizeof *mine->weight);
    }
    return true;
}

bool job_read_weights(const struct job *job, const struct variant *variant, const char *path,
                      struct weights *weights, struct err *err)
{
    bool ok = job->comm.rank != 0 || read_weights(variant, path, weights, err);

    return comm_agree(&job->comm, ok, err) && job_share_weights(job, variant, weights, err);
}

bool job_tuned_weights(struct job *job, const struct variant *variant, int generation,
                       struct weights *weights, struct err *err)
{
    char path[FILE_PATH];

    return run_weights_path(path, job->directory, variant, generation, err) &&
           job_read_weights(job, variant, path, weights, err);
}

bool job_playing_weights(struct job *job, const struct variant *variant, int generation,
                         struct weights *weights, struct err *err)
{
    if (generation == 0) {
        weights_builtin(variant->rules, weights);
        return true;
    }
    return job_tuned_weights(job, variant, generation - 1, weights, err);
}
