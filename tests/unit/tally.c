/* Pairs counted in order: where a test ends a match does not depend on the order they finish in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "selfplay/strength/tally.h"

enum { PAIRS = 400 };

static const struct sprt TEST = {SPRT_NORMALISED, 0, 40, 0.05, 0.05};

/* Made-up games, the first player scoring `percent` of the points. */
static void make_scores(int scores[PAIRS][2], uint32_t percent)
{
    struct rng rng = rng_make(3, RNG_TEST, percent);

    for (int pair = 0; pair < PAIRS; pair++) {
        for (int game = 0; game < 2; game++) {
            uint64_t draw = 4 * (uint64_t)pair + 2 * (uint64_t)game;
            scores[pair][game] = (int)(rng_below(&rng, draw, 100) < percent) +
                                 (int)(rng_below(&rng, draw + 1, 100) < percent);
        }
    }
}

/* The same pairs in an order of their own. */
static void shuffle(int order[PAIRS], uint64_t seed)
{
    struct rng rng = rng_make(seed, RNG_TEST, 1);

    for (int i = 0; i < PAIRS; i++) {
        order[i] = i;
    }
    for (int i = PAIRS - 1; i > 0; i--) {
        int j = (int)rng_below(&rng, (uint64_t)i, (uint32_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void test_any_order(void **state)
{
    (void)state;
    const uint32_t percents[] = {40, 58};
    for (int k = 0; k < 2; k++) {
        int scores[PAIRS][2];
        struct tally first;
        make_scores(scores, percents[k]);
        assert_true(tally_init(&first, &TEST, PAIRS, NULL));
        for (int i = 0; i < PAIRS; i++) {
            tally_add(&first, i, scores[i][0], scores[i][1]);
        }
        assert_int_equal(first.decision, k == 0 ? SPRT_ACCEPT_ELO0 : SPRT_ACCEPT_ELO1);
        assert_in_range(first.counted, 10, PAIRS - 1);
        for (uint64_t seed = 0; seed < 20; seed++) {
            int order[PAIRS];
            struct tally other;
            shuffle(order, seed);
            assert_true(tally_init(&other, &TEST, PAIRS, NULL));
            for (int i = 0; i < PAIRS; i++) {
                tally_add(&other, order[i], scores[order[i]][0], scores[order[i]][1]);
            }
            assert_int_equal(other.decision, first.decision);
            assert_int_equal(other.counted, first.counted);
            assert_memory_equal(&other.scores, &first.scores, sizeof first.scores);
            tally_fini(&other);
        }
        tally_fini(&first);
    }
}

static void test_a_gap_waits(void **state)
{
    (void)state;
    struct tally tally;

    assert_true(tally_init(&tally, NULL, 3, NULL));
    tally_add(&tally, 1, 2, 0);
    tally_add(&tally, 1, 0, 0); /* there before, if not yet counted */
    tally_add(&tally, 2, 2, 2);
    assert_int_equal(tally.counted, 0);
    tally_add(&tally, 0, 0, 1);
    assert_int_equal(tally.counted, 3);
    tally_add(&tally, 0, 2, 2); /* there before */
    tally_add(&tally, 3, 2, 2); /* no room */
    assert_int_equal(tally.counted, 3);
    assert_int_equal(tally.scores.pairs[1], 1);
    assert_int_equal(tally.scores.pairs[2], 1);
    assert_int_equal(tally.scores.pairs[4], 1);
    assert_int_equal(tally.scores.wins, 3);
    assert_int_equal(tally.scores.draws, 1);
    assert_int_equal(tally.scores.losses, 2);
    tally_fini(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_a_gap_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
