/* Weights made ready for the search give the score that the weights themselves give. */
#include "engine/eval/evaluator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "support.h"

enum { POSITIONS = 3000, ANY_WEIGHT = INT16_MAX };

static int16_t random_weight(const struct rng *rng, int place, int most)
{
    return (int16_t)((int)rng_below(rng, (uint64_t)place, 2 * (uint32_t)most + 1) - most);
}

/* Weights in [-most, most]; of the patterns of `set`, NULL: without. To be given back with
 * weights_fini. */
static struct weights random_weights(const struct variant *variant, const struct pattern_set *set,
                                     int most)
{
    struct rng rng = rng_make(5, RNG_TEST, (uint64_t)most);
    struct weights weights = {.patterns = NULL};
    int place = 0;

    for (int i = 0; i < FEATURES_MAX; i++) {
        weights.opening[i] = random_weight(&rng, place++, most);
        weights.ending[i] = random_weight(&rng, place++, most);
    }
    if (set != NULL) {
        weights.patterns = pattern_table_create(variant->rules, set);
        assert_non_null(weights.patterns);
        for (int i = 0; i < weights.patterns->count; i++) {
            weights.patterns->weight[i].opening = random_weight(&rng, place++, most);
            weights.patterns->weight[i].ending = random_weight(&rng, place++, most);
        }
    }
    return weights;
}

/* `set`: what weights without patterns are taken to have. */
static void assert_same_scores(const struct variant *variant, const struct pattern_set *set,
                               const struct weights *weights)
{
    struct evaluator *evaluator = evaluator_create(variant->rules, set, weights);

    assert_non_null(evaluator);
    for (uint64_t n = 0; n < POSITIONS; n++) {
        struct position position = random_position(variant, n, n % 2 == 1);
        assert_int_equal(variant->evaluate_folded(&position, evaluator),
                         variant->evaluate(&position, weights));
    }
    free(evaluator);
}

static void assert_set(const struct variant *variant, const struct pattern_set *set, int most)
{
    struct weights weights = random_weights(variant, set, most);
    struct weights without = random_weights(variant, NULL, most);

    assert_same_scores(variant, variant->pattern_sets[0], &weights);
    assert_same_scores(variant, set, &without);
    weights_fini(&weights);
}

static void test_random_weights(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int i = 0; i < PATTERN_SETS; i++) {
            assert_set(variant_at(v), variant_at(v)->pattern_sets[i], 200);
        }
    }
}

/* No sum of opening weights spills into the ending ones, nor comes short. */
static void test_largest_weights(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int i = 0; i < PATTERN_SETS; i++) {
            assert_set(variant_at(v), variant_at(v)->pattern_sets[i], ANY_WEIGHT);
        }
    }
}

/* Each man alone on each square, by weights that differ: none is left out or counted twice. */
static void test_single_men(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct weights weights = random_weights(variant, variant->pattern_sets[0], 1000);
        struct evaluator *evaluator =
            evaluator_create(variant->rules, variant->pattern_sets[0], &weights);
        assert_non_null(evaluator);
        for (int square = 1; square <= variant->rules->squares; square++) {
            for (int colour = WHITE; colour <= BLACK; colour++) {
                struct position position = {.turn = (uint8_t)(square % 2)};
                position.men[colour] = bit(square_to_bit(variant->rules, square));
                assert_int_equal(variant->evaluate_folded(&position, evaluator),
                                 variant->evaluate(&position, &weights));
            }
        }
        free(evaluator);
        weights_fini(&weights);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_men),
        cmocka_unit_test(test_random_weights),
        cmocka_unit_test(test_largest_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
