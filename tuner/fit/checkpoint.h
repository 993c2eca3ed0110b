/* A fit under way in a file, so that it goes on where it was after a stop or a crash, on any number
 * of ranks, to the same bits as without the interruption.
 *
 * The file holds the minimiser's point and vectors, all ranks' parts in order, behind a key that
 * says of what fit, and before a hash of it all. It is replaced atomically. It is for the machine
 * that goes on, not for exchange: numbers are as the processor has them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "tuner/fit/blocks.h"
#include "tuner/fit/lbfgs.h"

/* Where and how often. */
struct checkpoint {
    const char *path; /* not owned */
    double seconds;   /* between two of them; 0: only when the fit is stopped */
    double last;      /* rank 0's clock at the newest, or 0 */
};

/* What is saved, besides the vectors. */
struct checkpoint_state {
    uint64_t key; /* of data and settings: another fit's file is not gone on from */
    struct lbfgs_point point;
    int64_t log_bytes; /* of the caller's own record, which is saved as it is */
    void *log;         /* [log_bytes]; not owned */
};

/* Collective: whether it is time, by rank 0's clock. */
bool checkpoint_due(struct checkpoint *checkpoint, const struct team *team);

/* Collective: saves the state and `count` vectors of this rank's numbers, x and then those of the
 * workspace. ERR_FAILED, on every rank. */
bool checkpoint_save(struct checkpoint *checkpoint, const struct checkpoint_state *state,
                     struct spread *spread, const double *x, const double *workspace, int count,
                     struct err *err);

/* Collective: the reverse. state->key, log and log_bytes are what is expected. *found is false, and
 * the rest void, when there is no file, or none of this fit, or a damaged one. ERR_FAILED: memory
 * is out. */
bool checkpoint_load(const struct checkpoint *checkpoint, struct checkpoint_state *state,
                     struct spread *spread, double *x, double *workspace, int count, bool *found,
                     struct err *err);
