/* How many different openings there are. */
#pragma once

#include <stdint.h>

#include "engine/rules/variant.h"

/* Positions that can arise in exactly `plies` half-moves from the start position and leave a game
 * to play; `limit` when there are as many or more, or as many on the way there, or memory is out.
 * Takes a second or so where the limit is a million. */
int64_t opening_count(const struct variant *variant, int plies, int64_t limit);
