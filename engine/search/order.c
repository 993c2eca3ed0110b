/* Merit of moves before they are searched, and what is learnt about it while searching. */
#include "engine/search/order.h"

enum {
    MERIT_FIRST = 1 << 21,
    MERIT_CAPTURE = 1 << 18, /* a captured man */
    MERIT_CROWNING = 1 << 17,
};

/* What a capture takes, in men; a king counts twice. */
static int capture_value(const struct position *position, const struct move *move)
{
    bitboard kings = position->kings[colour_other((enum colour)position->turn)];
    int value = bit_count(move->taken) + bit_count(move->taken & kings);

    return value < 7 ? value : 7;
}

static int mark_load(const _Atomic int16_t *mark)
{
    return atomic_load_explicit(mark, memory_order_relaxed);
}

/* The list index that is packed into a rank. */
static int rank_index(int32_t rank)
{
    return MOVES_MAX - 1 - (rank & (MOVES_MAX - 1));
}

static int32_t make_rank(int merit, int index)
{
    return merit * MOVES_MAX + (MOVES_MAX - 1 - index);
}

static void rank_moves(struct order *order)
{
    const struct position *position = order->position;
    enum colour us = (enum colour)position->turn;
    bitboard crowning = far_row(order->rules, us);

    for (int i = 0; i < order->list->count; i++) {
        const struct move *move = &order->list->move[i];
        int merit = mark_load(&order->history->mark[us][move->from][move->to]);
        if (move->taken != 0) {
            merit += MERIT_CAPTURE * capture_value(position, move);
        }
        if ((bit(move->to) & crowning) != 0 && (bit(move->from) & position->men[us]) != 0) {
            merit += MERIT_CROWNING;
        }
        order->rank[i] = make_rank(i == order->first ? MERIT_FIRST : merit, i);
    }
    order->ranked = true;
}

/* Brings the best rank from the n-th on to the n-th place. */
static void bring_up(struct order *order, int n)
{
    int best = n;

    for (int i = n + 1; i < order->list->count; i++) {
        if (order->rank[i] > order->rank[best]) {
            best = i;
        }
    }
    int32_t rank = order->rank[best];
    order->rank[best] = order->rank[n];
    order->rank[n] = rank;
}

int order_pick(struct order *order, int n)
{
    if (n == 0 && order->first < order->list->count) {
        order->rank[0] = make_rank(MERIT_FIRST, order->first);
        return order->first;
    }
    if (!order->ranked) {
        rank_moves(order);
        if (n == 1) {
            bring_up(order, 0);
        }
    }
    bring_up(order, n);
    return rank_index(order->rank[n]);
}

/* Moves a mark towards +-HISTORY_MAX, the less the nearer it is, so that it stays in bounds. */
static void adjust(_Atomic int16_t *mark, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus, old = mark_load(mark);
    atomic_store_explicit(mark, (int16_t)(old + bonus - old * size / HISTORY_MAX),
                          memory_order_relaxed);
}

void history_update(struct history *history, const struct order *order, int n, int depth)
{
    enum colour us = (enum colour)order->position->turn;
    int bonus = depth < 16 ? depth * depth * 16 : 4096;

    for (int i = 0; i <= n; i++) {
        const struct move *move = &order->list->move[rank_index(order->rank[i])];
        adjust(&history->mark[us][move->from][move->to], i < n ? -bonus : bonus);
    }
}
