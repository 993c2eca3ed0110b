/* Moves as PDN has them: `32-28`; `26x37` when one legal capture has this start and end; else all
 * squares landed on, `47x38x24x13x36`. */
#pragma once

#include "engine/base/err.h"
#include "engine/pdn/pdn_lex.h"
#include "engine/rules/notation.h"
#include "engine/rules/variant.h"

enum { PDN_MOVE_TEXT = MOVE_TEXT };

/* Writes a legal move. The squares of the full form: where the piece turns, else the one just
 * behind each piece taken. */
void pdn_move_write(const struct variant *variant, const struct position *position,
                    const struct move *move, char out[PDN_MOVE_TEXT]);

/* Reads a legal move. The squares between start and end may be left out, or name some or all of
 * those landed on. The full form comes first, then any move that passes through the squares, then
 * the machine form (notation.h). ERR_USAGE: not legal, or it fits two moves (they are named in
 * the full form). */
bool pdn_move_read(const struct variant *variant, const struct position *position,
                   const struct pdn_squares *squares, struct move *out, struct err *err);
