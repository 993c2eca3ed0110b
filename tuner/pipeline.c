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
    [STAGE_SELFPLAY] = {stage_selfplay, "games"},   [STAGE_TUNE] = {stage_tune, "passes"},
    [STAGE_GATE] = {stage_gate, "pairs at most"},   [STAGE_MATCH] = {stage_match, "pairs"},
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

/* What has become of a visit to a stage. */
enum visit { VISIT_DONE, VISIT_WAITS, VISIT_STOPPED };

/* The stage that this one builds on; false: none. */
static bool needed_by(const struct settings *settings, const struct variant *variant,
                      int generation, enum stage stage, struct stage_key *needed)
{
    bool first = stage == STAGE_SELFPLAY;
    bool given = stage == STAGE_CALIBRATE && settings->calibrate.weights[0] != '\0';
    enum stage before = first ? STAGE_GATE : (enum stage)(stage - 1);

    if (before == STAGE_GATE && !settings_have_gate(settings)) {
        before = STAGE_TUNE;
    }
    *needed = stage_key_of(variant, first ? generation - 1 : generation, before);
    return !given && !(first && generation == 0);
}

/* Collective: whether the stage that this one builds on is unfinished; *err then says so. */
static bool check_needed(struct job *job, const struct variant *variant, int generation,
                         enum stage stage, bool *waits, struct err *lacking, struct err *err)
{
    struct stage_key needed;
    enum stage_state state = STAGE_MISSING;

    *waits = false;
    if (!needed_by(&job->settings, variant, generation, stage, &needed)) {
        return true;
    }
    if (!stage_state(job, &needed, &state, err)) {
        return false;
    }
    *waits = state != STAGE_FINISHED;
    if (*waits) {
        err_set(lacking, ERR_USAGE,
                "%s: stage %s of %s generation %d needs stage %s of generation %d, which is not "
                "finished",
                job->directory, stage_name(stage), variant->rules->name, generation, needed.stage,
                needed.generation);
    }
    return true;
}

/* Does a stage that is not finished and waits for nothing. */
static bool begin_visit(struct job *job, const struct variant *variant, int generation,
                        enum stage stage, enum visit *visit, struct err *err)
{
    bool stopped = false;
    bool ok =
        (stage != STAGE_TUNE || stage_selfplay_mend(job, variant, generation, &stopped, err)) &&
        (stopped || do_stage(job, variant, generation, stage, &stopped, err));

    *visit = stopped ? VISIT_STOPPED : VISIT_DONE;
    return ok;
}

/* Does the stage unless it is finished, or waits for another, which *lacking then names (NULL: it
 * is not asked what comes before). */
static bool visit_stage(struct job *job, const struct variant *variant, int generation,
                        enum stage stage, enum visit *visit, struct err *lacking, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, stage);
    enum stage_state state = STAGE_MISSING;
    bool waits = false;

    *visit = VISIT_DONE;
    if (!stage_state(job, &key, &state, err)) {
        return false;
    }
    if (state == STAGE_FINISHED) {
        log_line(&job->log, LOG_INFO, "%s %s generation %d: finished before", key.stage, key.rules,
                 generation);
        return true;
    }
    if (lacking && !check_needed(job, variant, generation, stage, &waits, lacking, err)) {
        return false;
    }
    if (waits) {
        *visit = VISIT_WAITS;
        return true;
    }
    return begin_visit(job, variant, generation, stage, visit, err);
}

bool pipeline_stage(struct job *job, const struct variant *variant, int generation,
                    enum stage stage, bool *stopped, struct err *err)
{
    enum visit visit;
    bool ok = visit_stage(job, variant, generation, stage, &visit, NULL, err);

    *stopped = ok && visit == VISIT_STOPPED;
    return ok;
}

/* Whether a stage is to be visited in this generation. */
static bool is_wanted(const struct job *job, const bool wanted[STAGES], int generation, int stage)
{
    bool last = generation == job->settings.run.generations - 1;

    return wanted[stage] && (stage != STAGE_CALIBRATE || last) &&
           (stage != STAGE_GATE || settings_have_gate(&job->settings));
}

/* *done: something of this generation is finished. */
static bool visit_generation(struct job *job, const struct variant *variant, int generation,
                             const bool wanted[STAGES], enum visit *visit, bool *done,
                             struct err *lacking, struct err *err)
{
    *visit = VISIT_DONE;
    *done = false;
    for (int stage = 0; stage < STAGES && *visit == VISIT_DONE; stage++) {
        if (!is_wanted(job, wanted, generation, stage)) {
            continue;
        }
        if (!visit_stage(job, variant, generation, (enum stage)stage, visit, lacking, err)) {
            return false;
        }
        *done = *done || *visit == VISIT_DONE;
    }
    bool show = *visit != VISIT_STOPPED && (*visit == VISIT_DONE || *done);
    bool ok = job->comm.rank != 0 || !show ||
              summary_write(stdout, job->catalogue, variant, generation, err);
    return comm_agree(&job->comm, ok, err);
}

/* A rule set's generations, up to one that waits. *done: something of them is finished. */
static bool visit_variant(struct job *job, const struct variant *variant, const bool wanted[STAGES],
                          enum visit *visit, bool *done, struct err *lacking, struct err *err)
{
    *visit = VISIT_DONE;
    *done = false;
    for (int generation = 0; generation < job->settings.run.generations && *visit == VISIT_DONE;
         generation++) {
        bool some;
        if (!visit_generation(job, variant, generation, wanted, visit, &some, lacking, err)) {
            return false;
        }
        *done = *done || some;
    }
    return true;
}

bool pipeline_run(struct job *job, const bool wanted[STAGES], bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);
    struct err lacking = {0};
    bool any = false;

    *stopped = false;
    for (int i = 0; i < count && !*stopped; i++) {
        enum visit visit;
        bool done;
        if (!visit_variant(job, variants[i], wanted, &visit, &done, &lacking, err)) {
            return false;
        }
        any = any || done;
        *stopped = visit == VISIT_STOPPED;
        if (visit == VISIT_WAITS && done) {
            log_line(&job->log, LOG_INFO, "%s", lacking.text);
        }
    }
    if (!any && lacking.code != ERR_NONE) {
        return err_set(err, ERR_USAGE, "%s", lacking.text);
    }
    return true;
}
