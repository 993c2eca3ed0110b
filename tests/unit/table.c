/* The transposition table. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/search/score.h"
#include "engine/search/table.h"

enum { BITS = 4, BUCKET = 4, THREADS = 3, ROUNDS = 1000000 };

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
    table_store(table, &entry);
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

/* What every thread stores for a key, so that any mixture of two entries shows. */
static struct table_entry entry_for(uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);

    return (struct table_entry){.key = key,
                                .score = (int16_t)(mixed >> 16 & 0x7fff),
                                .move = (uint16_t)(mixed >> 32),
                                .depth = (int8_t)(mixed >> 48 & 0x7f),
                                .bound = (uint8_t)(1 + mixed % 3)};
}

struct crowd {
    struct table *table;
    uint64_t seed, found, wrong;
};

/* Stores into and probes one bucket, in a hurry. */
static void *crowd_run(void *context)
{
    struct crowd *crowd = context;

    for (uint64_t n = crowd->seed; n < crowd->seed + ROUNDS; n++) {
        uint64_t key = key_of(1 + (n * n >> 3) % 7), sought = key_of(1 + n % 7);
        struct table_entry entry = entry_for(key), right = entry_for(sought), got;
        table_store(crowd->table, &entry);
        table_prefetch(crowd->table, sought);
        if (table_probe(crowd->table, sought, &got)) {
            crowd->found++;
            crowd->wrong += got.key != sought || got.score != right.score ||
                            got.move != right.move || got.depth != right.depth ||
                            got.bound != right.bound;
        }
    }
    return NULL;
}

/* Threads that write the same lines never read half of one entry and half of another. */
static void test_shared(void **state)
{
    struct table table;
    pthread_t thread[THREADS];
    struct crowd crowd[THREADS];

    (void)state;
    assert_true(table_init(&table, BITS));
    for (int i = 0; i < THREADS; i++) {
        crowd[i] = (struct crowd){.table = &table, .seed = (uint64_t)i * 1000003};
        assert_int_equal(pthread_create(&thread[i], NULL, crowd_run, &crowd[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(crowd[i].found > ROUNDS / 4);
        assert_true(crowd[i].wrong == 0);
    }
    table_fini(&table);
}

/* Large enough for huge pages, and the last bucket can be used. */
static void test_large(void **state)
{
    struct table table;

    (void)state;
    assert_true(table_init(&table, 18));
    store(&table, UINT64_MAX, 3, 17);
    assert_true(holds(&table, UINT64_MAX));
    table_clear(&table);
    assert_false(holds(&table, UINT64_MAX));
    table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),  cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_scores), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
