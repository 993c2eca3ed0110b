/* The weights and levels a daemon serves: for each rule set one RULES.h5, or nothing.
 *
 * A set is read-only once made and is shared by counting references: a search that runs keeps the
 * set it started with while a newer one is already served to others. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/artefact/artefact.h"
#include "engine/base/err.h"
#include "engine/base/log.h"

enum { WEIGHTS_ID = 17 };

struct artefact_slot {
    bool loaded; /* false: the rest is empty */
    struct artefact artefact;
    char weights_id[WEIGHTS_ID]; /* weights_id in hexadecimal, as answers name it */
    char *file;                  /* the bytes of the RULES.h5; NULL: from no file */
    size_t file_size;
};

struct artefacts {
    atomic_int references;
    struct artefact_slot slot[VARIANT_COUNT]; /* by variant_index */
};

/* A set of nothing, with one reference. NULL when memory is out. */
struct artefacts *artefacts_create(void);

/* Puts an artefact in its place, whose weights are the set's from then on. Only before the set is
 * shared. */
void artefacts_put(struct artefacts *artefacts, const struct artefact *artefact);

/* Reads directory/RULES.h5 of every rule set. A file that is not there is a warning and an empty
 * slot; NULL when a file is wrong (ERR_USAGE) or when there is none at all (ERR_USAGE). HDF5 is
 * not thread-safe: call it from the event loop's thread only. */
struct artefacts *artefacts_load(const char *directory, const struct log *log, struct err *err);

/* One reference more, from any thread. Returns its argument. */
struct artefacts *artefacts_hold(struct artefacts *artefacts);

/* One reference less; the last one frees. Takes NULL. From any thread. */
void artefacts_release(struct artefacts *artefacts);

static inline const struct artefact_slot *artefacts_of(const struct artefacts *artefacts,
                                                       const struct variant *variant)
{
    return &artefacts->slot[variant_index(variant)];
}
