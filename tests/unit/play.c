/* A game that is given up in the midst of one long move of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "selfplay/game/play.h"

static bool go_on_until(void *moment)
{
    return clock_seconds() < *(double *)moment;
}

/* Both sides think for an hour; the watch says no after a tenth of a second. */
static void assert_given_up(struct player player)
{
    const struct variant *variant = &variant_international;
    struct position start = position_start(variant->rules);
    struct weights weights;
    const struct play_terms terms = {.seed = 7};
    struct game game;
    struct record record;

    weights_builtin(variant->rules, &weights);
    player.search = search_create(variant, &weights, 16, NULL);
    assert_non_null(player.search);
    const struct player players[2] = {player, player};
    for (int again = 0; again < 2; again++) {
        double began = clock_seconds(), moment = began + 0.1;
        const struct play_watch watch = {go_on_until, &moment};
        assert_true(game_init(&game, variant, &start));
        assert_true(play_game(players, &terms, &watch, &game, &record, NULL, NULL));
        assert_int_equal(record.outcome, OUTCOME_OPEN);
        assert_int_equal(game.plies, 0);
        assert_true(clock_seconds() - began < 2);
        game_fini(&game);
    }
    /* The searcher asks nobody any more. */
    const struct search_limits limits = {.depth = 3};
    assert_true(game_init(&game, variant, &start));
    assert_int_equal(search_run(player.search, &game, &limits, NULL, NULL).depth, 3);
    game_fini(&game);
    search_destroy(player.search);
}

static void test_long_move(void **state)
{
    (void)state;
    assert_given_up((struct player){.limits = {.seconds = 3600}});
    assert_given_up((struct player){.limits = {.nodes = UINT64_C(1) << 60}});
}

static void test_long_move_of_a_level(void **state)
{
    const struct level level = {.nodes = UINT64_C(1) << 60};

    (void)state;
    assert_given_up((struct player){.level = &level});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_move),
        cmocka_unit_test(test_long_move_of_a_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
