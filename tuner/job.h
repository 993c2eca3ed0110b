/* What a running pipeline carries from stage to stage: the ranks, the settings, the run directory
 * and its catalogue, the log. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/rules/variant.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "selfplay/selfplay.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/run.h"
#include "selfplay/store/run_status.h"
#include "tuner/settings.h"

struct job {
    struct comm comm;
    struct stop *stop;
    struct log log; /* drops everything but on rank 0 */
    struct settings settings;
    char directory[FILE_PATH];
    struct run run;              /* rank 0 */
    struct catalogue *catalogue; /* rank 0; NULL elsewhere */
    struct run_status status;    /* of the stage under way, rank 0, and below */
    double status_written;       /* clock_seconds */
    int64_t plies;               /* of self-play under way, for metrics.prom */
    uint64_t nodes;              /* the same */
    struct selfplay_rank *ranks; /* [status.ranks]; owned */
    bool metrics_failed;         /* metrics.prom cannot be written, which has been said */
};

/* Collective: opens the run directory job->directory for the settings; rank 0 takes its lock and
 * opens the catalogue. comm, stop, log, settings and directory are filled by the caller, the same
 * on every rank. */
bool job_open(struct job *job, struct err *err);

/* Gives everything back; takes a job that failed to open. `state` and, unless it is NULL, the
 * reason go into status.json. */
void job_close(struct job *job, const char *state, const char *reason);

/* Rank 0: a stage begins; status.json and metrics.prom say so. ERR_FAILED: the disk is full or not
 * writable. */
bool job_begin_stage(struct job *job, const struct stage_key *key, const char *unit,
                     struct err *err);

/* Rank 0: notes where the stage stands; status.json and metrics.prom are written at most once a
 * second. Fits the stages' progress callbacks with the job as context. */
void job_progress(void *context, int64_t done, int64_t total, double rate);

/* The same of self-play, with what each rank has done. */
void job_standing(struct job *job, const struct selfplay_standing *standing);

/* Collective: rank 0's weights to every rank, which then owns them (weights_fini). Elsewhere
 * *weights is only written. */
bool job_share_weights(const struct job *job, const struct variant *variant,
                       struct weights *weights, struct err *err);

/* Collective: the weights of a RULES.h5, which rank 0 reads; the caller's (weights_fini). */
bool job_read_weights(const struct job *job, const struct variant *variant, const char *path,
                      struct weights *weights, struct err *err);

/* Collective: the weights that a generation was tuned to, the caller's (weights_fini). ERR_USAGE
 * when there are none yet. */
bool job_tuned_weights(struct job *job, const struct variant *variant, int generation,
                       struct weights *weights, struct err *err);

/* Collective: the latest generation up to this one whose weights the run stands by, in *accepted;
 * -1: none, those that it began with (selfplay.weights, or the built-in ones). */
bool job_accepted_generation(struct job *job, const struct variant *variant, int generation,
                             int *accepted, struct err *err);

/* Collective: those weights, the caller's (weights_fini). */
bool job_accepted_weights(struct job *job, const struct variant *variant, int generation,
                          struct weights *weights, struct err *err);

/* Collective: the weights that a generation's games are played with: those that the run stood by
 * after the one before, in generation 0 those that it began with; the caller's (weights_fini). */
bool job_playing_weights(struct job *job, const struct variant *variant, int generation,
                         struct weights *weights, struct err *err);
