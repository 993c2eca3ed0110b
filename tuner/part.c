/* A part of a generation's games. */
#include "tuner/part.h"

#include <stdlib.h>
#include <string.h>

#include "engine/artefact/artefact.h"
#include "engine/base/number.h"
#include "tuner/accepted.h"
#include "tuner/pipeline.h"
#include "tuner/selfplay_material.h"
#include "tuner/summary.h"

enum { WEIGHTS_LIMIT = 1 << 28, RANGE = 64 }; /* bytes */

bool part_take(struct settings *settings, const char *games, const char *generation,
               struct err *err)
{
    const long long all = settings->selfplay.games;
    long long first = 0, end = 0, of = 0;
    char text[RANGE];

    if (!games) {
        return !generation ||
               err_set(err, ERR_USAGE, "--generation goes with --games: a part of its games");
    }
    const char *colon = strchr(games, ':');
    if (!colon || strlen(games) >= sizeof text) {
        return err_set(err, ERR_USAGE, "--games: '%s', right is A:B, for games A to B - 1", games);
    }
    snprintf(text, sizeof text, "%.*s", (int)(colon - games), games);
    if (!number_integer(text, "--games A:B, A", 0, all - 1, &first, err) ||
        !number_integer(colon + 1, "--games A:B, B", first + 1, all, &end, err) ||
        (generation &&
         !number_integer(generation, "--generation", 0, settings->run.generations - 1, &of, err))) {
        return false;
    }
    settings->part.first = first;
    settings->part.end = end;
    settings->part.generation = of;
    return true;
}

/* Whether a part with these settings can belong to the run `of`: ERR_USAGE lists the
 * differences. */
static bool compare(const struct settings *settings, const char *of, struct err *err)
{
    struct settings whole = *settings;
    struct run_settings compared;

    memset(&whole.part, 0, sizeof whole.part);
    if (!settings_begin(&whole, &compared, err)) {
        return false;
    }
    bool ok = run_compare(of, &compared, err);
    settings_end(&compared);
    return ok;
}

/* Rank 0: writes the built-in weights as a file. */
static bool write_builtin(const char *path, const struct variant *variant, struct err *err)
{
    struct artefact artefact;

    artefact_builtin(variant, &artefact);
    return artefact_write(path, &artefact, err);
}

/* Rank 0: copies the weights that the run `of` stood by after a generation, as those which that
 * generation was tuned to; without a run they must be there. */
static bool fetch_weights(const struct job *job, const char *of, const struct variant *variant,
                          int generation, struct err *err)
{
    const char *first = job->settings.selfplay.weights;
    char from[FILE_PATH], to[FILE_PATH];
    int accepted;
    size_t size;

    if (!run_weights_path(to, job->directory, variant, generation, err)) {
        return false;
    }
    if (!*of) {
        return file_exists(to) ||
               err_set(err, ERR_USAGE,
                       "--of RUN is needed: games of generation %d are played with the weights "
                       "that RUN was tuned to",
                       generation + 1);
    }
    struct catalogue *catalogue = run_catalogue(of, err);
    bool ok = catalogue && accepted_generation(catalogue, variant, generation, &accepted, err);
    catalogue_close(catalogue);
    if (!ok || (accepted < 0 && *first == '\0')) {
        return ok && write_builtin(to, variant, err);
    }
    if (!(accepted < 0 ? settings_path(first, variant, from, err)
                       : run_weights_path(from, of, variant, accepted, err))) {
        return false;
    }
    char *bytes = file_read(from, WEIGHTS_LIMIT, &size, err);
    ok = bytes && file_replace(to, bytes, size, err);
    free(bytes);
    return ok;
}

/* Rank 0: the same of all weights that a generation's games are played with. */
static bool fetch_all(const struct job *job, const char *of, const struct variant *variant,
                      int generation, struct err *err)
{
    int earlier = selfplay_earlier_count(&job->settings, generation);

    for (int back = 1; back <= 1 + earlier && back <= generation; back++) {
        if (!fetch_weights(job, of, variant, generation - back, err)) {
            return false;
        }
    }
    return true;
}

static bool play(struct job *job, const char *of, const struct variant *variant, bool *stopped,
                 struct err *err)
{
    int generation = (int)job->settings.part.generation;
    bool ok = job->comm.rank != 0 || fetch_all(job, of, variant, generation, err);

    if (!comm_agree(&job->comm, ok, err) ||
        !pipeline_stage(job, variant, generation, STAGE_SELFPLAY, stopped, err)) {
        return false;
    }
    ok = job->comm.rank != 0 || *stopped ||
         summary_write(stdout, job->catalogue, variant, generation, err);
    return comm_agree(&job->comm, ok, err);
}

bool part_run(struct job *job, const char *of, bool *stopped, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&job->settings, variants);
    bool ok = job->comm.rank != 0 || !*of || compare(&job->settings, of, err);

    *stopped = false;
    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    for (int i = 0; i < count && !*stopped; i++) {
        if (!play(job, of, variants[i], stopped, err)) {
            return false;
        }
    }
    return true;
}
