/* Standings as they are noted in a catalogue and read again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"
#include "tuner/report/standings.h"

static const struct stage_key KEY = {"classic", 0, "players"};

/* A pool on the built-in weights, in a catalogue. */
struct fixture {
    char directory[64];
    struct weights weights;
    struct match_player player[3];
    struct match_pool pool;
    struct catalogue *catalogue;
};

static int setup(void **state)
{
    static const char *const NAMES[] = {"a", "b", "c"};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    char path[128];

    make_scratch(fixture->directory);
    snprintf(path, sizeof path, "%s/run.db", fixture->directory);
    fixture->catalogue = catalogue_open(path, NULL);
    assert_non_null(fixture->catalogue);
    weights_builtin(variant_classic.rules, &fixture->weights);
    for (int i = 0; i < 3; i++) {
        fixture->player[i] = (struct match_player){
            .name = NAMES[i], .level = {.nodes = 50}, .weights = &fixture->weights};
    }
    fixture->pool = (struct match_pool){.variant = &variant_classic,
                                        .stage = "players",
                                        .use = OPENING_MATCH,
                                        .opening = {.plies = 4},
                                        .pairs = 10,
                                        .players = 3,
                                        .player = fixture->player};
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    catalogue_close(fixture->catalogue);
    remove_scratch(fixture->directory);
    free(fixture);
    return 0;
}

/* Pairs 0 .. count - 1 of a pairing, with those results of the two games for the first player. */
static void add_scores(struct fixture *fixture, int pairing, int count, int score, int other)
{
    int64_t id;

    assert_true(match_make(fixture->catalogue, &fixture->pool, pairing, &id, NULL));
    for (int number = 0; number < count; number++) {
        const struct catalogue_pair pair = {.pair = number,
                                            .score = {score, other},
                                            .reason = {END_NO_MOVES, END_NO_MOVES},
                                            .plies = {40, 60}};
        assert_true(catalogue_add_pair(fixture->catalogue, id, &pair, NULL));
    }
}

static void add_pairs(struct fixture *fixture, int pairing, int count, int score)
{
    add_scores(fixture, pairing, count, score, score);
}

static struct standings *standings(struct fixture *fixture)
{
    struct standings *out;
    struct err err;

    if (!standings_read(fixture->catalogue, &variant_classic, &KEY, &out, &err)) {
        fail_msg("%s", err.text);
    }
    return out;
}

static void note(struct fixture *fixture, int anchor, double anchor_elo)
{
    struct err err;

    if (!standings_note(fixture->catalogue, &fixture->pool, anchor, anchor_elo, &err)) {
        fail_msg("%s", err.text);
    }
}

/* Nothing noted is nothing; then all is as it was noted and played, up to the pairs asked for. */
static void test_read(void **state)
{
    struct fixture *fixture = *state;

    assert_null(standings(fixture));
    note(fixture, 1, 800);
    add_pairs(fixture, 0, 4, 2);
    add_pairs(fixture, 1, 12, 1);
    struct standings *read = standings(fixture);
    assert_non_null(read);
    assert_int_equal(read->players, 3);
    assert_int_equal(read->pairings, 3);
    assert_int_equal(read->anchor, 1);
    assert_true(read->anchor_elo == 800);
    assert_false(read->has_test);
    assert_string_equal(read->name[2], "c");
    assert_int_equal(read->pairing[1].wanted, 10);
    assert_int_equal(standings_half_points(read, 0, 1), 16);
    assert_int_equal(standings_half_points(read, 1, 0), 0);
    assert_int_equal(standings_half_points(read, 2, 0), 20);
    assert_int_equal(standings_games(read, 2, 0), 20);
    assert_int_equal(standings_games(read, 2, 1), 0);
    assert_int_equal(standings_games(read, 2, 2), 0);
    free(read);
}

