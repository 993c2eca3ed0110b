/* Paired games: each two players meet, a pair is a pure function of pool and number, a stronger
 * player wins, and a stopped match goes on where it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/match.h"

enum { PAIRS = 4 };

/* A random mover, and two players who look ahead, on the built-in weights. */
struct fixture {
    char directory[64], path[128];
    struct weights weights;
    struct match_player player[3];
    struct match_pool pool;
    struct catalogue *catalogue;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    make_scratch(fixture->directory);
    snprintf(fixture->path, sizeof fixture->path, "%s/run.db", fixture->directory);
    fixture->catalogue = catalogue_open(fixture->path, NULL);
    assert_non_null(fixture->catalogue);
    weights_builtin(variant_classic.rules, &fixture->weights);
    fixture->player[0] = (struct match_player){.name = "random", .weights = &fixture->weights};
    fixture->player[1] = (struct match_player){
        .name = "short", .level = {.nodes = 50}, .weights = &fixture->weights};
    fixture->player[2] = (struct match_player){
        .name = "long", .level = {.nodes = 200}, .weights = &fixture->weights};
    fixture->pool = (struct match_pool){.variant = &variant_classic,
                                        .stage = "calibrate",
                                        .use = OPENING_CALIBRATION,
                                        .seed = 5,
                                        .opening = {.plies = 4},
                                        .pairs = PAIRS,
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

static void play(struct fixture *fixture, int pairing, int64_t number, struct catalogue_pair *pair)
{
    struct match_crew crew;
    struct match_result result;
    bool finished = false;

    assert_true(match_crew_init(&crew, &fixture->pool, NULL));
    assert_true(
        match_play_pair(&fixture->pool, pairing, number, &crew, NULL, &result, &finished, NULL));
    assert_true(finished);
    match_crew_fini(&crew);
    *pair = result.pair;
    match_result_fini(&result);
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

static void count_pair(void *context, int64_t done, int64_t total, double rate)
{
    (void)done;
    (void)total;
    (void)rate;
    ++*(int *)context;
}

/* Plays the pool's missing pairs; *played receives how many. */
static bool match_counted(struct fixture *fixture, bool *stopped, int *played)
{
    const struct match_watch watch = {count_pair, played};
    struct comm comm = {.rank = 0, .size = 1};
    struct stop stop = {0};
    struct err err = {0};

    *played = 0;
    bool ok =
        match_play(&comm, &stop, NULL, fixture->catalogue, &fixture->pool, &watch, stopped, &err);
    if (!ok) {
        print_error("%s\n", err.text);
    }
    return ok;
}

static bool match(struct fixture *fixture, bool *stopped)
{
    int played;

    return match_counted(fixture, stopped, &played);
}

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

/* The pool of two with "short" and a Hub engine. */
static void meet_engine(struct fixture *fixture, const char *command)
{
    fixture->player[0] = fixture->player[1];
    fixture->player[1] = (struct match_player){.name = "external",
                                               .kind = MATCH_ENGINE,
                                               .engine = {.command = command,
                                                          .parameters = "",
                                                          .limits = {.nodes = 50},
                                                          .margin = 5,
                                                          .start_seconds = 5,
                                                          .flood_bytes = HUB_CLIENT_FLOOD}};
    fixture->pool.players = 2;
}

/* Each game by a fault is a row that says so, and its engine's loss. */
static void test_engine_faults(void **state)
{
    struct fixture *fixture = *state;
    struct match_results results;
    bool stopped;

    meet_engine(fixture, "'" FAKE_HUB "' exit 2");
    assert_true(match(fixture, &stopped));
    assert_true(match_results(fixture->catalogue, &fixture->pool, 0, &results, NULL));
    assert_int_equal(results.scores.wins, 2 * PAIRS);
    assert_int_equal(results.faults[1][FAULT_CRASH], 2 * PAIRS);
    assert_int_equal(results.faults[0][FAULT_CRASH], 0);
    for (int reason = END_NONE; reason <= END_QUIET; reason++) {
        assert_int_equal(results.ends[reason], 0);
    }
    assert_true(results.plies >= 2 * PAIRS * 6);
}

static void test_engine_without_fault(void **state)
{
    struct fixture *fixture = *state;
    struct match_results results;
    int64_t ends = 0;
    bool stopped;
    int played;

    meet_engine(fixture, "'" FAKE_HUB "'");
    assert_true(match(fixture, &stopped));
    assert_true(match_results(fixture->catalogue, &fixture->pool, 0, &results, NULL));
    for (int reason = END_NO_PIECES; reason <= END_QUIET; reason++) {
        ends += results.ends[reason];
    }
    assert_int_equal(ends, 2 * PAIRS);
    /* Nothing is left to play: an engine that is gone by now is not missed; another is another
     * match. */
    assert_true(match_counted(fixture, &stopped, &played));
    assert_int_equal(played, 0);
    fixture->player[1].engine.parameters = "strength=1";
    assert_true(match_results(fixture->catalogue, &fixture->pool, 0, &results, NULL));
    assert_int_equal(results.scores.wins + results.scores.draws + results.scores.losses, 0);
}

/* One that cannot play at all is an error and not a match of lost games. */
static void test_engine_that_is_missing(void **state)
{
    struct fixture *fixture = *state;
    struct comm comm = {.rank = 0, .size = 1};
    struct stop stop = {0};
    struct err err = {0};
    bool stopped;

    meet_engine(fixture, "/no/such/engine");
    assert_false(
        match_play(&comm, &stop, NULL, fixture->catalogue, &fixture->pool, NULL, &stopped, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "external, command '/no/such/engine': did not start"));
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

/* Pairs behind one that is missing, or behind the decision, count for nothing. */
static void test_pairs_that_decide(void **state)
{
    (void)state;
    const struct sprt strict = {SPRT_LOGISTIC, 0, 200, 0.05, 0.05};
    struct catalogue_pair pairs[60] = {{0}};
    struct match_results results;

    for (int i = 0; i < 60; i++) {
        pairs[i] = (struct catalogue_pair){.pair = i < 3 ? i : i + 1,
                                           .score = {2, 1},
                                           .reason = {END_NO_MOVES, END_QUIET},
                                           .plies = {30, 50}};
    }
    assert_true(match_count(pairs, 60, 100, &strict, &results, NULL));
    assert_int_equal(results.scores.pairs[3], 3);
    assert_int_equal(results.plies, 3 * 80);
    assert_int_equal(results.decision, SPRT_CONTINUE);
    assert_true(match_count(pairs, 60, 100, NULL, &results, NULL));
    assert_int_equal(results.scores.pairs[3], 60);
    assert_int_equal(results.plies, 60 * 80);
    assert_true(match_count(pairs, 60, 21, NULL, &results, NULL));
    assert_int_equal(results.scores.pairs[3], 20);
    for (int i = 0; i < 60; i++) {
        pairs[i].pair = i;
    }
    assert_true(match_count(pairs, 60, 100, &strict, &results, NULL));
    assert_int_equal(results.decision, SPRT_ACCEPT_ELO1);
    assert_in_range(results.scores.pairs[3], 2, 58);
    assert_int_equal(results.plies, results.scores.pairs[3] * 80);
    assert_int_equal(results.ends[END_QUIET], results.scores.pairs[3]);
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

/* One rank: the farm works without a message, but MPI must have been started. */
static int start_ranks(void **state)
{
    (void)state;
    comm_start(NULL, NULL);
    return 0;
}

static int finish_ranks(void **state)
{
    (void)state;
    comm_finish();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_meets_each, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pair_is_a_pure_function, setup, teardown),
        cmocka_unit_test_setup_teardown(test_colours_are_swapped, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scores, setup, teardown),
        cmocka_unit_test_setup_teardown(test_only_missing_pairs_are_played, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_settings_are_another_match, setup, teardown),
        cmocka_unit_test_setup_teardown(test_engine_faults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_engine_without_fault, setup, teardown),
        cmocka_unit_test_setup_teardown(test_engine_that_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sprt_ends_it, setup, teardown),
        cmocka_unit_test(test_pairs_that_decide),
        cmocka_unit_test_setup_teardown(test_players_by_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_games_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_openings_of_a_file, setup, teardown),
    };

    return cmocka_run_group_tests(tests, start_ranks, finish_ranks);
}
