/* Parts of a generation's games put together into a run: the same records, byte for byte, as if the
 * run had played them all. Needs no MPI. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/base/log.h"

/* Takes the games of the parts' directories into the run, which is made when it does not exist, and
 * makes its shards once all games are there; then the stage is finished, and the results go to
 * `out`. The parts are left as they are. Games that stand in several parts are named in the log and
 * kept once.
 *
 * ERR_USAGE: a part of other settings, weights or software (the differences are listed), or of
 * another generation. ERR_FAILED: a part that is being played; one game with different moves in two
 * parts; games are missing, which are named: those that are there have been taken, and merging
 * further parts, or the run's own self-play, adds the others. */
bool merge(FILE *out, const struct log *log, const char *directory, const char *const *parts,
           size_t count, struct err *err);
