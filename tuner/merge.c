/* Parts put together: settings compared, games gathered, gaps and overlaps named, and the stage
 * finished as the run itself would finish it. */
#include "tuner/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/store/lock.h"
#include "tuner/part.h"
#include "tuner/pipeline.h"
#include "tuner/selfplay_material.h"
#include "tuner/summary.h"

enum { RANGES = 200 }; /* bytes of a list of ranges for people */

/* Reads config.ini of a part, and says which generation it is of. */
static bool read_settings(const char *directory, struct settings *settings, struct err *err)
{
    char path[FILE_PATH];
    size_t count;
    const struct option *table = settings_table(&count);

    options_defaults(table, count, settings);
    if (!run_settings_path(path, directory, err) ||
        !options_read(table, count, settings, path, err) || !settings_check(settings, err)) {
        return false;
    }
    return settings_are_of_part(settings) ||
           err_set(err, ERR_USAGE,
                   "%s: no part of a generation's games; parts are played with "
                   "draughts-train selfplay --games A:B -o PART",
                   directory);
}

/* Whether all parts can belong together; *settings becomes theirs. */
static bool check_parts(const char *const *parts, size_t count, struct settings *settings,
                        struct err *err)
{
    if (!read_settings(parts[0], settings, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct settings theirs;
        if (!read_settings(parts[i], &theirs, err)) {
            return false;
        }
        if (lock_is_held(parts[i])) {
            return err_set(err, ERR_FAILED, "%s: this part is being played", parts[i]);
        }
        /* A range of its own is what makes it a part; the rest is compared. */
        settings->part.first = theirs.part.first;
        settings->part.end = theirs.part.end;
        struct run_settings compared;
        if (!settings_begin(settings, &compared, err)) {
            return false;
        }
        bool ok = run_compare(parts[i], &compared, err);
        settings_end(&compared);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* "0:10, 15:20" of ascending numbers, shortened when there are too many. */
static void list_ranges(const int64_t *numbers, int64_t count, char out[RANGES])
{
    size_t length = 0;

    out[0] = '\0';
    for (int64_t i = 0; i < count;) {
        int64_t end = i + 1;
        while (end < count && numbers[end] == numbers[end - 1] + 1) {
            end++;
        }
        if (length > RANGES - 64) {
            snprintf(out + length, RANGES - length, ", ...");
            return;
        }
        length += (size_t)snprintf(out + length, RANGES - length, "%s%" PRId64 ":%" PRId64,
                                   i > 0 ? ", " : "", numbers[i], numbers[end - 1] + 1);
        i = end;
    }
}

/* One rule set's games on their way into the run. */
struct merging {
    struct job *job;
    const struct variant *variant;
    const char *const *parts;
    size_t count;
    char name[GAMES_NAME], about[JOURNAL_ABOUT_MAX];
    struct games all, *part; /* part[count] */
};

/* Takes in the games of one part. */
static bool add_part(struct merging *merging, size_t index, struct err *err)
{
    const char *directory = merging->parts[index];
    struct games *part = &merging->part[index];
    int64_t *again = NULL, again_count = 0;
    char ranges[RANGES];

    if (!games_look(part, directory, merging->name, merging->about, err)) {
        return false;
    }
    bool ok = games_add(&merging->all, part, &again, &again_count, err) ||
              err_prefix(err, "with the games of %s", directory);
    if (ok && again_count > 0) {
        list_ranges(again, again_count, ranges);
        log_line(&merging->job->log, LOG_WARNING,
                 "%s: %" PRId64 " games of %s were there already: %s", directory, again_count,
                 merging->name, ranges);
    }
    free(again);
    return ok;
}

/* Takes in all parts and stores what has come together. *missing: how many games are not there,
 * named in *ranges. */
static bool gather(struct merging *merging, int64_t *missing, char ranges[RANGES], struct err *err)
{
    struct job *job = merging->job;
    int64_t *list = NULL;

    if (!games_open(&merging->all, job->directory, merging->name, merging->about, err)) {
        return false;
    }
    for (size_t i = 0; i < merging->count; i++) {
        if (!add_part(merging, i, err)) {
            return false;
        }
    }
    *missing = games_missing(&merging->all, 0, job->settings.selfplay.games, &list);
    if (*missing < 0) {
        return err_set(err, ERR_FAILED, "out of memory for the games of %s", merging->name);
    }
    list_ranges(list, *missing, ranges);
    free(list);
    return games_merge(&merging->all, merging->about, err);
}

static bool merge_variant(struct job *job, const struct variant *variant, int generation,
                          const char *const *parts, size_t count, int64_t *missing,
                          char ranges[RANGES], struct err *err)
{
    struct merging merging = {.job = job, .variant = variant, .parts = parts, .count = count};
    struct selfplay_material material;

    selfplay_name(merging.name, variant, generation);
    bool loaded = selfplay_material_init(&material, job, variant, generation, err);
    if (loaded) {
        selfplay_about(&material.settings, &material.source, merging.about);
    }
    selfplay_material_fini(&material);
    if (!loaded) {
        return false;
    }
    merging.part = calloc(count, sizeof *merging.part);
    bool ok = merging.part ? gather(&merging, missing, ranges, err)
                           : err_set(err, ERR_FAILED, "out of memory for %zu parts", count);
    games_close(&merging.all);
    for (size_t i = 0; merging.part && i < count; i++) {
        games_close(&merging.part[i]);
    }
    free(merging.part);
    return ok;
}

/* Finishes the stage of a rule set whose games are all there; else adds to *lacking what is not. */
static bool finish_variant(struct job *job, const struct variant *variant, int generation,
                           int64_t missing, const char *ranges, FILE *out, bool *stopped,
                           struct err *lacking, struct err *err)
{
    if (missing > 0) {
        bool more = lacking->code != ERR_NONE;
        struct err before = *lacking;
        err_set(lacking, ERR_FAILED, "%s%s%" PRId64 " games of %s generation %d are missing: %s",
                more ? before.text : job->directory, more ? "; " : ": ", missing,
                variant->rules->name, generation, ranges);
        return true;
    }
    return pipeline_stage(job, variant, generation, STAGE_SELFPLAY, stopped, err) &&
           (*stopped || summary_write(out, job->catalogue, variant, generation, err));
}

static bool merge_all(struct job *job, int generation, const char *const *parts, size_t count,
                      FILE *out, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int variant_count = settings_variants(&job->settings, variants);
    struct err lacking = {0};
    bool stopped = false;

    for (int i = 0; i < variant_count && !stopped; i++) {
        int64_t missing = 0;
        char ranges[RANGES];
        if (!merge_variant(job, variants[i], generation, parts, count, &missing, ranges, err) ||
            !finish_variant(job, variants[i], generation, missing, ranges, out, &stopped, &lacking,
                            err)) {
            return false;
        }
    }
    if (stopped) {
        return err_set(err, ERR_FAILED, "interrupted; the same command goes on");
    }
    if (lacking.code != ERR_NONE && err) {
        *err = lacking;
    }
    return lacking.code == ERR_NONE;
}

bool merge(FILE *out, const struct log *log, const char *directory, const char *const *parts,
           size_t count, struct err *err)
{
    struct stop stop;
    struct job job = {.comm = {.rank = 0, .size = 1}, .stop = &stop, .log = *log};

    if (!check_parts(parts, count, &job.settings, err)) {
        return false;
    }
    int generation = (int)job.settings.part.generation;
    memset(&job.settings.part, 0, sizeof job.settings.part);
    if ((size_t)snprintf(job.directory, sizeof job.directory, "%s", directory) >=
        sizeof job.directory) {
        return err_set(err, ERR_USAGE, "%.60s...: path too long", directory);
    }
    stop_prepare(&stop);
    bool ok = job_open(&job, err) && merge_all(&job, generation, parts, count, out, err);
    job_close(&job, ok ? "finished" : "failed", ok ? NULL : err->text);
    return ok;
}
