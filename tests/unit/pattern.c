/* The patterns of a position, found square by square, and the evaluation made of them. */
#include "engine/eval/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "support.h"

enum { POSITIONS = 4000 };

/* The digit of a square: 0 empty, 1 own man, 2 the other's; White's view, or Black's turned. */
static int digit(const struct variant *variant, const bitboard men[2], enum colour viewer,
                 int square)
{
    int seen = viewer == WHITE ? square : variant->rules->squares + 1 - square;
    bitboard here = bit(square_to_bit(variant->rules, seen));

    return men[viewer] & here ? 1 : men[colour_other(viewer)] & here ? 2 : 0;
}

/* The state of a window as pattern.h defines its number. */
static int state_of(const struct variant *variant, const struct pattern_set *set,
                    const bitboard men[2], enum colour viewer, int top, int left)
{
    int state = 0;

    for (int column = set->columns - 1; column >= 0; column--) {
        for (int row = set->rows - 1; row >= 0; row--) {
            int square = (top + row) * variant->rules->row_squares + left + column + 1;
            state = 3 * state + digit(variant, men, viewer, square);
        }
    }
    return state;
}

static void assert_set(const struct variant *variant, const struct pattern_set *set,
                       const bitboard men[2])
{
    const int windows = pattern_windows(variant->rules, set), states = pattern_states(set);
    const int across = variant->rules->row_squares - set->columns + 1;
    uint32_t index[PATTERN_ACTIVE_MAX];

    set->indices(men, index);
    for (int k = 0; k < 2 * windows; k++) {
        int window = k % windows;
        int state = state_of(variant, set, men, k < windows ? WHITE : BLACK, 2 * (window / across),
                             window % across);
        assert_int_equal(index[k], window * states + state);
    }
}

static void assert_indices(const struct variant *variant, const bitboard men[2])
{
    for (int i = 0; i < PATTERN_SETS; i++) {
        assert_set(variant, variant->pattern_sets[i], men);
    }
}

static void test_random_positions(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (uint64_t n = 0; n < POSITIONS; n++) {
            struct position position = random_position(variant_at(v), n, n % 2 == 1);
            assert_indices(variant_at(v), position.men);
        }
    }
}

/* The multiplication keeps apart all sets of men in a column: each set of rows, in all columns. */
static void test_every_column(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct rules *rules = variant_at(v)->rules;
        for (unsigned rows = 0; rows < 1U << rules->rows; rows++) {
            bitboard men[2] = {0};
            for (int square = 1; square <= rules->squares; square++) {
                if (rows >> square_row(rules, square) & 1) {
                    men[WHITE] |= bit(square_to_bit(rules, square));
                }
            }
            assert_indices(variant_at(v), men);
        }
    }
}

static void test_sizes(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (int i = 0; i < PATTERN_SETS; i++) {
            const struct pattern_set *set = variant->pattern_sets[i];
            assert_in_range(set->rows, 1, PATTERN_ROWS_MAX);
            assert_in_range(pattern_windows(variant->rules, set), 1, PATTERN_WINDOWS_MAX);
            assert_in_range(2 * (set->tops - 1) + set->rows, set->rows, variant->rules->rows);
            assert_ptr_equal(variant_pattern_set(variant, set->name), set);
        }
        assert_null(variant_pattern_set(variant, "3x1"));
    }
}

/* Weights in [-200, 200], each another. */
static struct pattern_table *random_patterns(const struct variant *variant,
                                             const struct pattern_set *set)
{
    struct rng rng = rng_make(3, RNG_TEST, 77);
    struct pattern_table *table = pattern_table_create(variant->rules, set);

    assert_non_null(table);
    for (int i = 0; i < table->count; i++) {
        table->weight[i].opening = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i, 401) - 200);
        table->weight[i].ending = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i + 1, 401) - 200);
    }
    return table;
}

/* The sum over indices, interpolated, from White's view. */
static int expected_score(const struct variant *variant, const struct position *position,
                          const struct pattern_table *table)
{
    int windows = pattern_windows(variant->rules, table->set);
    int full = 2 * variant->rules->men_each, pieces = bit_count(pieces_all(position));
    int phase = pieces < full ? pieces : full, sum = 0;
    uint32_t index[PATTERN_ACTIVE_MAX];

    table->set->indices(position->men, index);
    for (int k = 0; k < 2 * windows; k++) {
        struct pattern_weight weight = table->weight[index[k]];
        sum += (k < windows ? 1 : -1) * (weight.opening * phase + weight.ending * (full - phase));
    }
    return sum / full;
}

/* The played function is the tuned one, and both sides are judged alike. */
static void assert_evaluates(const struct variant *variant, const struct pattern_set *set)
{
    struct weights weights = {.patterns = random_patterns(variant, set)};
    for (uint64_t n = 0; n < POSITIONS; n++) {
        struct position position = random_position(variant, n, n % 2 == 1);
        struct position mirror = position_mirror(variant->rules, &position);
        int score = variant->evaluate(&position, &weights);
        int expected = expected_score(variant, &position, weights.patterns);
        if (is_held(variant->rules, &position, expected > 0 ? WHITE : BLACK)) {
            expected /= HELD_DIVISOR;
        }
        assert_int_equal(score, position.turn == WHITE ? expected : -expected);
        assert_int_equal(score, variant->evaluate(&mirror, &weights));
    }
    weights_fini(&weights);
    assert_null(weights.patterns);
}

static void test_evaluate(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int i = 0; i < PATTERN_SETS; i++) {
            assert_evaluates(variant_at(v), variant_at(v)->pattern_sets[i]);
        }
    }
}

/* The id depends on each pattern's weights. */
static void test_weights_id(void **state)
{
    const struct variant *variant = &variant_classic;
    struct weights weights = {.patterns = random_patterns(variant, variant->pattern_sets[0])};
    struct weights without = weights;
    uint64_t id = weights_id(variant->rules, &weights);

    (void)state;
    without.patterns = NULL;
    assert_true(id != weights_id(variant->rules, &without));
    weights.patterns->weight[weights.patterns->count - 1].ending++;
    assert_true(id != weights_id(variant->rules, &weights));
    weights_fini(&weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_random_positions),
        cmocka_unit_test(test_every_column), cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_weights_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
