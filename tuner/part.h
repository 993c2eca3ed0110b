/* A part of a generation's games, played in a directory of its own, as the tasks of a job array do;
 * merge.h puts parts together. A part has its games and no shards. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "tuner/job.h"
#include "tuner/settings.h"

/* Takes what was typed behind --games ("100:200": games 100 to 199) and --generation, each of which
 * may be NULL, into settings->part. ERR_USAGE when it is no part of the games. */
bool part_take(struct settings *settings, const char *games, const char *generation,
               struct err *err);

/* Collective. Plays the part that job->settings describe, for each rule set. Of a later generation
 * than 0 the weights come from the run `of`, the same text on every rank, and are kept in the
 * part's directory, so that it need not be named again. *stopped: cut short by a signal; the same
 * call goes on. */
bool part_run(struct job *job, const char *of, bool *stopped, struct err *err);
