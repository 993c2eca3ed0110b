/* Games of others into shards, and the shards into the catalogue. */
#include "tuner/import_store.h"

#include <stdlib.h>

#include "tuner/pipeline.h"

void import_fault(struct importer *importer, int line, const char *what)
{
    importer->left_out++;
    log_line(&importer->job->log, LOG_WARNING, "%s:%d: %s", importer->file, line, what);
}

bool import_wants(const struct importer *importer, const struct variant *variant, struct err *err)
{
    const struct variant *variants[VARIANT_COUNT];
    int count = settings_variants(&importer->job->settings, variants);

    for (int i = 0; i < count; i++) {
        if (variants[i] == variant) {
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "%s draughts, which run.rules does not name",
                   variant->rules->name);
}

/* Whether generation 0 of the rule set is still to come. */
static bool check_free(const struct importer *importer, const struct variant *variant,
                       struct err *err)
{
    struct stage_key key = stage_key_of(variant, 0, STAGE_SELFPLAY);
    enum stage_state state;

    return catalogue_stage_state(importer->job->catalogue, &key, &state, err) &&
           (state == STAGE_MISSING ||
            err_set(err, ERR_USAGE,
                    "%s: generation 0 of %s has games already; import into another run",
                    importer->request->directory, key.rules));
}

static bool begin_shard(struct importer *importer, const struct variant *variant, struct err *err)
{
    struct import_store *store = &importer->store[variant_index(variant)];
    char path[FILE_PATH];

    if (store->games == 0 && !check_free(importer, variant, err)) {
        return false;
    }
    store->next = (struct catalogue_shard){.first_game = store->games};
    snprintf(store->next.name, sizeof store->next.name, "%s-g0-%04zu.h5", variant->rules->name,
             store->count);
    store->writer = run_shard_path(path, importer->job->directory, store->next.name, err)
                        ? shard_create(path, variant, err)
                        : NULL;
    return store->writer != NULL;
}

bool import_end_shard(struct importer *importer, const struct variant *variant, struct err *err)
{
    struct import_store *store = &importer->store[variant_index(variant)];
    struct weights weights;

    if (!store->writer) {
        return true;
    }
    weights_builtin(variant->rules, &weights);
    struct shard_info info = {.seed = (uint64_t)importer->job->settings.run.seed,
                              .weights_id = weights_id(variant->rules, &weights)};
    void *shards = realloc(store->shards, (store->count + 1) * sizeof *store->shards);
    if (!shards) {
        return err_set(err, ERR_FAILED, "out of memory for %zu shards", store->count + 1);
    }
    store->shards = shards;
    bool ok = shard_finish(store->writer, &info, err);
    shard_destroy(store->writer);
    store->writer = NULL;
    store->next.rows = info.rows;
    store->next.hash = info.hash;
    store->shards[store->count++] = store->next;
    return ok;
}

bool import_game(struct importer *importer, const struct variant *variant, struct shard_row *rows,
                 size_t count, struct err *err)
{
    struct import_store *store = &importer->store[variant_index(variant)];
    int64_t most = importer->job->settings.selfplay.shard_rows;

    if (count == 0) {
        return true;
    }
    if (store->writer && shard_rows(store->writer) + (int64_t)count > most &&
        !import_end_shard(importer, variant, err)) {
        return false;
    }
    if (!store->writer && !begin_shard(importer, variant, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].game = store->games;
    }
    store->games++;
    store->next.games++;
    store->rows += (int64_t)count;
    store->results[rows->result + 1]++;
    progress_update(&importer->progress, ++importer->games);
    return shard_append(store->writer, rows, count, err);
}

bool import_catalogue(struct importer *importer, const struct variant *variant, struct err *err)
{
    const struct import_store *store = &importer->store[variant_index(variant)];
    struct catalogue *catalogue = importer->job->catalogue;
    struct stage_key key = stage_key_of(variant, 0, STAGE_SELFPLAY);
    const struct {
        const char *name;
        int64_t value;
    } figures[] = {
        {"imported", 1},
        {"games", store->games},
        {"positions", store->rows},
        {"plies", store->rows},
        {"black_wins", store->results[0]},
        {"draws", store->results[1]},
        {"white_wins", store->results[2]},
    };

    bool ok = catalogue_stage_begin(catalogue, &key, err);
    for (size_t i = 0; ok && i < store->count; i++) {
        ok = catalogue_add_shard(catalogue, key.rules, 0, &store->shards[i], err);
    }
    for (size_t i = 0; ok && i < sizeof figures / sizeof *figures; i++) {
        ok = catalogue_set_figure(catalogue, &key, figures[i].name, (double)figures[i].value, err);
    }
    return ok && catalogue_stage_finish(catalogue, &key, err);
}
