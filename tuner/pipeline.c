/* The stages of a run and their order. */
#include "tuner/pipeline.h"

#include <stdio.h>

#include "engine/base/clock.h"
#include "tuner/summary.h"

typedef bool stage_function(struct job *job, const struct variant *variant, int generation,
                            bool *stopped, struct err *err);

static const struct {
    stage_function *run;
    const char *unit; /* of its progress */
} STAGE[STAGES] = {
    [STAGE_SELFPLAY] = {stage_selfplay, "games"},
    [STAGE_TUNE] = {stage_tune, "passes"},
    [STAGE_MATCH] = {stage_match, "pairs"},
    [STAGE_CALIBRATE] = {stage_calibrate, "pairs"},
};

/* Collective: the state of a stage as rank 0's catalogue has it. */
static bool stage_state(struct job *job, const struct stage_key *key, enum stage_state *state,
                        struct err *err)
{
    bool ok = job->comm.rank != 0 || catalogue_stage_state(job->catalogue, key, state, err);

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, state, sizeof *state);
    return true;
}

static bool begin_stage(struct job *job, const struct stage_key *key, enum stage stage,
                        struct err *err)
{
    if (job->comm.rank != 0) {
        return true;
    }
    return catalogue_stage_begin(job->catalogue, key, err) &&
           job_begin_stage(job, key, STAGE[stage].unit, err);
}

static bool end_stage(struct job *job, const struct stage_key *key, double seconds, bool stopped,
                      struct err *err)
{
    if (job->comm.rank != 0) {
        return true;
    }
    return stage_add_figure(job->catalogue, key, "seconds", seconds, err) &&
           (stopped || catalogue_stage_finish(job->catalogue, key, err));
}

static bool do_stage(struct job *job, const struct variant *variant, int generation,
                     enum stage stage, bool *stopped, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, stage);
    double started = clock_seconds();

    if (!comm_agree(&job->comm, begin_stage(job, &key, stage, err), err)) {
        return false;
    }
    if (!STAGE[stage].run(job, variant, generation, stopped, err)) {
        return false;
    }
    return comm_agree(&job->comm, end_stage(job, &key, clock_seconds() - started, *stopped, err),
                      err);
}

/* Collective: whether the stage that this one builds on is finished. */
static bool check_needed(struct job *job, const struct variant *variant, int generation,
                         enum stage stage, struct err *err)
{
    bool first = stage == STAGE_SELFPLAY;
    struct stage_key needed = stage_key_of(variant, first ? generation - 1 : generation,
                                           first ? STAGE_TUNE : (enum stage)(stage - 1));
    enum stage_state state = STAGE_MISSING;

    bool given = stage == STAGE_CALIBRATE && job->settings.calibrate.weights[0] != '\0';

    if ((first && generation == 0) || given) {
        return true;
    }
    if (!stage_state(job, &needed, &state, err)) {
        return false;
    }
    return state == STAGE_FINISHED ||
           err_set(err, ERR_USAGE,
                   "%s: stage %s of %s generation %d needs stage %s, which is not finished",
                   job->directory, stage_name(stage), variant->rules->name, generation,
                   needed.stage);
}

/* Does the stage unless it is finished, and when `checked` not before the one it builds on. */
static bool visit_stage(struct job *job, const struct variant *variant, int generation,
                        enum stage stage, bool checked, bool *stopped, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, stage);
    enum stage_state state = STAGE_MISSING;

    if (!stage_state(job, &key, &state, err)) {
        return false;
    }
    if (state == STAGE_FINISHED) {
        log_line(&job->log, LOG_INFO, "%s %s generation %d: finished before", key.stage, key.rules,
                 generation);
        return true;
    }
    if ((checked && !check_needed(job, variant, generation, stage, err)) ||
        (stage == STAGE_TUNE && !stage_selfplay_mend(job, variant, generation, stopped, err))) {
        return false;
    }
    return *stopped || do_stage(job, variant, generation, stage, stopped, err);
}

bool pipeline_stage(struct job *job, const struct variant *variant, int generation,
                    enum stage stage, bool *stopped, struct err *err)
{
    *stopped = false;
    return visit_stage(job, variant, generation, stage, false, stopped, err);
}

static bool visit_generation(struct job *job, const struct variant *variant, int generation,
                             const bool wanted[STAGES], bool *stopped, struct err *err)
{
    bool last = generation == job->settings.run.generations - 1;

    for (int stage = 0; stage < STAGES && !*stopped; stage++) {
        if (wanted[stage] && (stage != STAGE_CALIBRATE || last) &&
            !visit_stage(job, variant, generation, (enum stage)stage, true, stopped, err)) {
            return false;
        }
    }
    bool ok = job->comm.rank != 0 || *stopped ||
              summary_write(stdout, job->catalogue, variant, generation, err);
    return comm_agree(&job->comm, ok, err);
}

bool pipeline_run(struct job *job, const bool wanted[STAGES], bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);

    *stopped = false;
    for (int i = 0; i < count; i++) {
        for (int generation = 0; generation < job->settings.run.generations; generation++) {
            if (!visit_generation(job, variants[i], generation, wanted, stopped, err)) {
                return false;
            }
            if (*stopped) {
                return true;
            }
        }
    }
    return true;
}
