/* Features and the evaluation made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "support.h"

enum { POSITIONS = 4000 };

/* Weights in [-200, 200], each feature another. */
static struct weights random_weights(uint64_t number)
{
    struct rng rng = rng_make(3, RNG_TEST, number);
    struct weights weights = {.patterns = NULL};

    for (uint64_t i = 0; i < FEATURES_MAX; i++) {
        weights.opening[i] = (int16_t)((int)rng_below(&rng, 2 * i, 401) - 200);
        weights.ending[i] = (int16_t)((int)rng_below(&rng, 2 * i + 1, 401) - 200);
    }
    return weights;
}

/* Groups lie one behind another, have different names, and fill feature_count. */
static void test_ranges(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct rules *rules = variant_at(v)->rules;
        int next = 0;
        for (int group = 0; group < FEATURE_GROUPS; group++) {
            struct feature_range range = feature_range(rules, (enum feature_group)group);
            assert_int_equal(range.first, next);
            assert_non_null(range.name);
            for (int other = 0; other < group; other++) {
                struct feature_range earlier = feature_range(rules, (enum feature_group)other);
                assert_string_not_equal(range.name, earlier.name);
            }
            next += range.count;
        }
        assert_int_equal(next, feature_count(rules));
        assert_in_range(next, 1, FEATURES_MAX);
        assert_int_equal(feature_range(rules, FEATURE_KING_SQUARE).count, rules->squares);
        assert_int_equal(feature_range(rules, FEATURE_GUARDED).count, 2);
    }
}

/* The formula of feature.h, from White's view. */
static int64_t dot_product(const struct rules *rules, const struct feature_list *list,
                           const struct weights *weights)
{
    int64_t sum = 0, full = 2 * rules->men_each;

    for (int i = 0; i < list->count; i++) {
        struct feature feature = list->feature[i];
        sum += feature.value * (weights->opening[feature.index] * (int64_t)list->phase +
                                weights->ending[feature.index] * (full - list->phase));
    }
    return sum / full;
}

static void assert_list_sound(const struct rules *rules, const struct feature_list *list)
{
    bool seen[FEATURES_MAX] = {false};

    assert_in_range(list->phase, 0, 2 * rules->men_each);
    for (int i = 0; i < list->count; i++) {
        int index = list->feature[i].index;
        assert_in_range(index, 0, feature_count(rules) - 1);
        assert_false(seen[index]);
        assert_int_not_equal(list->feature[i].value, 0);
        seen[index] = true;
    }
}

/* The played function is the tuned one, and both sides are judged alike. */
static void test_evaluate(void **state)
{
    int held = 0;

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct weights weights = random_weights((uint64_t)v);
        for (uint64_t n = 0; n < POSITIONS; n++) {
            struct position position = random_position(variant, n, n % 2 == 1);
            struct position mirror = position_mirror(variant->rules, &position);
            struct feature_list list;
            variant->features(&position, &list);
            assert_list_sound(variant->rules, &list);
            int64_t expected = dot_product(variant->rules, &list, &weights);
            if (is_held(variant->rules, &position, expected > 0 ? WHITE : BLACK)) {
                expected /= HELD_DIVISOR;
                held++;
            }
            int score = variant->evaluate(&position, &weights);
            assert_int_equal(score, position.turn == WHITE ? expected : -expected);
            assert_int_equal(score, variant->evaluate(&mirror, &weights));
        }
    }
    assert_true(held > 0);
}

static void test_held(void **state)
{
    static const struct {
        int variant;
        const char *fen;
        bool white, black;
    } cases[] = {
        {0, "W:WK1,K2,K3:BK50", true, true}, /* Black's lead too: White has a king */
        {0, "B:W31,32,33:BK50,6,7,8", true, false},
        {0, "W:WK1,K2,K3,44:BK50", false, true},
        {0, "W:WK1,K2,K3:B6", false, true},
        {0, "W:W31,32,33:B6", false, false},
        {0, "W:W31,32,33,34:BK5,6,7,8", false, false},
        {1, "W:WK1,K2,K3:BK32", false, false},
        {2, "W:WK1,K2,K3:BK32", false, false},
    };
    struct position position = position_of(&variant_international, "W:WK1,K2,K3:BK50");
    struct weights weights;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct variant *variant = variant_at(cases[i].variant);
        struct position at = position_of(variant, cases[i].fen);
        if (is_held(variant->rules, &at, WHITE) != cases[i].white ||
            is_held(variant->rules, &at, BLACK) != cases[i].black) {
            fail_msg("case %zu: %s", i, cases[i].fen);
        }
    }
    weights_builtin(variant_international.rules, &weights);
    assert_int_equal(variant_international.evaluate(&position, &weights), (900 - 300) / 8);
}

