/* The transposition table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/score.h"
#include "engine/table.h"

enum { BITS = 4, BUCKET = 4 };

/* Keys that share a bucket: n counts up from 1. */
static uint64_t key_of(uint64_t n)
{
    return n << 32;
}

static void store(struct table *table, uint64_t key, int depth, int score)
{
    struct table_entry entry = {
        .key = key,
        .depth = (int8_t)depth,
        .score = (int16_t)score,
        .bound = BOUND_EXACT,
        .move = 3,
    };
    table_store(table, entry);
}

static bool holds(const struct table *table, uint64_t key)
{
    struct table_entry entry;
    return table_probe(table, key, &entry);
}

static void test_probe(void **state)
{
    struct table table;
    struct table_entry entry = {.score = 1};

    (void)state;
    assert_true(table_init(&table, BITS));
    assert_false(table_probe(&table, 0, &entry));
    assert_false(table_probe(&table, key_of(1), &entry));
    assert_int_equal(entry.score, 1);
    store(&table, key_of(1), 5, -77);
    assert_true(table_probe(&table, key_of(1), &entry));
    assert_int_equal(entry.score, -77);
    assert_int_equal(entry.depth, 5);
    assert_int_equal(entry.move, 3);
    store(&table, key_of(1), 2, 8);
    assert_true(table_probe(&table, key_of(1), &entry));
    assert_int_equal(entry.score, 8);
    table_clear(&table);
    assert_false(holds(&table, key_of(1)));
    table_fini(&table);
}

/* A full bucket gives up its shallowest entry, and an older search's before any new one. */
static void test_replacement(void **state)
{
    struct table table;

    (void)state;
    assert_true(table_init(&table, BITS));
    for (int n = 1; n <= BUCKET; n++) {
        store(&table, key_of((uint64_t)n), 10 - n, 0);
    }
    store(&table, key_of(5), 1, 0);
    assert_false(holds(&table, key_of(4)));
    assert_true(holds(&table, key_of(1)));
    assert_true(holds(&table, key_of(5)));

    table_grow_old(&table);
    store(&table, key_of(5), 1, 0);
    store(&table, key_of(6), 1, 0);
    assert_false(holds(&table, key_of(3)));
    store(&table, key_of(7), 1, 0);
    store(&table, key_of(8), 1, 0);
    assert_false(holds(&table, key_of(1)));
    assert_true(holds(&table, key_of(5)));
    table_fini(&table);
}

/* A win seen 3 plies below a position that lies 4 plies below the root. */
static void test_scores(void **state)
{
    (void)state;
    assert_int_equal(table_score_in(SCORE_WON - 7, 4), SCORE_WON - 3);
    assert_int_equal(table_score_out(SCORE_WON - 3, 10), SCORE_WON - 13);
    assert_int_equal(table_score_in(-(SCORE_WON - 7), 4), -(SCORE_WON - 3));
    assert_int_equal(table_score_out(-(SCORE_WON - 3), 10), -(SCORE_WON - 13));
    assert_int_equal(table_score_in(120, 4), 120);
    assert_int_equal(table_score_out(-120, 4), -120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
