/* Matches against external engines: their faults are rows, and one that cannot play is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match_support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_engine_faults, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_engine_without_fault, match_setup, match_teardown),
        cmocka_unit_test_setup_teardown(test_engine_that_is_missing, match_setup, match_teardown),
    };

    return cmocka_run_group_tests(tests, start_ranks, finish_ranks);
}
