/* Positions as text: FEN as PDN has it, `W:WK28,31-50:B1-20,K23`: side to move,
 * then each colour's squares. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"

enum { FEN_SIZE = 256 };

/* Reads a FEN. Ranges, `K` before a king or a range, colours in either order, empty sides, spaces,
 * leading zeros and one final full stop are read. ERR_USAGE names the fault and the character
 * where it stands: no or unknown side to move, side named twice or missing, unknown square, square
 * named twice, range that runs backwards, man on its far row, lower case, trailing text.
 * quiet_plies is 0, since a FEN has no counter. */
bool fen_read(const struct rules *rules, const char *text, struct position *out, struct err *err);

/* Writes the FEN: side to move, White's then Black's squares ascending, no ranges, no spaces. */
void fen_write(const struct rules *rules, const struct position *position, char out[FEN_SIZE]);
