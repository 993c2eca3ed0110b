/* The openings of a match as the settings choose them. */
#include "tuner/match_openings.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BALANCE_NODES = 2000 }; /* of the search that judges an opening */

static const size_t FILE_MAX = (size_t)1 << 26;

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

struct opening_settings match_openings_random(const struct settings *settings)
{
    int bound = (int)settings->match.opening_bound;

    return (struct opening_settings){
        .plies = (int)settings->match.opening_plies,
        .bound = bound,
        .nodes = bound > 0 ? BALANCE_NODES : 0,
    };
}

bool match_openings(struct job *job, const struct variant *variant,
                    const struct openings_setting *setting, uint64_t stream,
                    struct opening_file *file, struct err *err)
{
    char path[FILE_PATH];
    size_t size = 0;

    *file = (struct opening_file){0};
    if (setting->file[0] == '\0') {
        return true;
    }
    char *text = settings_path(setting->file, variant, path, err)
                     ? read_for_all(job, path, &size, err)
                     : NULL;
    if (!text) {
        return err_prefix(err, "%s", setting->key);
    }
    bool ok = opening_file_read(file, variant, path, text, size, err) ||
              err_prefix(err, "%s", setting->key);
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

void match_openings_warn(const struct job *job, const struct match_pool *pool,
                         const struct openings_setting *setting)
{
    int pairings = match_pairings(pool), ended = 0;

    if (!pool->file || pool->file->count >= pool->pairs) {
        return;
    }
    for (int pairing = 0; pairing < pairings; pairing++) {
        ended += match_pairs(pool, pairing) < pool->pairs;
    }
    const char *what = ended == 0          ? "each is played again after the last"
                       : ended == pairings ? "no more pairs are played, since these players would "
                                             "repeat their games"
                                           : "each is played again after the last, but not by "
                                             "players who would repeat their games";
    log_line(&job->log, LOG_WARNING, "%s: %" PRId64 " openings for %" PRId64 " pairs: %s",
             setting->key, pool->file->count, pool->pairs, what);
}
