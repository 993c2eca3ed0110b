/* Games as PDN 3.0 (docs/pdn.md). */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "engine/rules/game.h"
#include "engine/search/search.h"

struct pdn_tag {
    const char *name; /* a capital, then letters, digits and _ */
    const char *value;
};

/* What is known of a move; it goes into a comment behind it. */
struct pdn_note {
    int16_t score;        /* hundredths of a man, the mover's view; SCORE_NONE: no comment */
    int depth;            /* plies searched; 0: not known */
    int64_t microseconds; /* that the player took; below 0: not known */
};

/* Writes one game, an empty line behind it. The tags come in the order given; Result, GameType or
 * Rules, SetUp and FEN are the writer's own, and of these names none is taken from `tags`.
 * Control characters in a value become blanks.
 *
 * notes[game->plies], or NULL, make the comments `{[%eval 0.12,13] [%emt 0:00:00.082413]}`: score
 * from White's view and depth, `#3` being a win for White in three of its moves, `#-3` one for
 * Black; and the time of the move. Depth and time are left out when they are not known.
 *
 * Write errors are for the caller to look for in `out`. */
void pdn_write(FILE *out, const struct pdn_tag *tags, size_t tag_count, const struct game *game,
               enum outcome outcome, const struct pdn_note *notes);
