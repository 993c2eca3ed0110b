/* Games as PDN 3.0 (docs/pdn.md). */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "engine/game.h"
#include "engine/search.h"

struct pdn_tag {
    const char *name; /* a capital, then letters, digits and _ */
    const char *value;
};

/* Writes one game, an empty line behind it. The tags come in the order given; Result, GameType or
 * Rules, SetUp and FEN are the writer's own, and of these names none is taken from `tags`.
 * Control characters in a value become blanks.
 *
 * scores[game->plies] in hundredths of a man, from the mover's view, each goes into a comment
 * behind its move, `{[%eval 0.12]}`, from White's view; SCORE_NONE leaves it out; NULL: none.
 * `#3` is a win for White in three of its moves, `#-3` one for Black.
 *
 * Write errors are for the caller to look for in `out`. */
void pdn_write(FILE *out, const struct pdn_tag *tags, size_t tag_count, const struct game *game,
               enum outcome outcome, const int16_t *scores);
