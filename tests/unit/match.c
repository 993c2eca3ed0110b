/* Matches: a stronger player wins, a stopped match goes on where it was, a test ends it, and every
 * game is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match_support.h"

static void test_scores(void **state)
{
    struct fixture *fixture = *state;
    struct pentanomial scores;
    bool stopped = true;

    assert_true(match(fixture, &stopped));
    assert_false(stopped);
    for (int pairing = 0; pairing < 3; pairing++) {
        int64_t pairs = 0;
        assert_true(match_scores(fixture->catalogue, &fixture->pool, pairing, &scores, NULL));
        for (int i = 0; i < PAIR_SCORES; i++) {
            pairs += scores.pairs[i];
        }
        assert_int_equal(pairs, PAIRS);
        assert_int_equal(scores.wins + scores.draws + scores.losses, 2 * PAIRS);
        if (pairing < 2) {
            assert_true(scores.losses > scores.wins); /* the random mover is the first player */
        }
    }
}

static void test_only_missing_pairs_are_played(void **state)
{
    struct fixture *fixture = *state;
    struct pentanomial some, more, whole;
    bool stopped;
    int played;

    fixture->pool.pairs = 2;
    assert_true(match(fixture, &stopped));
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 2, &some, NULL));
    fixture->pool.pairs = PAIRS;
    assert_true(match_counted(fixture, &stopped, &played));
    assert_int_equal(played, 3 * (PAIRS - 2));
    assert_true(match_counted(fixture, &stopped, &played));
    assert_int_equal(played, 0);
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 2, &more, NULL));
    assert_int_equal(some.wins + some.draws + some.losses, 4);
    assert_int_equal(more.wins + more.draws + more.losses, 2 * PAIRS);
    catalogue_close(fixture->catalogue);
    remove(fixture->path);
    fixture->catalogue = catalogue_open(fixture->path, NULL);
    assert_true(match(fixture, &stopped));
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 2, &whole, NULL));
    assert_memory_equal(&more, &whole, sizeof more);
}

static void test_other_settings_are_another_match(void **state)
{
    struct fixture *fixture = *state;
    struct pentanomial scores;
    bool stopped;

    assert_true(match(fixture, &stopped));
    fixture->player[2].level.nodes = 300;
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 2, &scores, NULL));
    assert_int_equal(scores.wins + scores.draws + scores.losses, 0);
    assert_true(match_scores(fixture->catalogue, &fixture->pool, 0, &scores, NULL));
    assert_int_equal(scores.wins + scores.draws + scores.losses, 2 * PAIRS);
}

/* A test ends the match; playing on from there plays nothing, and raising its bounds does. */
static void test_sprt_ends_it(void **state)
{
    struct fixture *fixture = *state;
    struct sprt test = {SPRT_LOGISTIC, 0, 200, 0.05, 0.05};
    struct match_results results;
    bool stopped;
    int played;

    fixture->player[0] = fixture->player[2]; /* "long" against "random" */
    fixture->player[1] = (struct match_player){.name = "random", .weights = &fixture->weights};
    fixture->pool.players = 2;
    fixture->pool.pairs = 60;
    fixture->pool.sprt = &test;
    assert_true(match_counted(fixture, &stopped, &played));
    assert_false(stopped);
    assert_in_range(played, 2, 59);
    assert_true(match_results(fixture->catalogue, &fixture->pool, 0, &results, NULL));
    assert_int_equal(results.decision, SPRT_ACCEPT_ELO1);
    assert_int_equal(results.scores.wins + results.scores.draws + results.scores.losses,
                     2 * played);
    assert_true(match_counted(fixture, &stopped, &played));
    assert_int_equal(played, 0);
    test.alpha = test.beta = 1e-4;
    assert_true(match_results(fixture->catalogue, &fixture->pool, 0, &results, NULL));
    assert_int_equal(results.decision, SPRT_CONTINUE);
    assert_true(match_counted(fixture, &stopped, &played));
    assert_true(played > 0);
}

