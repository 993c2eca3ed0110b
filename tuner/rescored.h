/* Which generation's games a generation is made of: its own, or those of an earlier one, which are
 * searched again (selfplay/rescore.h). */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "tuner/job.h"

/* On rank 0: the generation that first played the games of this one; itself when it plays, or is to
 * play, its own. */
bool rescored_from(struct catalogue *catalogue, const struct variant *variant, int generation,
                   int *origin, struct err *err);

/* Collective: the same. */
bool rescored_origin(struct job *job, const struct variant *variant, int generation, int *origin,
                     struct err *err);