/* The settings of last count, also when an earlier match is gone back to. */
static void test_last_settings(void **state)
{
    struct fixture *fixture = *state;

    note(fixture, 0, 0);
    add_pairs(fixture, 0, 3, 2);
    fixture->player[1].level.nodes = 70;
    note(fixture, 0, 0);
    add_pairs(fixture, 0, 5, 2);
    struct standings *read = standings(fixture);
    assert_int_equal(standings_games(read, 0, 1), 10);
    free(read);
    fixture->player[1].level.nodes = 50;
    note(fixture, 0, 0);
    read = standings(fixture);
    assert_int_equal(standings_games(read, 0, 1), 6);
    free(read);
}

/* With a test only what decides it counts. */
static void test_with_a_test(void **state)
{
    const struct sprt test = {SPRT_NORMALISED, 0, 100, 0.05, 0.05};
    struct fixture *fixture = *state;
    struct catalogue_match_row *rows;
    size_t count;

    fixture->pool.players = 2;
    fixture->pool.pairs = 1000;
    fixture->pool.sprt = &test;
    note(fixture, 0, 0);
    add_pairs(fixture, 0, 500, 2);
    struct standings *read = standings(fixture);
    assert_true(read->has_test);
    assert_true(read->test.scale == test.scale && read->test.elo1 == test.elo1);
    assert_true(read->test.alpha == test.alpha && read->test.beta == test.beta);
    assert_int_equal(read->pairing[0].results.decision, SPRT_ACCEPT_ELO1);
    assert_true(standings_games(read, 0, 1) < 1000);
    free(read);
    fixture->pool.sprt = NULL;
    note(fixture, 0, 0);
    read = standings(fixture);
    assert_false(read->has_test);
    assert_int_equal(standings_games(read, 0, 1), 1000);
    free(read);
    assert_true(catalogue_matches(fixture->catalogue, &KEY, &rows, &count, NULL));
    assert_int_equal(count, 1);
    read = standings_of_match(fixture->catalogue, &variant_classic, &rows[0], NULL);
    assert_non_null(read);
    assert_string_equal(read->name[1], "b");
    assert_int_equal(standings_games(read, 0, 1), 1000);
    assert_int_equal(read->pairing[0].wanted, 0);
    free(read);
    free(rows);
}

/* The ladder is found, whatever the order of the players. */
static void test_ratings(void **state)
{
    struct fixture *fixture = *state;
    struct rating ratings[3];
    int ladder[3];

    note(fixture, 2, 500);
    add_pairs(fixture, 0, 8, 1); /* a = b */
    add_pairs(fixture, 1, 8, 0); /* a < c */
    add_pairs(fixture, 2, 8, 2); /* b > c */
    struct standings *read = standings(fixture);
    assert_true(standings_rate(read, ladder, ratings, NULL));
    assert_int_equal(ladder[0], 0);
    assert_int_equal(ladder[1], 2);
    assert_int_equal(ladder[2], 1);
    assert_true(ratings[2].elo == 500 && ratings[0].elo < 400 && ratings[1].elo > 600);
    assert_true(ratings[2].over_anchor.error == 0 && ratings[0].over_anchor.error > 50);
    free(read);
}

/* The ladder is that of the ratings, where scores say another: b has more of the points than a,
 * most of them from c, and has lost to a. */
static void test_ladder_of_ratings(void **state)
{
    struct fixture *fixture = *state;
    struct rating ratings[3];
    int ladder[3];

    fixture->pool.pairs = 40;
    note(fixture, 0, 0);
    add_scores(fixture, 0, 8, 2, 1); /* a over b, 12 of 16 points */
    add_pairs(fixture, 2, 40, 2);    /* b over c, 80 of 80 */
    struct standings *read = standings(fixture);
    assert_int_equal(standings_half_points(read, 0, 1), 24);
    assert_true(standings_rate(read, ladder, ratings, NULL));
    assert_int_equal(ladder[0], 2);
    assert_int_equal(ladder[1], 1);
    assert_int_equal(ladder[2], 0);
    assert_true(ratings[0].over_below.value > 50);
    assert_true(fabs(ratings[0].over_below.value + ratings[1].elo) < 1e-6);
    assert_true(ratings[2].over_below.error == 0);
    free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_read, setup, teardown),
        cmocka_unit_test_setup_teardown(test_last_settings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_with_a_test, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ratings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ladder_of_ratings, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
