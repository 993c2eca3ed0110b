/* The command rescore: which generation it makes, and what the catalogue says of it. */
#include "tuner/rescoring.h"

#include <stdio.h>

#include "tuner/pipeline.h"
#include "tuner/rescored.h"
#include "tuner/summary.h"

static bool is_finished(struct catalogue *catalogue, const struct variant *variant, int generation,
                        enum stage stage, bool *finished, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, stage);
    enum stage_state state;
    bool ok = catalogue_stage_state(catalogue, &key, &state, err);

    *finished = ok && state == STAGE_FINISHED;
    return ok;
}

/* Rank 0: the first generation without finished self-play; 0 when none is there. */
static bool find_next(struct job *job, const struct variant *variant, int *next, struct err *err)
{
    bool finished = true;

    for (*next = 0;; ++*next) {
        if (!is_finished(job->catalogue, variant, *next, STAGE_SELFPLAY, &finished, err)) {
            return false;
        }
        if (!finished) {
            return true;
        }
    }
}

/* Rank 0: whether the generation can be made of the games of the one before, and if so notes that
 * it is. *ready is false, and *lacking says why, when that is not tuned yet. */
static bool mark(struct job *job, const struct variant *variant, int generation, bool *ready,
                 struct err *lacking, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
    enum stage last = settings_have_gate(&job->settings) ? STAGE_GATE : STAGE_TUNE;
    enum stage_state state;
    int origin;

    *ready = false;
    if (generation > 0 && !is_finished(job->catalogue, variant, generation - 1, last, ready, err)) {
        return false;
    }
    if (!*ready) {
        err_set(lacking, ERR_USAGE,
                "%s: nothing of %s can be searched again: stage %s of "
                "generation %d is not finished",
                job->directory, key.rules, stage_name(last), generation > 0 ? generation - 1 : 0);
        return true;
    }
    if (generation >= job->settings.run.generations) {
        return err_set(err, ERR_USAGE,
                       "run.generations: %lld leaves no room for generation %d of %s",
                       (long long)job->settings.run.generations, generation, key.rules);
    }
    if (!catalogue_stage_state(job->catalogue, &key, &state, err) ||
        !rescored_from(job->catalogue, variant, generation, &origin, err)) {
        return false;
    }
    if (state != STAGE_MISSING && origin == generation) {
        return err_set(err, ERR_USAGE, "%s: generation %d of %s has begun to play games of its own",
                       job->directory, generation, key.rules);
    }
    return rescored_from(job->catalogue, variant, generation - 1, &origin, err) &&
           catalogue_set_figure(job->catalogue, &key, "rescored_from", origin, err);
}

/* Collective. *any: something was done. */
static bool rescore_variant(struct job *job, const struct variant *variant, bool *any,
                            bool *stopped, struct err *lacking, struct err *err)
{
    int generation = 0;
    bool ready = false;
    bool ok = job->comm.rank != 0 || (find_next(job, variant, &generation, err) &&
                                      mark(job, variant, generation, &ready, lacking, err));

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, &ready, sizeof ready);
    comm_broadcast(&job->comm, &generation, sizeof generation);
    comm_broadcast(&job->comm, lacking, sizeof *lacking);
    if (!ready) {
        return true;
    }
    *any = true;
    if (!pipeline_stage(job, variant, generation, STAGE_SELFPLAY, stopped, err)) {
        return false;
    }
    ok = job->comm.rank != 0 || *stopped ||
         summary_write(stdout, job->catalogue, variant, generation, err);
    return comm_agree(&job->comm, ok, err);
}

bool rescoring_run(struct job *job, bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);
    struct err lacking = {0};
    bool any = false;

    *stopped = false;
    for (int i = 0; i < count && !*stopped; i++) {
        if (!rescore_variant(job, variants[i], &any, stopped, &lacking, err)) {
            return false;
        }
    }
    return any || err_set(err, ERR_USAGE, "%s", lacking.text);
}
