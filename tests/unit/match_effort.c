/* How deep and how long players look: medians, and counts taken from kept games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/match/match_effort.h"

/* A game of random moves in which White and Black look at different depths. */
static void add_game(struct catalogue *catalogue, int64_t match, int pair, int game)
{
    struct record record = random_record(&variant_classic, 3);
    size_t size;

    record.timed = true;
    for (int ply = record.opening_plies; ply < record.plies; ply++) {
        bool white = (record.start.turn + ply) % 2 == WHITE;
        if (ply % 8 < 6) { /* most see the end, so that how deep they look says little */
            record.ply[ply].score = white ? SCORE_WON - 5 : -SCORE_WON + 5;
            record.ply[ply].depth = 99;
        } else {
            record.ply[ply].depth = white ? 4 : 7;
        }
        record.ply[ply].microseconds = white ? 1500 : 250;
    }
    uint8_t *bytes = encoded(&variant_classic, &record, &size);
    const struct catalogue_game row = {pair, game, bytes, size};
    assert_true(catalogue_add_game(catalogue, match, &row, NULL));
    record_fini(&record);
    free(bytes);
}

static int64_t searched(const struct match_effort *effort)
{
    int64_t sum = 0;

    for (int depth = 1; depth <= UINT8_MAX; depth++) {
        sum += effort->depths[depth];
    }
    return sum;
}

/* Moves of add_game's game that say how deep their players look. */
static int64_t with_choice(void)
{
    struct record record = random_record(&variant_classic, 3);
    struct game game;
    int64_t count = 0;

    assert_true(record_replay(&record, &variant_classic, &game, NULL));
    for (int ply = record.opening_plies; ply < record.plies; ply++) {
        struct move_list list;
        variant_classic.moves(&game.positions[ply], &list);
        count += list.count > 1 && ply % 8 >= 6;
    }
    game_fini(&game);
    record_fini(&record);
    return count;
}

/* Of an odd number the one in the middle, of an even one the mean of two. */
static void test_median(void **state)
{
    (void)state;
    struct match_effort effort = {.depths = {[3] = 1}}, more = {.depths = {[4] = 1, [90] = 1}};

    assert_true(match_effort_depth(&effort) == 3);
    match_effort_add(&effort, &more);
    assert_true(match_effort_depth(&effort) == 4);
    effort.depths[255] = 1;
    assert_true(match_effort_depth(&effort) == 47);
    effort.depths[255] = 2;
    assert_true(match_effort_depth(&effort) == 90);
}

/* Black opens in classic draughts and six plies are the opening: the first player is Black in game
 * 0 and White in game 1. */
static void test_effort(void **state)
{
    (void)state;
    char directory[64], path[128];
    struct match_effort effort[2];

    make_scratch(directory);
    snprintf(path, sizeof path, "%s/run.db", directory);
    struct catalogue *catalogue = catalogue_open(path, NULL);
    const struct catalogue_match match = {"classic", 0, "calibrate", "a", "b", ""};
    int64_t id;
    assert_true(catalogue_match(catalogue, &match, &id, NULL));
    for (int number = 0; number < 5; number++) {
        const struct catalogue_pair pair = {.pair = number, .plies = {40, 60}};
        assert_true(catalogue_add_pair(catalogue, id, &pair, NULL));
    }
    add_game(catalogue, id, 0, 0);
    add_game(catalogue, id, 3, 1);
    assert_true(match_efforts(catalogue, &variant_classic, id, 3, effort, NULL));
    assert_true(effort[0].moves > 3 && searched(&effort[0]) > 0);
    assert_int_equal(searched(&effort[0]) + searched(&effort[1]), with_choice());
    assert_true(match_effort_depth(&effort[0]) == 7 && match_effort_depth(&effort[1]) == 4);
    assert_true(match_effort_milliseconds(&effort[0]) == 0.25);
    assert_true(match_effort_milliseconds(&effort[1]) == 1.5);
    int64_t both = searched(&effort[0]) + searched(&effort[1]);
    assert_true(match_efforts(catalogue, &variant_classic, id, 4, effort, NULL));
    assert_int_equal(searched(&effort[0]), both);
    assert_int_equal(searched(&effort[1]), both);
    assert_true(match_efforts(catalogue, &variant_classic, id + 1, 4, effort, NULL));
    assert_true(effort[0].moves == 0 && match_effort_depth(&effort[0]) == 0);
    catalogue_close(catalogue);
    remove_scratch(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_effort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
