/* Moves, the best one and analysis as the daemon's API tells them, with every refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api_support.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

static void test_moves(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/moves", "{\"rules\":\"flying\"}"); /* needs no weights */
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 7);
    api_post(fixture, "/v1/moves", "{\"rules\":\"international\",\"moves\":[\"32-28\",\"19-23\"]}");
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(reply_number(fixture->json, "ply"), 2);
    assert_string_equal(reply_text(fixture->json, "turn"), "white");
    assert_true(json_is_null(json_object_get(fixture->json, "outcome")));
    const json_t *moves = json_object_get(fixture->json, "moves");
    assert_int_equal(json_array_size(moves), 1);
    const json_t *move = json_array_get(moves, 0);
    assert_string_equal(json_string_value(json_object_get(move, "move")), "28x19x23");
    assert_int_equal(reply_number(move, "from"), 28);
    assert_int_equal(reply_number(move, "to"), 19);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(move, "captures"), 0)), 23);
}

static void test_every_path_of_a_capture(void **state)
{
    struct api_fixture *fixture = *state;

    /* The same four men can be taken clockwise or the other way round. */
    api_post(fixture, "/v1/moves", "{\"rules\":\"international\",\"fen\":\"W:W48:B42,43,32,33\"}");
    assert_int_equal(fixture->response.status, 200);
    const json_t *moves = json_object_get(fixture->json, "moves");
    assert_int_equal(json_array_size(moves), 1);
    const json_t *paths = json_object_get(json_array_get(moves, 0), "paths");
    assert_int_equal(json_array_size(paths), 2);
    assert_int_equal(json_array_size(json_array_get(paths, 0)), 4);
}

static void test_outcome_is_told(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"fen\":\"W:W:B5\"}");
    assert_int_equal(fixture->response.status, 200);
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "black wins");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "no pieces");
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 0);
    /* Two kings walk to and fro until the position stands for the third time. */
    api_post(fixture, "/v1/moves",
             "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"moves\":"
             "\"32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1\"}");
    outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "repetition");
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 0);
    api_post(fixture, "/v1/moves",
             "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"moves\":"
             "\"32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1 32-28\"}");
    assert_problem(fixture, 409, "game-over", "/moves", "before move 9");
    outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "draw");
}

static void test_bestmove(void **state)
{
    struct api_fixture *fixture = *state;
    struct position start = position_start(variant_international.rules), after;
    struct move move;
    struct err err;
    char fen[FEN_SIZE];

    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":4,\"seed\":11}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(
        move_read(&variant_international, &start, reply_text(fixture->json, "move"), &move, &err));
    after = position_after(variant_international.rules, &start, &move);
    fen_write(variant_international.rules, &after, fen);
    assert_string_equal(reply_text(fixture->json, "fen"), fen);
    assert_int_equal(reply_number(fixture->json, "seed"), 11);
    assert_int_equal(reply_number(fixture->json, "level"), 4);
    assert_int_equal(reply_number(fixture->json, "depth"), 3);
    assert_int_equal(strlen(reply_text(fixture->json, "weights")), 16);
    const json_t *score = json_object_get(fixture->json, "score");
    assert_string_equal(json_string_value(json_object_get(score, "side")), "white");
    double expected = json_real_value(json_object_get(score, "expected"));
    assert_true(expected > 0.0 && expected < 1.0);
    char *first = strdup(fixture->response.body);
    assert_non_null(first);
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":4,\"seed\":11}");
    assert_string_equal(fixture->response.body, first);
    free(first);
}

static void test_bestmove_draws_a_seed(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":1}");
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(reply_number(fixture->json, "seed"), ((json_int_t)1 << SEED_BITS) - 1);
    assert_true(json_is_null(json_object_get(fixture->json, "score")));
}

static void test_bestmove_refusals(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\"}");
    assert_problem(fixture, 400, "bad-field", "/level", "missing");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":0}");
    assert_problem(fixture, 400, "bad-field", "/level", "1 to 6");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":7}");
    assert_problem(fixture, 400, "bad-field", "/level", "1 to 6");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":2.0}");
    assert_problem(fixture, 400, "bad-field", "/level", "whole number");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":1,\"seed\":-1}");
    assert_problem(fixture, 400, "bad-field", "/seed", "whole number");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"classic\",\"level\":1}");
    assert_problem(fixture, 503, "unmeasured", "/level", "classic");
    api_post(fixture, "/v1/bestmove", "{\"rules\":\"flying\",\"level\":1}");
    assert_problem(fixture, 503, "not-served", "/rules", "flying");
    api_post(fixture, "/v1/bestmove",
             "{\"rules\":\"international\",\"level\":1,\"fen\":\"B:W31:B\"}");
    assert_problem(fixture, 409, "game-over", NULL, "no move");
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "white wins");
}

