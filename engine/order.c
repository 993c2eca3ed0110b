/* Merit of moves before they are searched, and what is learnt about it while searching. */
#include "engine/order.h"

enum {
    MERIT_FIRST = 1 << 21,
    MERIT_CAPTURE = 1 << 18, /* a captured man; a king counts twice */
    MERIT_CROWNING = 1 << 17,
};

static int move_merit(const struct rules *rules, const struct position *position,
                      const struct move *move, const struct history *history)
{
    enum colour us = (enum colour)position->turn;
    int merit = history->mark[us][move->from][move->to];

    if (move->taken != 0) {
        bitboard kings = move->taken & position->kings[colour_other(us)];
        int value = bit_count(move->taken) + bit_count(kings);
        merit += MERIT_CAPTURE * (value < 7 ? value : 7);
    }
    if (move_crowns(rules, position, move)) {
        merit += MERIT_CROWNING;
    }
    return merit;
}

void order_init(struct order *order, const struct rules *rules, const struct position *position,
                const struct move_list *list, const struct history *history, int first)
{
    order->count = list->count;
    for (int i = 0; i < list->count; i++) {
        int merit = i == first ? MERIT_FIRST : move_merit(rules, position, &list->move[i], history);
        order->rank[i] = merit * MOVES_MAX + (MOVES_MAX - 1 - i);
    }
}

/* The list index that is packed into a rank. */
static int rank_index(int32_t rank)
{
    return MOVES_MAX - 1 - (rank & (MOVES_MAX - 1));
}

int order_pick(struct order *order, int n)
{
    int best = n;

    for (int i = n + 1; i < order->count; i++) {
        if (order->rank[i] > order->rank[best]) {
            best = i;
        }
    }
    int32_t rank = order->rank[best];
    order->rank[best] = order->rank[n];
    order->rank[n] = rank;
    return rank_index(rank);
}

/* Moves a mark towards +-HISTORY_MAX, the less the nearer it is, so that it stays in bounds. */
static void adjust(int16_t *mark, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus;
    *mark = (int16_t)(*mark + bonus - *mark * size / HISTORY_MAX);
}

void history_update(struct history *history, enum colour turn, const struct move_list *list,
                    const struct order *order, int n, int depth)
{
    int bonus = depth < 16 ? depth * depth * 16 : 4096;

    for (int i = 0; i <= n; i++) {
        const struct move *move = &list->move[rank_index(order->rank[i])];
        adjust(&history->mark[turn][move->from][move->to], i < n ? -bonus : bonus);
    }
}
