/* A match of two players whom the user names (sections player_one and player_two): our search, a
 * measured level, or another program over Hub. It is no stage of the pipeline: it needs no
 * self-play, and its pairs stand in the catalogue under the stage "players". */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "tuner/job.h"

/* Collective: plays the missing pairs for each rule set of the settings, until match.pairs or the
 * sequential test ends it, and prints the results on rank 0's stdout, also when it was stopped. */
bool contest_run(struct job *job, bool *stopped, struct err *err);

/* Writes the results of all such matches of a rule set that a run's catalogue has. */
bool contest_status(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                    struct err *err);
