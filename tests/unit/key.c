/* Keys of positions: two are the same only where the positions are, and each bit is as good as
 * another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support.h"

enum { POSITIONS = 60000, BUCKET_BITS = 10 };

struct keyed {
    uint64_t key;
    struct position position;
};

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct keyed *)a)->key, y = ((const struct keyed *)b)->key;
    return x < y ? -1 : x > y;
}

/* Fills found[POSITIONS] with positions of random games and of scattered pieces, sorted by key, and
 * returns how many differ. */
static int different_positions(const struct variant *variant, struct keyed *found)
{
    int count = 1;

    for (int n = 0; n < POSITIONS; n++) {
        found[n].position = random_position(variant, (uint64_t)n, n % 3 == 0);
        found[n].key = position_key(&found[n].position);
    }
    qsort(found, POSITIONS, sizeof found[0], by_key);
    for (int n = 1; n < POSITIONS; n++) {
        bool same = position_equal(&found[n - 1].position, &found[n].position);
        assert_int_equal(same, found[n - 1].key == found[n].key);
        count += !same;
    }
    return count;
}

/* Buckets by some bits of the keys are filled as by chance: the sum of squares, in what chance
 * gives, is within six of its standard deviations. */
static void assert_even(const struct keyed *found, int count, int shift)
{
    enum { BUCKETS = 1 << BUCKET_BITS };
    int filled[BUCKETS] = {0};
    double expected = (double)count / BUCKETS, squares = 0;

    for (int n = 0; n < POSITIONS; n++) {
        if (n == 0 || found[n].key != found[n - 1].key) {
            filled[found[n].key >> shift & (BUCKETS - 1)]++;
        }
    }
    for (int i = 0; i < BUCKETS; i++) {
        squares += (filled[i] - expected) * (filled[i] - expected) / expected;
    }
    assert_true(squares < BUCKETS + 6 * 45.3); /* sqrt(2 * 1024) */
    assert_true(squares > BUCKETS - 6 * 45.3);
}

static void test_keys(void **state)
{
    struct keyed *found = malloc(POSITIONS * sizeof *found);

    (void)state;
    assert_non_null(found);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        int count = different_positions(variant_at(v), found);
        assert_in_range(count, POSITIONS / 2, POSITIONS);
        for (int shift = 0; shift + BUCKET_BITS <= 64; shift += 9) {
            assert_even(found, count, shift);
        }
    }
    free(found);
}

/* A position with the turn, a colour or a crown changed has another key. */
static void test_small_changes(void **state)
{
    (void)state;
    for (int square = 1; square <= 50; square++) {
        bitboard at = bit(square_to_bit(variant_international.rules, square));
        struct position position[] = {
            {.men = {at, 0}},   {.men = {0, at}},   {.men = {at, 0}, .turn = BLACK},
            {.kings = {at, 0}}, {.kings = {0, at}}, {.men = {0, at}, .turn = BLACK},
        };
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < i; j++) {
                assert_true(position_key(&position[i]) != position_key(&position[j]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_small_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
