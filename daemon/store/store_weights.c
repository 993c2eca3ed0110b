/* The weights that games are played with, as the RULES.h5 files they came in, so that a game goes
 * on with its own whatever is served now. */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

static enum database_status keep(struct store *store, const struct artefact_slot *slot, int64_t now)
{
    struct query query = query_begin(store->database, ADD_WEIGHTS);

    query_text(&query, slot->weights_id);
    query_text(&query, slot->artefact.variant->rules->name);
    query_blob(&query, slot->file, slot->file_size);
    query_integer(&query, now);
    return query_run(&query);
}

enum database_status store_keep_weights(struct store *store, const struct change *change)
{
    enum database_status status = DATABASE_DONE;

    for (int i = 0; i < VARIANT_COUNT && status == DATABASE_DONE; i++) {
        const struct artefact_slot *slot = &change->artefacts->slot[i];
        status = slot->loaded && slot->file != NULL ? keep(store, slot, change->at) : status;
    }
    return status;
}

/* A set of one artefact made of a file's bytes; NULL when they are not what they should be. */
static struct artefacts *open_kept(const void *bytes, size_t size, const struct variant *variant,
                                   const char *id)
{
    struct artefacts *artefacts = artefacts_create();
    struct artefact artefact;
    char *copy = malloc(size > 0 ? size : 1);
    struct err err;

    if (artefacts != NULL && copy != NULL && size > 0) {
        memcpy(copy, bytes, size);
        if (artefact_read_bytes(copy, size, variant, &artefact, &err)) {
            artefacts_put(artefacts, &artefact);
        }
    }
    free(copy);
    if (artefacts != NULL && strcmp(artefacts_of(artefacts, variant)->weights_id, id) != 0) {
        artefacts_release(artefacts);
        return NULL;
    }
    return artefacts;
}

bool store_weights(struct store *store, const char *id, const struct variant *variant,
                   struct artefacts **out, struct err *err)
{
    struct query query = query_begin(store->database, FIND_WEIGHTS);
    size_t size;

    *out = NULL;
    query_text(&query, id);
    query_text(&query, variant->rules->name);
    enum database_status status = query_step(&query);
    if (status == DATABASE_ROW) {
        const void *bytes = query_get_blob(&query, 0, &size);
        *out = open_kept(bytes, size, variant, id);
    }
    bool read =
        status == DATABASE_ROW || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}
