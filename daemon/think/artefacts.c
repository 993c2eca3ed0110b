/* Loading and sharing of the artefacts served. */
#include "daemon/think/artefacts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct artefacts *artefacts_create(void)
{
    struct artefacts *artefacts = calloc(1, sizeof *artefacts);

    if (artefacts != NULL) {
        atomic_init(&artefacts->references, 1);
    }
    return artefacts;
}

void artefacts_put(struct artefacts *artefacts, const struct artefact *artefact)
{
    struct artefact_slot *slot = &artefacts->slot[variant_index(artefact->variant)];

    slot->loaded = true;
    slot->artefact = *artefact;
    snprintf(slot->weights_id, sizeof slot->weights_id, "%016" PRIx64,
             weights_id(artefact->variant->rules, &artefact->weights));
}

/* Fills one slot if its file is there. */
static bool load_one(struct artefacts *artefacts, const char *directory,
                     const struct variant *variant, struct err *err)
{
    char path[FILE_PATH];
    struct artefact artefact;

    if (!artefact_path(path, directory, variant, err)) {
        return false;
    }
    if (!file_exists(path)) {
        return true;
    }
    struct artefact_slot *slot = &artefacts->slot[variant_index(variant)];
    slot->file = file_read(path, ARTEFACT_BYTES, &slot->file_size, err);
    if (slot->file == NULL) {
        return false;
    }
    if (!artefact_read_bytes(slot->file, slot->file_size, variant, &artefact, err)) {
        return err_prefix(err, "%s", path);
    }
    artefacts_put(artefacts, &artefact);
    return true;
}

static void warn_of_gaps(const struct artefacts *artefacts, const char *directory,
                         const struct log *log)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct artefact_slot *slot = &artefacts->slot[i];
        const char *name = variant_at(i)->rules->name;
        if (!slot->loaded) {
            log_line(log, LOG_WARNING, "%s/%s.h5 is not there: no levels for %s", directory, name,
                     name);
        } else if (slot->artefact.levels.count == 0) {
            log_line(log, LOG_WARNING, "%s/%s.h5 has no measured levels yet", directory, name);
        }
    }
}

struct artefacts *artefacts_load(const char *directory, const struct log *log, struct err *err)
{
    struct artefacts *artefacts = artefacts_create();
    int loaded = 0;

    if (artefacts == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!load_one(artefacts, directory, variant_at(i), err)) {
            artefacts_release(artefacts);
            return NULL;
        }
        loaded += artefacts->slot[i].loaded;
    }
    if (loaded == 0) {
        err_set(err, ERR_USAGE,
                "no weights in %s: expected international.h5, classic.h5 or flying.h5 "
                "(weights.dir names the directory)",
                directory);
        artefacts_release(artefacts);
        return NULL;
    }
    warn_of_gaps(artefacts, directory, log);
    return artefacts;
}

struct artefacts *artefacts_hold(struct artefacts *artefacts)
{
    atomic_fetch_add_explicit(&artefacts->references, 1, memory_order_relaxed);
    return artefacts;
}

void artefacts_release(struct artefacts *artefacts)
{
    if (artefacts != NULL &&
        atomic_fetch_sub_explicit(&artefacts->references, 1, memory_order_acq_rel) == 1) {
        for (int i = 0; i < VARIANT_COUNT; i++) {
            weights_fini(&artefacts->slot[i].artefact.weights);
            free(artefacts->slot[i].file);
        }
        free(artefacts);
    }
}