/* Value of one feature of a group. */
static int value_of(const struct variant *variant, const char *fen, enum feature_group group,
                    int offset)
{
    struct position position = position_of(variant, fen);
    int index = feature_range(variant->rules, group).first + offset;
    struct feature_list list;

    variant->features(&position, &list);
    for (int i = 0; i < list.count; i++) {
        if (list.feature[i].index == index) {
            return list.feature[i].value;
        }
    }
    return 0;
}

/* Values counted by hand. */
static void test_values(void **state)
{
    static const struct {
        int variant;
        const char *fen;
        enum feature_group group;
        int offset, value;
    } cases[] = {
        {0, "W:W31,K40:B5,K6,K7", FEATURE_MAN, 0, 0},
        {0, "W:W31,K40:B5,K6,K7", FEATURE_KING, 0, -1},
        {0, "W:W31,K40:B5,K6,K7", FEATURE_FIRST_KING, 0, 0},
        {0, "W:W31,K40:B5", FEATURE_FIRST_KING, 0, 1},
        {0, "B:W31:B5", FEATURE_TURN, 0, -1},
        {0, "W:W31:B5", FEATURE_MAN_SQUARE, 30, 1},
        {0, "W:W31:B5", FEATURE_MAN_SQUARE, 45, -1}, /* 5 turned is 46 */
        {0, "W:W31:B20", FEATURE_MAN_SQUARE, 30, 0}, /* 20 turned is 31 */
        {1, "W:WK31:BK1", FEATURE_KING_SQUARE, 31, -1},
        {0, "W:W22,23,27,28,24,29:B5", FEATURE_CENTRE, 0, 4},
        {0, "W:W49:B18,19,22,23,28,29,32,33", FEATURE_CENTRE, 0, -8},
        {1, "W:W10,11,14,15,18,19,22,23,9,12:B1", FEATURE_CENTRE, 0, 8},
        {0, "W:W46,47,45:B1,6", FEATURE_BACK_ROW, 0, 1},
        {0, "W:W32,37,38:B24", FEATURE_GUARDED, 0, 0},
        {0, "W:W32,37,38:B24", FEATURE_GUARDED, 1, 1},
        {0, "W:W36:B20", FEATURE_GUARDED, 0, 1},
        {0, "W:W47:B20", FEATURE_GUARDED, 1, 1},
        {0, "W:W36:B20", FEATURE_MAN_MOBILITY, 0, -1},
        {0, "W:W32:BK1", FEATURE_KING_MOBILITY, 0, -2},
        {1, "W:WK32:BK1,K15", FEATURE_KING_MOBILITY, 0, -4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int value =
            value_of(variant_at(cases[i].variant), cases[i].fen, cases[i].group, cases[i].offset);
        if (value != cases[i].value) {
            fail_msg("case %zu: %s: %d, not %d", i, cases[i].fen, value, cases[i].value);
        }
    }
}

static void test_builtin(void **state)
{
    struct position position = position_of(&variant_flying, "B:W21,22:B5,K6,K7");
    struct weights weights;

    (void)state;
    weights_builtin(variant_flying.rules, &weights);
    assert_int_equal(variant_flying.evaluate(&position, &weights), 100 + 600 - 200);
}

/* The id depends on each weight that counts and on no other. */
static void test_weights_id(void **state)
{
    const struct rules *rules = variant_classic.rules;
    struct weights weights = random_weights(9);
    uint64_t id = weights_id(rules, &weights);
    int last = feature_count(rules) - 1;

    (void)state;
    assert_true(id == weights_id(rules, &weights));
    weights.ending[last]++;
    assert_true(id != weights_id(rules, &weights));
    weights.ending[last]--;
    weights.opening[0]++;
    assert_true(id != weights_id(rules, &weights));
    weights.opening[0]--;
    weights.opening[last + 1]++;
    assert_true(id == weights_id(rules, &weights));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),  cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_held),    cmocka_unit_test(test_values),
        cmocka_unit_test(test_builtin), cmocka_unit_test(test_weights_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
