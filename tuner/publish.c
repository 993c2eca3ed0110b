/* The artefacts of a run handed on. */
#include "tuner/publish.h"

#include "engine/artefact/artefact.h"
#include "selfplay/store/run.h"
#include "tuner/stage.h"

/* Whether a stage of a generation was begun, and whether it is finished. */
static bool stage_is(struct catalogue *catalogue, const struct variant *variant, int generation,
                     enum stage stage, enum stage_state least, bool *out, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, stage);
    enum stage_state state;

    if (!catalogue_stage_state(catalogue, &key, &state, err)) {
        return false;
    }
    *out = state >= least;
    return true;
}

/* Says what of a rule set is missing: generations that were begun and have no measured levels. */
static bool warn_one(const struct log *log, struct catalogue *catalogue,
                     const struct variant *variant, struct err *err)
{
    int begun = -1, measured = -1;
    bool on = true;

    for (int generation = 0; on; generation++) {
        bool done;
        if (!stage_is(catalogue, variant, generation, STAGE_SELFPLAY, STAGE_BEGUN, &on, err) ||
            !stage_is(catalogue, variant, generation, STAGE_CALIBRATE, STAGE_FINISHED, &done,
                      err)) {
            return false;
        }
        begun = on ? generation : begun;
        measured = done ? generation : measured;
    }
    if (measured < 0 && begun >= 0) {
        log_line(log, LOG_WARNING, "%s is not published: its levels are not measured yet",
                 variant->rules->name);
    } else if (measured < begun) {
        log_line(log, LOG_WARNING,
                 "%s is published as of generation %d, generation %d is not finished",
                 variant->rules->name, measured, begun);
    }
    return true;
}

/* Warns of what a run has begun and not finished. A directory that is no run, but holds artefacts,
 * has nothing unfinished. */
static bool warn(const struct log *log, const char *directory, struct err *err)
{
    struct catalogue *catalogue = run_catalogue(directory, NULL);
    bool ok = true;

    for (int i = 0; i < VARIANT_COUNT && catalogue && ok; i++) {
        ok = warn_one(log, catalogue, variant_at(i), err);
    }
    catalogue_close(catalogue);
    return ok;
}

static bool publish_one(FILE *out, const char *from, const char *target,
                        const struct variant *variant, struct err *err)
{
    char to[FILE_PATH];
    struct artefact artefact;

    if (!artefact_read(from, variant, &artefact, err)) {
        return false;
    }
    bool ok =
        artefact.levels.count > 0 || err_set(err, ERR_USAGE, "%s: has no measured levels", from);
    ok = ok && artefact_path(to, target, variant, err) && artefact_write(to, &artefact, err);
    weights_fini(&artefact.weights);
    if (ok) {
        fprintf(out, "%s\n", to);
    }
    return ok;
}

/* Makes the target, and says so when it was not there. */
static bool make_target(const struct log *log, const char *target, struct err *err)
{
    if (file_exists(target)) {
        return true;
    }
    log_line(log, LOG_INFO, "making the directory %s", target);
    return file_make_directories(target, err);
}

bool publish(FILE *out, const struct log *log, const char *directory, const char *target,
             struct err *err)
{
    int count = 0;

    for (int i = 0; i < VARIANT_COUNT; i++) {
        char from[FILE_PATH];
        if (!artefact_path(from, directory, variant_at(i), err)) {
            return false;
        }
        if (file_exists(from)) {
            if ((count == 0 && !make_target(log, target, err)) ||
                !publish_one(out, from, target, variant_at(i), err)) {
                return false;
            }
            count++;
        }
    }
    if (count == 0) {
        return err_set(err, ERR_USAGE, "%s: no RULES.h5 file; has the run finished?", directory);
    }
    return warn(log, directory, err);
}
