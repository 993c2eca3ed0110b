/* Results as lines for people: how many pairs of how many, the test, the table of a round robin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "standings_support.h"
#include "tuner/report/contest_text.h"

static void write_plain(FILE *out, const struct standings *standings)
{
    contest_write(out, standings, "");
}

static void write_earlier(FILE *out, const struct standings *standings)
{
    contest_write(out, standings, ", earlier settings");
}

static void assert_says(const struct standings *standings, const char *wanted)
{
    char *text = written(write_plain, standings);

    if (!strstr(text, wanted)) {
        fail_msg("no '%s' in: %s", wanted, text);
    }
    free(text);
}

#define TITLE "Classic draughts (English draughts, checkers)"

/* How many pairs, of how many, and what may end them. */
static void test_heading(void **state)
{
    (void)state;
    struct standings standings = {.test = {SPRT_NORMALISED, 0, 5, 0.05, 0.05}};

    add_player(&standings, "a");
    add_player(&standings, "b");
    add_pairing(&standings, 0, 1, (const int64_t[]){1, 2, 30, 4, 3});
    assert_says(&standings, TITLE ": a against b, 40 pairs\n");
    standings.pairing[0].wanted = 100;
    assert_says(&standings, TITLE ": a against b, 40 of 100 pairs\n");
    standings.has_test = true;
    assert_says(&standings, ": a against b, 40 of at most 100 pairs; the test may end the match "
                            "earlier\n");
    assert_says(&standings, "  SPRT    normalised Elo 0 against 5: LLR 0.");
    assert_says(&standings, " within -2.944 .. 2.944, not decided\n");
    standings.pairing[0].results.decision = SPRT_ACCEPT_ELO1;
    assert_says(&standings, "40 of at most 100 pairs; the test has ended the match\n");
    assert_says(&standings, "elo1 accepted\n");
    char *text = written(write_earlier, &standings);
    assert_memory_equal(text, TITLE ", earlier settings: a against b, ", 67);
    free(text);
}

static void test_repeated_openings(void **state)
{
    (void)state;
    struct standings standings = {0};

    add_player(&standings, "a");
    add_player(&standings, "b");
    add_pairing(&standings, 0, 1, (const int64_t[]){0, 0, 30, 0, 0});
    char *text = written(write_plain, &standings);
    assert_null(strstr(text, "  again "));
    free(text);
    standings.pairing[0].results.repeated = 7;
    assert_says(&standings, "  again   7 of 30 pairs have the opening of an earlier one: ");
}

/* Three players, a much the strongest, c held at 100. */
static void test_round_robin(void **state)
{
    (void)state;
    struct standings standings = {.anchor = 2, .anchor_elo = 100};

    add_player(&standings, "a");
    add_player(&standings, "b");
    add_player(&standings, "c");
    add_pairing(&standings, 0, 1, (const int64_t[]){0, 0, 10, 20, 10});
    add_pairing(&standings, 0, 2, (const int64_t[]){0, 0, 0, 10, 30});
    add_pairing(&standings, 1, 2, (const int64_t[]){0, 0, 0, 0, 0});
    standings.pairing[2].wanted = 40;
    standings.pairing[1].results.faults[1][FAULT_CRASH] = 4;
    assert_says(&standings, TITLE ": 3 players, 80 of 120 pairs\n    depth: ");
    assert_says(&standings, "\n     1 - 2        0     0    10    20    10   +190.8 +- ");
    assert_says(&standings, "\n     2 - 3        0     0     0     0     0     +0.0 +- ");
    assert_says(&standings, "  ratings score-logistic Elo, c held at 100; +- 95 %\n");
    assert_says(&standings, "\n    3 c               100.0    +- 0.0    ");
    assert_says(&standings, "\n  faults  of c: crashed 4\n");
    char *text = written(write_plain, &standings);
    const char *ratings = strstr(text, "held at");
    const char *a = strstr(ratings, "1 a"), *b = strstr(ratings, "2 b");
    assert_true(a && b && a < b && b < strstr(ratings, "3 c"));
    assert_null(strstr(text, " \n"));
    free(text);
    /* Without a game between a and the others there is no joint rating. */
    standings.pairing[0].results.scores = standings.pairing[1].results.scores =
        (struct pentanomial){0};
    assert_says(&standings, "  ratings none yet: ratings: no games link these parts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heading),
        cmocka_unit_test(test_repeated_openings),
        cmocka_unit_test(test_round_robin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
