/* The stages of a run and their order: for each rule set and generation self-play, tune, gate (if
 * the settings have one), match; then, for the last generation, calibrate.
 *
 * A finished stage is a row of the catalogue and is not done again. A stage that was cut short goes
 * on where it stopped, whatever stopped it. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "selfplay/selfplay.h"
#include "tuner/job.h"
#include "tuner/stage.h"

/* Collective. Does the stages that `wanted` names (indices of enum stage) for all rule sets and
 * generations of the settings, and prints the results of each rule set on rank 0's stdout. Where
 * the predecessor of one is not finished, the log says what it waits for and the next rule set is
 * gone on with; ERR_USAGE when so nothing can be done at all. *stopped: cut short by a
 * signal; the same call goes on. */
bool pipeline_run(struct job *job, const bool wanted[STAGES], bool *stopped, struct err *err);

/* Collective. Does one stage unless it is finished, without asking what comes before it: a part of
 * a generation's games, which is played beside the run. */
bool pipeline_stage(struct job *job, const struct variant *variant, int generation,
                    enum stage stage, bool *stopped, struct err *err);

/* Collective. Sees that the shards of finished self-play are those that the catalogue knows; they
 * are made again when one is missing or damaged. */
bool stage_selfplay_mend(struct job *job, const struct variant *variant, int generation,
                         bool *stopped, struct err *err);

/* The stages themselves, in stage_NAME.c; collective. When one returns true and *stopped is false
 * its results are in the catalogue and in its files. */
bool stage_selfplay(struct job *job, const struct variant *variant, int generation, bool *stopped,
                    struct err *err);
bool stage_tune(struct job *job, const struct variant *variant, int generation, bool *stopped,
                struct err *err);
bool stage_gate(struct job *job, const struct variant *variant, int generation, bool *stopped,
                struct err *err);
bool stage_match(struct job *job, const struct variant *variant, int generation, bool *stopped,
                 struct err *err);
bool stage_calibrate(struct job *job, const struct variant *variant, int generation, bool *stopped,
                     struct err *err);
