/* What a running pipeline carries from stage to stage. */
#include "tuner/job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/artefact/artefact.h"
#include "engine/base/clock.h"
#include "engine/base/version.h"
#include "selfplay/store/lock.h"
#include "tuner/accepted.h"
#include "tuner/metrics.h"

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

/* Metrics that cannot be written are no reason to stop; it is said once. */
static void write_metrics(struct job *job)
{
    const struct metrics metrics = {.status = &job->status,
                                    .moment = (int64_t)time(NULL),
                                    .plies = job->plies,
                                    .nodes = job->nodes,
                                    .ranks = job->ranks};
    struct err err;

    if (!metrics_write(job->directory, &metrics, &err) && !job->metrics_failed) {
        job->metrics_failed = true;
        log_line(&job->log, LOG_WARNING, "%s", err.text);
    }
}

/* Writes status.json and metrics.prom. */
static bool write_status(struct job *job, struct err *err)
{
    job->status_written = clock_seconds();
    if (!run_write_status(job->directory, &job->status, err)) {
        return false;
    }
    write_metrics(job);
    return true;
}

/* The same in the midst of a stage, where a full disk is no reason to stop. */
static void try_status(struct job *job)
{
    struct err err;

    if (!write_status(job, &err)) {
        log_line(&job->log, LOG_WARNING, "%s", err.text);
    }
}

static void forget_ranks(struct job *job)
{
    free(job->ranks);
    job->ranks = NULL;
    job->status.ranks = 0;
    job->plies = 0;
    job->nodes = 0;
}

void job_close(struct job *job, const char *state, const char *reason)
{
    if (job->run.lock.held && lock_check(&job->run.lock, NULL)) {
        job->status.state = state;
        job->status.reason = reason;
        try_status(job);
    }
    forget_ranks(job);
    catalogue_close(job->catalogue);
    job->catalogue = NULL;
    run_close(&job->run);
}

bool job_begin_stage(struct job *job, const struct stage_key *key, const char *unit,
                     struct err *err)
{
    forget_ranks(job);
    job->status = (struct run_status){.state = "running",
                                      .rules = key->rules,
                                      .generation = key->generation,
                                      .stage = key->stage,
                                      .unit = unit};
    return write_status(job, err);
}

void job_progress(void *context, int64_t done, int64_t total, double rate)
{
    struct job *job = context;

    job->status.done = done;
    job->status.total = total;
    job->status.rate = rate;
    if (clock_seconds() - job->status_written >= 1) {
        try_status(job);
    }
}

/* What the least and the most busy rank have done. */
static void compare_ranks(struct run_status *status, const struct selfplay_standing *standing)
{
    double seconds = standing->seconds > 0 ? standing->seconds : 1, searched = 0;

    for (int i = 0; i < standing->ranks; i++) {
        const struct selfplay_rank *rank = &standing->rank[i];
        double busy = 100 * rank->busy_seconds / seconds;
        bool first = i == 0;
        status->games_least =
            first || rank->games < status->games_least ? rank->games : status->games_least;
        status->games_most =
            first || rank->games > status->games_most ? rank->games : status->games_most;
        status->busy_least = first || busy < status->busy_least ? busy : status->busy_least;
        status->busy_most = first || busy > status->busy_most ? busy : status->busy_most;
        searched += rank->search_seconds;
    }
    status->outside = 100 - 100 * searched / (seconds * standing->ranks);
}

void job_standing(struct job *job, const struct selfplay_standing *standing)
{
    size_t size = (size_t)standing->ranks * sizeof *job->ranks;

    if (job->ranks == NULL) {
        job->ranks = malloc(size);
    }
    if (job->ranks != NULL) {
        memcpy(job->ranks, standing->rank, size);
        job->status.ranks = standing->ranks;
        compare_ranks(&job->status, standing);
    }
    job->plies = standing->plies;
    job->nodes = standing->nodes;
    job_progress(job, standing->done, standing->total, standing->games_a_second);
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

bool job_accepted_generation(struct job *job, const struct variant *variant, int generation,
                             int *accepted, struct err *err)
{
    bool ok = job->comm.rank != 0 ||
              accepted_generation(job->catalogue, variant, generation, accepted, err);

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, accepted, sizeof *accepted);
    return true;
}

/* Collective: the weights that a run begins with. */
static bool first_weights(struct job *job, const struct variant *variant, struct weights *weights,
                          struct err *err)
{
    const char *given = job->settings.selfplay.weights;
    char path[FILE_PATH];

    if (given[0] == '\0') {
        weights_builtin(variant->rules, weights);
        return true;
    }
    return settings_path(given, variant, path, err) &&
           job_read_weights(job, variant, path, weights, err);
}

bool job_accepted_weights(struct job *job, const struct variant *variant, int generation,
                          struct weights *weights, struct err *err)
{
    int accepted = -1;

    if (!job_accepted_generation(job, variant, generation, &accepted, err)) {
        return false;
    }
    return accepted < 0 ? first_weights(job, variant, weights, err)
                        : job_tuned_weights(job, variant, accepted, weights, err);
}

bool job_playing_weights(struct job *job, const struct variant *variant, int generation,
                         struct weights *weights, struct err *err)
{
    return job_accepted_weights(job, variant, generation - 1, weights, err);
}
