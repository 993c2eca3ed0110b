/* The openings of a match as the settings choose them. */
#include "tuner/match_openings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t FILE_MAX = (size_t)1 << 26;

/* match.openings with the rule set in the place of the word RULES. */
static bool path_of(const struct settings *settings, const struct variant *variant,
                    char path[FILE_PATH], struct err *err)
{
    static const char WORD[] = "RULES";
    const char *given = settings->match.openings, *word = strstr(given, WORD);
    int before = word ? (int)(word - given) : (int)strlen(given);
    int length = snprintf(path, FILE_PATH, "%.*s%s%s", before, given,
                          word ? variant->rules->name : "", word ? word + strlen(WORD) : "");

    return length < FILE_PATH || err_set(err, ERR_USAGE, "path too long");
}

/* Collective: rank 0's file for everybody; the caller frees it. NULL on failure. */
static char *read_for_all(struct job *job, const char *path, size_t *size, struct err *err)
{
    char *text = job->comm.rank == 0 ? file_read(path, FILE_MAX, size, err) : NULL;

    if (!comm_agree(&job->comm, job->comm.rank != 0 || text, err)) {
        return NULL;
    }
    comm_broadcast(&job->comm, size, sizeof *size);
    if (job->comm.rank != 0) {
        text = malloc(*size + 1);
    }
    bool ok = text || err_set(err, ERR_FAILED, "%s: out of memory", path);
    if (!comm_agree(&job->comm, ok, err)) {
        free(text);
        return NULL;
    }
    comm_broadcast(&job->comm, text, *size + 1);
    return text;
}

bool match_openings(struct job *job, const struct variant *variant, uint64_t stream,
                    struct opening_file *file, struct err *err)
{
    char path[FILE_PATH];
    size_t size = 0;

    *file = (struct opening_file){0};
    if (job->settings.match.openings[0] == '\0') {
        return true;
    }
    char *text =
        path_of(&job->settings, variant, path, err) ? read_for_all(job, path, &size, err) : NULL;
    if (!text) {
        return err_prefix(err, "match.openings");
    }
    bool ok = opening_file_read(file, variant, path, text, size, err) ||
              err_prefix(err, "match.openings");
    free(text);
    if (ok) {
        opening_file_shuffle(file, (uint64_t)job->settings.run.seed, stream);
    }
    if (!comm_agree(&job->comm, ok, err)) {
        opening_file_fini(file);
        return false;
    }
    return true;
}
