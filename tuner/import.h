/* Games and positions of others taken into a run, so that weights are tuned to them. Needs no
 * MPI. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "engine/rules/variant.h"
#include "tuner/settings.h"

struct import_request {
    const struct settings *settings; /* checked; the run is made with them, or has them */
    const char *directory;           /* of the run */
    const struct variant *given;     /* of what names no rule set; NULL: found out from a game's
                                        moves, of positions the one of run.rules */
    const char *const *files;        /* [count]: NAME.pdn or NAME.csv */
    size_t count;
};

/* Makes of the files the shards of generation 0, whose self-play is finished with that, for each
 * rule set that they have something of; a line on each goes to `out`.
 *
 * PDN (docs/pdn.md): of each game with a result the positions in which a move was chosen, up to
 * its first fault. CSV: the first line names the columns, in any order, others than these are
 * passed over:
 *
 *     fen, result     needed; result is White's: 1-0, 1/2-1/2, 0-1, 2-0, 1-1, 0-2, 1, 0.5, 1/2, 0
 *     rules           the rule set's name
 *     generation, game  lines with the same in both that follow one another are of one game;
 *                     without column game each line is a game of its own
 *     ply, score, best_move  as export_csv writes them; may be empty
 *
 * What cannot be taken is a warning in the log, "file:line: what", and counted in the last line of
 * `out`. ERR_USAGE: a file that is missing or of another kind, a needed column that is missing,
 * generation 0 of a rule set that has begun. ERR_FAILED: nothing was taken. When it fails the
 * catalogue is as it was before. */
bool import(FILE *out, const struct log *log, const struct import_request *request,
            struct err *err);
