/* The ways a piece can travel through one capture: the squares it lands on, in order.
 *
 * A capture is named by start, end and the set of taken pieces; the same capture can often be made
 * along several paths. Notation that names the squares landed on, and front ends that enter a
 * capture square by square, need them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/board/position.h"

enum { PATH_SQUARES = TAKEN_MAX + 1 };

/* Squares (1..) landed on, the end included, then 0s. */
struct path {
    uint8_t square[PATH_SQUARES];
};

/* Finds up to `limit` paths of a legal move that land on the squares `through[0..count)` in this
 * order (others may come between). Returns how many were found; a quiet move has one path, its
 * end square. `through` may be NULL when count is 0. */
int path_find(const struct rules *rules, const struct position *position, const struct move *move,
              const uint8_t *through, int count, struct path *paths, int limit);

/* Whether some path of a legal move starts with exactly the squares `landed[0..count)`; *whole
 * tells that they are all of it. */
bool path_begins(const struct rules *rules, const struct position *position,
                 const struct move *move, const uint8_t *landed, int count, bool *whole);