static void test_analysis(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/analysis",
             "{\"rules\":\"classic\",\"moves\":\"9-13\",\"depth\":5}"); /* needs no levels */
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(reply_text(fixture->json, "turn"), "white");
    assert_int_equal(reply_number(fixture->json, "depth"), 5);
    const json_t *line = json_object_get(fixture->json, "line");
    assert_true(json_array_size(line) >= 1);
    assert_string_equal(json_string_value(json_array_get(line, 0)),
                        reply_text(fixture->json, "move"));
    const json_t *score = json_object_get(fixture->json, "score");
    assert_string_equal(json_string_value(json_object_get(score, "side")), "white");
    assert_string_equal(json_string_value(json_object_get(score, "unit")), "hundredths of a man");
    double win = json_real_value(json_object_get(score, "win"));
    double draw = json_real_value(json_object_get(score, "draw"));
    double loss = json_real_value(json_object_get(score, "loss"));
    double expected = json_real_value(json_object_get(score, "expected"));
    assert_true(win >= 0.0 && draw >= 0.0 && loss >= 0.0);
    assert_true(fabs(win + draw + loss - 1.0) < 1e-4);
    assert_true(fabs(win + draw / 2.0 - expected) < 1e-4);
    char *first = strdup(json_string_value(json_object_get(fixture->json, "move")));
    json_int_t nodes = reply_number(fixture->json, "nodes");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"moves\":\"9-13\",\"depth\":5}");
    assert_string_equal(reply_text(fixture->json, "move"), first);
    assert_int_equal(reply_number(fixture->json, "nodes"), nodes);
    free(first);
}

static void test_analysis_takes_no_longer_than_it_may(void **state)
{
    struct api_fixture *fixture = *state;

    fixture->api.analysis_seconds = 0.02;
    api_post(fixture, "/v1/analysis", "{\"rules\":\"international\",\"time_ms\":3600000}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(reply_number(fixture->json, "depth") >= 1);
    api_post(fixture, "/v1/analysis", "{\"rules\":\"international\",\"depth\":127}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(reply_number(fixture->json, "depth") < 127);
}

static void test_analysis_refusals(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\"}");
    assert_problem(fixture, 400, "bad-field", "/depth", "time_ms");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":3,\"time_ms\":5}");
    assert_problem(fixture, 400, "bad-field", "/time_ms", "either");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":0}");
    assert_problem(fixture, 400, "bad-field", "/depth", "1 to 127");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"time_ms\":0}");
    assert_problem(fixture, 400, "bad-field", "/time_ms", "whole number");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"flying\",\"depth\":1}");
    assert_problem(fixture, 503, "not-served", "/rules", "flying");
    api_post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":1,\"fen\":\"W:W:B5\"}");
    assert_problem(fixture, 409, "game-over", NULL, "no move");
}

static void test_quiet_plies_are_counted_on(void **state)
{
    struct api_fixture *fixture = *state;

    api_post(fixture, "/v1/moves",
             "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"quiet_plies\":49}");
    assert_int_equal(reply_number(fixture->json, "quiet_plies"), 49);
    assert_true(json_is_null(json_object_get(fixture->json, "outcome")));
    api_post(fixture, "/v1/bestmove",
             "{\"rules\":\"international\",\"level\":1,\"fen\":\"W:WK50:BK6\",\"quiet_plies\":49}");
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "25-move rule");
    assert_int_equal(reply_number(fixture->json, "quiet_plies"), 50);
    api_post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"quiet_plies\":51}");
    assert_problem(fixture, 400, "bad-field", "/quiet_plies", "0 to 50");
    api_post(fixture, "/v1/moves",
             "{\"rules\":\"classic\",\"quiet_plies\":50,\"moves\":[\"9-13\"]}");
    assert_problem(fixture, 409, "game-over", "/moves/0", "before move 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_moves, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_every_path_of_a_capture, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_outcome_is_told, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_bestmove, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_bestmove_draws_a_seed, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_bestmove_refusals, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_analysis, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_analysis_takes_no_longer_than_it_may, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(test_analysis_refusals, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_quiet_plies_are_counted_on, api_setup, api_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