/* A player by limits alone is not a level: its table outlives the move. */
static void test_players_by_limits(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_pair once, again;
    struct match_results results;
    bool stopped;

    fixture->player[1] = (struct match_player){.name = "limits",
                                               .kind = MATCH_SEARCH,
                                               .weights = &fixture->weights,
                                               .limits = {.nodes = 200},
                                               .table_bits = 14};
    play(fixture, 2, 1, &once);
    play(fixture, 2, 1, &again);
    assert_memory_equal(&once, &again, sizeof once);
    assert_true(match(fixture, &stopped));
    fixture->player[1].table_bits = 12;
    assert_true(match_results(fixture->catalogue, &fixture->pool, 2, &results, NULL));
    assert_int_equal(results.plies, 0); /* another match */
    fixture->player[1].table_bits = 14;
    assert_true(match_results(fixture->catalogue, &fixture->pool, 2, &results, NULL));
    assert_true(results.plies > 0);
    fixture->player[1].threads = 2;
    assert_true(match_results(fixture->catalogue, &fixture->pool, 2, &results, NULL));
    assert_int_equal(results.plies, 0);
    assert_true(match(fixture, &stopped));
    assert_true(match_results(fixture->catalogue, &fixture->pool, 2, &results, NULL));
    assert_true(results.plies > 0);
}

/* What the games kept of a match say, next to its rows. */
struct kept {
    const struct catalogue_pair *pairs;
    int games, deep;
    int64_t microseconds;
};

static bool check_game(void *context, const struct catalogue_game *game, struct err *err)
{
    struct kept *kept = context;
    const struct catalogue_pair *pair = &kept->pairs[game->pair];
    struct record record;

    if (!record_decode(game->data, game->size, &variant_classic, &record, err)) {
        return false;
    }
    assert_int_equal(kept->games, 2 * game->pair + game->game);
    assert_int_equal(record.plies, pair->plies[game->game]);
    assert_int_equal(record.reason, pair->reason[game->game]);
    int first = match_side(&record, game->game, WHITE) == 0 ? WHITE : BLACK;
    int won = record.outcome == (first == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS);
    assert_int_equal(pair->score[game->game] == 2, won);
    for (int ply = record.opening_plies; ply < record.plies; ply++) {
        kept->deep += record.ply[ply].depth > 0;
        kept->microseconds += record.ply[ply].microseconds;
    }
    kept->games++;
    record_fini(&record);
    return true;
}

/* Every game is kept, once, and says what its pair's row says. */
static void test_games_are_kept(void **state)
{
    struct fixture *fixture = *state;
    const struct stage_key key = {"classic", 0, "calibrate"};
    struct catalogue_match_row *rows;
    struct kept kept = {0};
    struct err err = {0};
    size_t matches, count;
    bool stopped;

    fixture->pool.pairs = 2;
    assert_true(match(fixture, &stopped));
    fixture->pool.pairs = PAIRS;
    assert_true(match(fixture, &stopped));
    assert_true(catalogue_matches(fixture->catalogue, &key, &rows, &matches, NULL));
    assert_int_equal(matches, 3);
    for (size_t i = 0; i < matches; i++) {
        struct catalogue_pair *pairs;
        assert_true(catalogue_pairs(fixture->catalogue, rows[i].id, &pairs, &count, NULL));
        kept.pairs = pairs;
        kept.games = 0;
        if (!catalogue_each_game(fixture->catalogue, rows[i].id, check_game, &kept, &err)) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(kept.games, 2 * PAIRS);
        free(pairs);
    }
    assert_true(kept.deep > 100 && kept.microseconds > 0);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scores, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_only_missing_pairs_are_played, match_setup,
                                        match_teardown),
        cmocka_unit_test_setup_teardown(test_other_settings_are_another_match, match_setup,
                                        match_teardown),
        cmocka_unit_test_setup_teardown(test_sprt_ends_it, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_players_by_limits, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_games_are_kept, match_setup, match_teardown),
    };

    return cmocka_run_group_tests(tests, start_ranks, finish_ranks);
}
