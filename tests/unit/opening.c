/* Openings: the same for the same arguments, different for others, never over, balanced if asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "selfplay/game/opening.h"

enum { OPENINGS = 500 };

static struct game play(const struct variant *variant, const struct opening_settings *settings,
                        uint64_t seed, uint64_t stream, struct search *search)
{
    struct position start = position_start(variant->rules);
    struct game game;
    struct err err = {0};
    assert_true(game_init(&game, variant, &start));
    if (!opening_play(settings, seed, stream, search, &game, &err)) {
        fail_msg("%s", err.text);
    }
    return game;
}

static bool same(const struct game *a, const struct game *b)
{
    return position_equal(game_now(a), game_now(b));
}

static void test_pure(void **state)
{
    (void)state;
    const struct opening_settings settings = {.plies = 10};
    for (int index = 0; index < VARIANT_COUNT; index++) {
        const struct variant *variant = variant_at(index);
        int alike = 0;
        for (int64_t number = 0; number < OPENINGS; number++) {
            uint64_t stream = opening_stream(variant, OPENING_SELFPLAY, 0, number);
            uint64_t next = opening_stream(variant, OPENING_SELFPLAY, 0, number + 1);
            struct game game = play(variant, &settings, 1, stream, NULL);
            struct game again = play(variant, &settings, 1, stream, NULL);
            struct game other = play(variant, &settings, 1, next, NULL);
            assert_int_equal(game.plies, 10);
            assert_int_equal(game_outcome(&game, NULL), OUTCOME_OPEN);
            assert_true(same(&game, &again));
            alike += same(&game, &other);
            game_fini(&game);
            game_fini(&again);
            game_fini(&other);
        }
        assert_true(alike < OPENINGS / 50);
    }
}

/* Rule set, use, generation and number all tell streams apart. */
static void test_streams(void **state)
{
    (void)state;
    uint64_t base = opening_stream(&variant_classic, OPENING_SELFPLAY, 0, 0);
    assert_true(base != opening_stream(&variant_flying, OPENING_SELFPLAY, 0, 0));
    assert_true(base != opening_stream(&variant_classic, OPENING_MATCH, 0, 0));
    assert_true(base != opening_stream(&variant_classic, OPENING_SELFPLAY, 1, 0));
    assert_true(base != opening_stream(&variant_classic, OPENING_SELFPLAY, 0, 1));
}

/* Openings so long that many attempts end the game first: never one that is over. */
static void test_long(void **state)
{
    (void)state;
    const struct opening_settings settings = {.plies = 40};
    for (int64_t number = 0; number < 50; number++) {
        uint64_t stream = opening_stream(&variant_classic, OPENING_MATCH, 0, number);
        struct game game = play(&variant_classic, &settings, 2, stream, NULL);
        assert_int_equal(game.plies, 40);
        assert_int_equal(game_outcome(&game, NULL), OUTCOME_OPEN);
        game_fini(&game);
    }
}

static void test_balanced(void **state)
{
    (void)state;
    const struct opening_settings settings = {.plies = 8, .bound = 30, .nodes = 500};
    const struct variant *variant = &variant_international;
    struct weights weights;
    weights_builtin(variant->rules, &weights);
    struct search *search = search_create(variant, &weights, 12, NULL);
    assert_non_null(search);
    for (int64_t number = 0; number < 50; number++) {
        uint64_t stream = opening_stream(variant, OPENING_MATCH, 0, number);
        struct game game = play(variant, &settings, 3, stream, search);
        search_clear(search);
        struct search_limits limits = {.nodes = settings.nodes};
        int score = search_run(search, &game, &limits, NULL, NULL).score;
        assert_in_range(abs(score), 0, 30);
        game_fini(&game);
    }
    search_destroy(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pure),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_balanced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
