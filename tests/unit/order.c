/* The order in which moves are tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "engine/search/order.h"
#include "support.h"

static const struct history NOTHING_LEARNT;

static struct order order_of(const struct variant *variant, const struct position *position,
                             const struct move_list *list, const struct history *history, int first)
{
    return (struct order){.rules = variant->rules,
                          .position = position,
                          .list = list,
                          .history = history,
                          .first = first};
}

/* Every move comes once, the one to be first at first, the other quiet moves by their marks. */
static void assert_order(const struct variant *variant, const struct position *position,
                         const struct history *history, int first)
{
    struct move_list list;
    bool seen[MOVES_MAX] = {false};
    int last = INT32_MAX;

    variant->moves(position, &list);
    struct order order = order_of(variant, position, &list, history, first);
    for (int n = 0; n < list.count; n++) {
        int index = order_pick(&order, n);
        assert_in_range(index, 0, list.count - 1);
        assert_false(seen[index]);
        seen[index] = true;
        const struct move *move = &list.move[index];
        if (first < list.count && n == 0) {
            assert_int_equal(index, first);
        } else if (move->taken == 0 && !move_crowns(variant->rules, position, move)) {
            int mark = history->mark[position->turn][move->from][move->to];
            assert_true(mark <= last);
            last = mark;
        }
    }
}

static void test_pick(void **state)
{
    static struct history history;
    struct rng rng = rng_make(1, RNG_TEST, 0);

    (void)state;
    for (int i = 0; i < 2 * 64 * 64; i++) {
        history.mark[i / 4096][i / 64 % 64][i % 64] =
            (int16_t)((int)rng_below(&rng, (uint64_t)i, 2 * HISTORY_MAX) - HISTORY_MAX);
    }
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (uint64_t n = 0; n < 1000; n++) {
            struct position position = random_position(variant_at(v), n, n % 2 == 0);
            assert_order(variant_at(v), &position, &history, (int)n % 7);
            assert_order(variant_at(v), &position, &history, MOVES_MAX);
        }
    }
}

/* Crowning comes before other quiet moves, and the capture of a king before that of a man. */
static void test_worth(void **state)
{
    const struct variant *variant = &variant_classic;
    struct move_list list;

    (void)state;
    struct position crowning = position_of(variant, "B:W12:B1,2,28");
    variant->moves(&crowning, &list);
    struct order order = order_of(variant, &crowning, &list, &NOTHING_LEARNT, MOVES_MAX);
    assert_true(move_crowns(variant->rules, &crowning, &list.move[order_pick(&order, 0)]));

    struct position capture = position_of(variant, "W:W22,23:B18,K19");
    variant->moves(&capture, &list);
    order = order_of(variant, &capture, &list, &NOTHING_LEARNT, MOVES_MAX);
    assert_int_equal(list.move[order_pick(&order, 0)].taken, capture.kings[BLACK]);
}

/* What refuted comes first from then on, what was tried before it comes last. */
static void test_history(void **state)
{
    const struct variant *variant = &variant_international;
    static struct history history;
    struct position start = position_start(variant->rules);
    struct move_list list;

    (void)state;
    variant->moves(&start, &list);
    struct order order = order_of(variant, &start, &list, &history, MOVES_MAX);
    int failed = order_pick(&order, 0), refuted = order_pick(&order, 1);
    for (int i = 0; i < 1000; i++) {
        history_update(&history, &order, 1, 20);
    }
    order = order_of(variant, &start, &list, &history, MOVES_MAX);
    assert_int_equal(order_pick(&order, 0), refuted);
    for (int n = 1; n < list.count; n++) {
        int index = order_pick(&order, n);
        assert_int_equal(index == failed, n == list.count - 1);
    }
    assert_in_range(history.mark[WHITE][list.move[refuted].from][list.move[refuted].to], 1,
                    HISTORY_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_worth),
        cmocka_unit_test(test_history),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
