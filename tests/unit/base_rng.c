/* The random numbers: the published known answers, and draws that are uniform and independent of
 * the order they are asked in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/base/rng.h"

static void check_block(struct rng_block block, const uint32_t expected[4])
{
    for (int i = 0; i < 4; i++) {
        assert_int_equal(block.word[i], expected[i]);
    }
}

/* The known-answer vectors that the authors publish with Philox4x32-10. */
static void known_answers(void **state)
{
    (void)state;
    const uint32_t zero[4] = {0};
    check_block(rng_philox(zero, zero),
                (const uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const uint32_t ones[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    check_block(rng_philox(ones, ones),
                (const uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    const uint32_t key[2] = {0xa4093822, 0x299f31d0};
    const uint32_t counter[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    check_block(rng_philox(key, counter),
                (const uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

/* Every argument matters, and nothing else does. */
static void draws_depend_on_all_arguments(void **state)
{
    (void)state;
    struct rng rng = rng_make(1, RNG_TEST, 2);
    uint64_t draw = rng_draw(&rng, 3);
    struct rng other[] = {rng_make(2, RNG_TEST, 2), rng_make(1, RNG_LEVEL, 2),
                          rng_make(1, RNG_TEST, 3), rng_make(UINT64_C(1) << 32 | 1, RNG_TEST, 2),
                          rng_make(1, RNG_TEST, UINT64_C(1) << 32 | 2)};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_true(rng_draw(&other[i], 3) != draw);
    }
    assert_true(rng_draw(&rng, 4) != draw);
    assert_true(rng_draw(&rng, UINT64_C(1) << 32 | 3) != draw);
    struct rng again = rng_make(1, RNG_TEST, 2);
    assert_true(rng_draw(&again, 3) == draw);
}

/* Pearson's statistic of `draws` draws over `bound` cells. */
static double chi_square(uint32_t bound, int draws)
{
    struct rng rng = rng_make(20, RNG_TEST, bound);
    int seen[64] = {0};
    for (int i = 0; i < draws; i++) {
        uint32_t value = rng_below(&rng, (uint64_t)i, bound);
        assert_true(value < bound);
        seen[value]++;
    }
    double expected = (double)draws / bound, sum = 0;
    for (uint32_t i = 0; i < bound; i++) {
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    return sum;
}

/* For n degrees of freedom the statistic has mean n and variance 2n; five deviations either way. */
static void below_is_uniform(void **state)
{
    (void)state;
    const uint32_t bounds[] = {2, 3, 7, 10, 50, 64};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        double freedom = bounds[i] - 1.0;
        double off = chi_square(bounds[i], 100000) - freedom;
        assert_true(off * off < 25 * 2 * freedom);
    }
}

/* Scaling takes the high bits of the draw: compare with the exact quotient in long division. */
static void below_scales_the_draw(void **state)
{
    (void)state;
    struct rng rng = rng_make(9, RNG_TEST, 0);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t draw = rng_draw(&rng, i);
        assert_int_equal(rng_below(&rng, i, 1), 0);
        assert_int_equal(rng_below(&rng, i, 2), draw >> 63);
        assert_int_equal(rng_below(&rng, i, UINT32_C(1) << 31), draw >> 33);
        uint32_t most = rng_below(&rng, i, UINT32_MAX);
        assert_true(most == draw >> 32 || most + 1 == draw >> 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(draws_depend_on_all_arguments),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(below_scales_the_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
