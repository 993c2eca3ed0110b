/* In which order the search tries the moves of a position: the table's move, then captures and
 * crownings, then by how often a move has refuted other positions (history). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/board/position.h"

/* Marks by side to move and squares, in [-HISTORY_MAX, HISTORY_MAX]. Zero bytes: nothing is known
 * yet. The threads of a search share one, so that each knows what all have seen; where two change
 * a mark at once, one change may be lost. */
enum { HISTORY_MAX = 1 << 14 };
struct history {
    _Atomic int16_t mark[2][64][64];
};

/* The moves of a list, best first only as far as they were asked for; ranked only when the table's
 * move was not enough. */
struct order {
    const struct rules *rules; /* not owned, as the next three */
    const struct position *position;
    const struct move_list *list;
    const struct history *history;
    int first;
    bool ranked;
    int32_t rank[MOVES_MAX]; /* merit * MOVES_MAX + (MOVES_MAX - 1 - index): all different */
};

/* Index in the list of the n-th best move; n counts up from 0 to list->count - 1. order->first is
 * the index of the move to try first, or any value outside the list; ranked is false at first. */
int order_pick(struct order *order, int n);

/* Remembers that the n-th move picked refuted the position at `depth`, and that the n quiet moves
 * before it did not. From any thread. */
void history_update(struct history *history, const struct order *order, int n, int depth);

/* Whether the move makes a king of a man. */
static inline bool move_crowns(const struct rules *rules, const struct position *position,
                               const struct move *move)
{
    enum colour us = (enum colour)position->turn;
    return (bit(move->from) & position->men[us]) != 0 && (bit(move->to) & far_row(rules, us)) != 0;
}
