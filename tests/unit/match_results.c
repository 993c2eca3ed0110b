/* Rows of pairs counted: which of them count, and openings that come again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/match_results.h"

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

static void test_ends(void **state)
{
    (void)state;
    const struct catalogue_pair pair = {.score = {2, 0},
                                        .adjudication = {ADJUDICATION_RESIGNED, ADJUDICATION_NONE},
                                        .fault = {FAULT_NONE, FAULT_CRASH}};
    struct match_results results;

    assert_true(match_count(&pair, 1, 1, NULL, &results, NULL));
    assert_int_equal(results.adjudicated[ADJUDICATION_RESIGNED], 1);
    assert_int_equal(results.adjudicated[ADJUDICATION_NONE], 0);
    assert_int_equal(results.faults[0][FAULT_CRASH], 1);
    assert_int_equal(results.ends[END_NONE], 0);
}

/* Those below the limit alone, and each after its first. */
static void test_openings_that_come_again(void **state)
{
    (void)state;
    static const char *const OPENINGS[] = {"a", "b", "a", "c", "a", "b"};
    struct catalogue_pair pairs[6] = {{0}};
    struct match_results results;

    for (int i = 0; i < 6; i++) {
        pairs[i].pair = i;
        strcpy(pairs[i].opening, OPENINGS[i]);
    }
    assert_true(match_count(pairs, 6, 6, NULL, &results, NULL));
    assert_int_equal(results.repeated, 3);
    assert_true(match_count(pairs, 6, 4, NULL, &results, NULL));
    assert_int_equal(results.repeated, 1);
    assert_true(match_count(pairs, 0, 4, NULL, &results, NULL));
    assert_int_equal(results.repeated, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_that_decide),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_openings_that_come_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
