/* Generations whose games are those of the one before, searched again with newer weights
 * (selfplay/rescore.h) instead of fresh ones. All stages behind self-play go on from such a
 * generation as from any other. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "tuner/job.h"

/* Collective, command rescore: for each rule set of the settings the first generation that is not
 * there yet is made of the games of the one before, by the weights that this came to; or what was
 * begun of it is gone on with. Prints the results on rank 0's stdout. ERR_USAGE when no rule set
 * has a tuned generation to begin from, when run.generations leaves no room, when the generation
 * has begun to play games of its own, when its games were imported. *stopped: cut short by a
 * signal; the same command goes on. */
bool rescoring_run(struct job *job, bool *stopped, struct err *err);
