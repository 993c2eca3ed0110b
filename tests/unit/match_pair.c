/* A pair of games: each two players meet, a pair is a pure function of pool and number, colours are
 * swapped, and openings are the same for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match_support.h"

static void test_each_meets_each(void **state)
{
    struct fixture *fixture = *state;
    int met[MATCH_PLAYERS_MAX][MATCH_PLAYERS_MAX] = {{0}};

    fixture->pool.players = MATCH_PLAYERS_MAX;
    for (int pairing = 0; pairing < match_pairings(&fixture->pool); pairing++) {
        int first, second;
        match_pairing(&fixture->pool, pairing, &first, &second);
        assert_in_range(first, 0, second - 1);
        met[first][second]++;
    }
    for (int first = 0; first < MATCH_PLAYERS_MAX; first++) {
        for (int second = 0; second < MATCH_PLAYERS_MAX; second++) {
            assert_int_equal(met[first][second], first < second);
        }
    }
}

static void test_pair_is_a_pure_function(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_pair once, again, other;

    play(fixture, 1, 3, &once);
    play(fixture, 0, 0, &other);
    play(fixture, 1, 3, &again);
    assert_memory_equal(&once, &again, sizeof once);
    assert_string_not_equal(once.opening, other.opening);
    assert_int_equal(once.pair, 3);
    assert_true(once.plies[0] > 4 && once.plies[1] > 4);
}

/* Two players alike play one game twice from one opening: what the first wins with one colour it
 * loses with the other. */
static void test_colours_are_swapped(void **state)
{
    struct fixture *fixture = *state;
    int decided = 0;

    fixture->player[1].level = fixture->player[2].level;
    for (int number = 0; number < 8; number++) {
        struct catalogue_pair pair;
        play(fixture, 2, number, &pair);
        assert_int_equal(pair.score[0] + pair.score[1], 2);
        assert_int_equal(pair.plies[0], pair.plies[1]);
        assert_int_equal(pair.reason[0], pair.reason[1]);
        decided += pair.score[0] != 1;
    }
    assert_true(decided > 0);
}

/* Games that both searches agree on end early; the row says how, and the game is kept. */
static void test_adjudicated(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_pair whole, ended;
    int resigned = 0;

    for (int number = 0; number < 4; number++) {
        fixture->pool.ends = (struct adjudication_rules){0};
        play(fixture, 2, number, &whole);
        fixture->pool.ends = (struct adjudication_rules){.resign_score = 150, .resign_plies = 4};
        play(fixture, 2, number, &ended);
        for (int game = 0; game < 2; game++) {
            if (ended.adjudication[game] == ADJUDICATION_RESIGNED) {
                assert_int_equal(ended.reason[game], END_NONE);
                assert_int_not_equal(ended.score[game], 1);
                assert_true(ended.plies[game] < whole.plies[game]);
                resigned++;
            } else {
                assert_int_equal(ended.plies[game], whole.plies[game]);
            }
        }
    }
    assert_true(resigned > 0);
}

/* Openings of a file: the same for every pairing, in turn and from the first again; another file
 * is another match. */
static void test_openings_of_a_file(void **state)
{
    static const char PDN[] = "11-15 23-19 * 9-13 * [SetUp \"1\"] [FEN \"W:W31,32:B1,2\"] 32-27 *";
    struct fixture *fixture = *state;
    const char *const openings[] = {"11-15 23-19", "9-13", "W:W31,32:B1,2 32-27"};
    struct opening_file file;
    struct pentanomial scores;
    bool stopped;

    assert_true(opening_file_read(&file, &variant_classic, "x.pdn", PDN, strlen(PDN), NULL));
    assert_int_equal(file.count, 3);
    fixture->pool.file = &file;
    for (int pairing = 0; pairing < 3; pairing++) {
        for (int number = 0; number < 5; number++) {
            struct catalogue_pair pair;
            play(fixture, pairing, number, &pair);
            assert_string_equal(pair.opening, openings[number % 3]);
        }
    }
    assert_true(match(fixture, &stopped));
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 0, &scores, NULL));
    assert_int_equal(scores.wins + scores.draws + scores.losses, 2 * PAIRS);
    file.hash++;
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 0, &scores, NULL));
    assert_int_equal(scores.wins + scores.draws + scores.losses, 0);
    opening_file_fini(&file);
}

/* Random openings are the same for every pairing, and the games of two players are the same
 * whoever else is in the pool. */
static void test_others_change_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_pair with[3], alone;

    fixture->player[1].level.noise = fixture->player[2].level.noise = 100;
    for (int pairing = 0; pairing < 3; pairing++) {
        play(fixture, pairing, 2, &with[pairing]);
        assert_string_equal(with[pairing].opening, with[0].opening);
    }
    fixture->player[0] = fixture->player[1];
    fixture->player[1] = fixture->player[2];
    fixture->pool.players = 2;
    play(fixture, 0, 2, &alone);
    assert_memory_equal(&alone, &with[2], sizeof alone);
    fixture->player[0].name = "other";
    play(fixture, 0, 2, &alone);
    assert_true(alone.plies[0] != with[2].plies[0] || alone.plies[1] != with[2].plies[1]);
}

/* Who would only repeat games does not go through a file again. */
static void test_pairs_beyond_the_file(void **state)
{
    struct fixture *fixture = *state;
    struct match_player *player = fixture->player;
    const struct opening_file file = {.count = 3};

    assert_int_equal(match_pairs(&fixture->pool, 2), PAIRS);
    fixture->pool.file = &file;
    assert_false(match_repeats(&fixture->pool, 0)); /* one moves at random */
    assert_true(match_repeats(&fixture->pool, 2));
    assert_int_equal(match_pairs(&fixture->pool, 0), PAIRS);
    assert_int_equal(match_pairs(&fixture->pool, 2), 3);
    player[1].level.noise = 5;
    assert_int_equal(match_pairs(&fixture->pool, 2), PAIRS);
    player[1] = (struct match_player){.kind = MATCH_SEARCH, .limits = {.nodes = 9}};
    assert_int_equal(match_pairs(&fixture->pool, 2), 3);
    player[1].threads = 2;
    assert_int_equal(match_pairs(&fixture->pool, 2), PAIRS);
    player[1].threads = 1;
    player[1].limits.seconds = 0.1;
    assert_int_equal(match_pairs(&fixture->pool, 2), PAIRS);
    player[1] = (struct match_player){.kind = MATCH_ENGINE, .engine = {.limits = {.depth = 9}}};
    assert_int_equal(match_pairs(&fixture->pool, 2), 3);
    player[1].engine.limits.seconds = 0.1;
    assert_int_equal(match_pairs(&fixture->pool, 2), PAIRS);
    fixture->pool.pairs = 3;
    assert_int_equal(match_pairs(&fixture->pool, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_meets_each, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_pair_is_a_pure_function, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_colours_are_swapped, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_adjudicated, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_openings_of_a_file, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_others_change_nothing, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_pairs_beyond_the_file, match_setup, match_teardown),
    };

    return cmocka_run_group_tests(tests, start_ranks, finish_ranks);
}
