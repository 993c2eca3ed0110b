/* The level player. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/search/level.h"
#include "support.h"

enum { DRAWS = 9000 };

static struct search *make_search(const struct variant *variant)
{
    struct weights weights;

    weights_builtin(variant->rules, &weights);
    struct search *search = search_create(variant, &weights, LEVEL_TABLE_BITS, NULL);
    assert_non_null(search);
    return search;
}

static struct game make_game(const struct variant *variant, const char *fen)
{
    struct position position = position_of(variant, fen);
    struct game game;

    assert_true(game_init(&game, variant, &position));
    return game;
}

/* The ten moves of this position are drawn equally often: within 5 standard deviations. */
static void test_random_uniform(void **state)
{
    const struct level level = {.number = 1};
    struct game game = make_game(&variant_international, "W:W31,32,33,34,35:B1");
    struct move_list list;
    int drawn[MOVES_MAX] = {0};

    (void)state;
    variant_international.moves(game_now(&game), &list);
    assert_int_equal(list.count, 9);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct search_result result = level_play(&level, NULL, &game, seed);
        struct search_result again = level_play(&level, NULL, &game, seed);
        assert_true(result.has_move);
        assert_true(move_equal(&result.best, &again.best));
        for (int i = 0; i < list.count; i++) {
            drawn[i] += move_equal(&result.best, &list.move[i]);
        }
    }
    for (int i = 0; i < list.count; i++) {
        assert_in_range(drawn[i], DRAWS / 9 - 150, DRAWS / 9 + 150);
    }
    game_fini(&game);
}

/* Whatever was searched before, a level plays the same. */
static void test_pure(void **state)
{
    const struct level level = {.number = 3, .nodes = 3000, .noise = 40};
    struct game game = make_game(&variant_classic, "W:W21,22,23,25,26,30:B3,5,8,9,11,12");
    struct game other = make_game(&variant_classic, "B:W21,22,23,25,26,30:B3,5,8,9,11,12");
    struct search *search = make_search(&variant_classic);
    struct search_result first = level_play(&level, search, &game, 5);
    int different = 0;

    (void)state;
    level_play(&level, search, &other, 5);
    struct search_result again = level_play(&level, search, &game, 5);
    assert_true(move_equal(&first.best, &again.best));
    assert_int_equal(first.score, again.score);
    assert_true(first.nodes == again.nodes && first.nodes <= 3001);
    for (uint64_t seed = 6; seed < 16; seed++) {
        different += level_play(&level, search, &game, seed).score != first.score;
    }
    assert_in_range(different, 1, 10);
    search_destroy(search);
    game_fini(&game);
    game_fini(&other);
}

static void test_no_move(void **state)
{
    const struct level random = {.number = 1}, searching = {.number = 2, .depth = 3};
    struct game game = make_game(&variant_flying, "W:W:B5");
    struct search *search = make_search(&variant_flying);

    (void)state;
    assert_false(level_play(&random, search, &game, 1).has_move);
    struct search_result result = level_play(&searching, search, &game, 1);
    assert_false(result.has_move);
    assert_int_equal(result.score, -SCORE_WON);
    search_destroy(search);
    game_fini(&game);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(level_name(1), "Beginner");
    assert_string_equal(level_name(LEVELS_MAX), "Master");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_uniform),
        cmocka_unit_test(test_pure),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
