/* Files of others, each read by the reader of its kind, and catalogued when all are read. */
#include "tuner/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/import_readers.h"
#include "tuner/import_store.h"
#include "tuner/pipeline.h"

/* Ends the last shards and catalogues all. */
static bool finish(struct importer *importer, FILE *out, struct err *err)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!import_end_shard(importer, variant_at(i), err)) {
            return false;
        }
    }
    if (!catalogue_begin(importer->job->catalogue, err)) {
        return false;
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (importer->store[i].games > 0 && !import_catalogue(importer, variant_at(i), err)) {
            return false;
        }
    }
    if (!catalogue_commit(importer->job->catalogue, err)) {
        return false;
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct import_store *store = &importer->store[i];
        if (store->games > 0) {
            fprintf(out, "%s: %" PRId64 " games, %" PRId64 " positions\n",
                    variant_at(i)->rules->name, store->games, store->rows);
        }
    }
    fprintf(out, "left out: %" PRId64 "\n", importer->left_out);
    return importer->games > 0 || err_set(err, ERR_FAILED, "nothing could be taken");
}

static bool is_of_kind(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool read_file(struct importer *importer, const char *path, struct err *err)
{
    importer->file = path;
    if (is_of_kind(path, ".pdn")) {
        return import_pdn(importer, err);
    }
    if (is_of_kind(path, ".csv")) {
        return import_csv(importer, err);
    }
    return err_set(err, ERR_USAGE, "%s: neither NAME.pdn nor NAME.csv", path);
}

static bool import_all(struct importer *importer, FILE *out, struct err *err)
{
    const struct import_request *request = importer->request;
    char path[FILE_PATH];

    if (!file_join(path, request->directory, "shards", err) || !file_make_directories(path, err)) {
        return false;
    }
    importer->progress = progress_start(&importer->job->log, "import", "games", 0, 0);
    bool ok = true;
    for (size_t i = 0; ok && i < request->count; i++) {
        ok = read_file(importer, request->files[i], err);
    }
    progress_end(&importer->progress, importer->games);
    ok = ok && finish(importer, out, err);
    for (int i = 0; i < VARIANT_COUNT; i++) {
        shard_destroy(importer->store[i].writer);
        free(importer->store[i].shards);
    }
    return ok;
}

bool import(FILE *out, const struct log *log, const struct import_request *request, struct err *err)
{
    struct stop stop;
    struct job job = {
        .comm = {.rank = 0, .size = 1}, .stop = &stop, .log = *log, .settings = *request->settings};
    struct importer importer = {.job = &job, .request = request};

    if ((size_t)snprintf(job.directory, sizeof job.directory, "%s", request->directory) >=
        sizeof job.directory) {
        return err_set(err, ERR_USAGE, "%.60s...: path too long", request->directory);
    }
    stop_prepare(&stop);
    bool ok = job_open(&job, err) && import_all(&importer, out, err);
    job_close(&job, ok ? "finished" : "failed", ok ? NULL : err->text);
    return ok;
}
