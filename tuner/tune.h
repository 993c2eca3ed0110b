/* The tune stage: from position shards to weights, on all ranks.
 *
 * Each rank loads an equal share of the rows (whole shards are read, and only those that hold a
 * part of its share), then all fit together. The weights are the same bytes on any number of
 * ranks, and whatever the rows are cut into shards, as long as games stay whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "selfplay/comm.h"
#include "selfplay/stop.h"
#include "tuner/fit.h"

/* Section [tune] of the settings; the defaults stand in tuner/settings.c, the reasons for them in
 * docs/decisions/fit.md. */
struct tune_settings {
    int margin;  /* hundredths of a man: a position is dropped as a hidden shot when static and
                    search score differ by more; 0: none is */
    int holdout; /* percent of the games held out, 1..50 */
    struct fit_settings fit;
};

struct tune_input {
    const char *path;              /* of a shard; not owned */
    int64_t rows;                  /* as catalogued: a shard with another number is refused */
    const struct weights *weights; /* that played its games; not owned */
};

/* Collective; all arguments the same on every rank. Fits from the built-in weights. Interrupted by
 * `stop` on any rank it returns true with *stopped set on every rank, and *result is void. False:
 * the error is the same on every rank; ERR_USAGE from shard_read and fit_run, or rows that do not
 * match the catalogue. Logs what was read, the losses before and after, and why the fit ended. */
bool tune_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                const struct variant *variant, const struct tune_settings *settings,
                const struct tune_input *inputs, size_t count, struct fit_result *result,
                bool *stopped, struct err *err);
