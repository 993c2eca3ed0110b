/* From shards to a dataset, on all ranks.
 *
 * Every shard is verified by one rank before anything else; then each rank reads an equal share of
 * the rows by hyperslabs, of the games that begin in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "tuner/fit/comm_team.h"
#include "tuner/fit/dataset.h"

struct load_input {
    const char *path;              /* of a shard; not owned */
    int64_t rows;                  /* as catalogued: another shard than this is refused */
    uint64_t hash;                 /* the same, of its rows */
    const struct weights *weights; /* that played its games; not owned */
};

/* Collective; all arguments the same on every rank. Fills and finishes the dataset, which the
 * caller gives back with dataset_fini in any case; how many rows are sampled is chosen by their
 * number, whatever filter->sampling says. Interrupted on any rank it returns true with *stopped set
 * on every rank. False: the error is the same on every rank; ERR_USAGE from shard_open and
 * shard_verify, or a shard that is not the catalogue's. Shows its progress; `log` may be NULL. */
bool load_dataset(struct comm_team *ranks, const struct log *log, const struct variant *variant,
                  const struct dataset_filter *filter, const struct load_input *inputs,
                  size_t count, struct dataset *dataset, bool *stopped, struct err *err);
