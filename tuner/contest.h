/* A match or round robin of players whom the user names (sections player_NAME): our search, a
 * measured level, or another program over Hub. It is no stage of the pipeline: it needs no
 * self-play, and its pairs stand in the catalogue under the stage "players". */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "tuner/job.h"

/* What the catalogue knows such matches by. */
struct stage_key contest_key(const struct variant *variant);

/* Collective: plays the missing pairs for each rule set of the settings, until match.pairs or the
 * sequential test ends it, and prints the results on rank 0's stdout, also when it was stopped. */
bool contest_run(struct job *job, bool *stopped, struct err *err);

/* Writes the results of all such matches of a rule set that a run's catalogue has: of the players
 * as they were named last, and behind them of those who played with earlier settings. */
bool contest_status(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                    struct err *err);
