/* The tune stage: from position shards to weights, on all ranks.
 *
 * All ranks load (tuner/fit/load.h), then all fit together. The weights are the same bytes on any
 * number of ranks, and whatever the rows are cut into shards, as long as games stay whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/load.h"

/* Section [tune] of the settings; the defaults stand in tuner/settings.c, the reasons for them in
 * docs/decisions/fit.md. */
struct tune_settings {
    struct dataset_filter filter;
    struct fit_settings fit;
    const char *checkpoint;    /* file of the fit under way; NULL: none. Not owned */
    double checkpoint_seconds; /* between two savings; 0: only when stopped */
};

/* Collective; all arguments the same on every rank. Fits from the built-in weights. Interrupted by
 * `stop` on any rank it returns true with *stopped set on every rank, and *result is void. False:
 * the error is the same on every rank; ERR_USAGE from load_dataset and fit_run. Logs what was read,
 * the losses before and after, and why the fit ended. */
bool tune_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                const struct variant *variant, const struct tune_settings *settings,
                const struct load_input *inputs, size_t count, struct fit_result *result,
                bool *stopped, struct err *err);
