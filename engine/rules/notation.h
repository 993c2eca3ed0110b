/* Colours and moves as text.
 *
 * The machine form is unique: `32-28`; a capture is start, end, then the taken squares ascending,
 * `26x37x31`. Read are also the taken squares in any order, the short form `26x37`, and the PDN
 * form with the squares landed on, `14x3x12`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"

enum { MOVE_TEXT = 3 * (TAKEN_MAX + 2) }; /* two digits and a separator or the NUL a square */

/* "White" or "Black". */
const char *colour_name(enum colour colour);

/* Writes the machine form. */
void move_write(const struct rules *rules, const struct move *move, char out[MOVE_TEXT]);

/* Reads one move, legal in `position`. The text is taken as the machine form if a legal move has
 * it, else as PDN. ERR_USAGE: not a move, unknown square, no such legal move (capture compulsory
 * is said when it is), or fits two legal moves (the choices are named). */
bool move_read(const struct variant *variant, const struct position *position, const char *text,
               struct move *out, struct err *err);
