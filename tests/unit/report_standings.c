/* Standings in the report: tables, labels of intervals, the test, and names that are no HTML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "standings_support.h"
#include "tuner/report/report_standings.h"

static void assert_has(const char *text, const char *wanted)
{
    if (!strstr(text, wanted)) {
        fail_msg("no '%s' in: %s", wanted, text);
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) {
        count++;
    }
    return count;
}

static void test_match(void **state)
{
    (void)state;
    struct standings standings = {.has_test = true, .test = {SPRT_NORMALISED, 0, 5, 0.05, 0.1}};

    add_player(&standings, "<a&b>");
    add_player(&standings, "c");
    add_pairing(&standings, 0, 1, (const int64_t[]){1, 2, 30, 4, 3});
    standings.pairing[0].wanted = 100;
    standings.pairing[0].results.faults[1][FAULT_CRASH] = 4;
    char *text = written(report_standings, &standings);
    assert_has(text, "<p>40 of at most 100 pairs; the test may end the match earlier.</p>");
    assert_has(text, "<tr><td>1 &lt;a&amp;b></td><td>&ndash;</td><td>43.0</td><td>43.0</td>"
                     "<td>80</td><td>82.5 %</td><td>50.0</td><td>7.0</td><td>0.25</td></tr>");
    assert_has(text, "<tr><td>&lt;a&amp;b> &ndash; c</td><td>40</td><td>1</td><td>2</td><td>30</td>"
                     "<td>4</td><td>3</td><td>+26.1 &plusmn; ");
    assert_has(text, "Sequential test (GSPRT) of normalised Elo 0 against 5, &alpha; 0.05, &beta; "
                     "0.1: LLR 0.");
    assert_has(text,
               "elo0 accepted at -2.251 or below, elo1 at 2.890 or above: <b>not decided</b>");
    assert_has(text, "<p>Games ended by: no moves 80.</p>");
    assert_has(text, "<p><b>c crashed</b> in 4 games against &lt;a&amp;b>.</p>");
    assert_null(strstr(text, "<a&"));
    assert_null(strstr(text, "score-logistic"));
    free(text);
}

static void test_round_robin(void **state)
{
    (void)state;
    struct standings standings = {.anchor = 1, .anchor_elo = 1500};

    add_player(&standings, "a");
    add_player(&standings, "b");
    add_player(&standings, "c");
    add_pairing(&standings, 0, 1, (const int64_t[]){0, 0, 10, 20, 10});
    add_pairing(&standings, 0, 2, (const int64_t[]){0, 0, 10, 20, 10});
    add_pairing(&standings, 1, 2, (const int64_t[]){0, 0, 20, 20, 0});
    char *text = written(report_standings, &standings);
    assert_int_equal(count_of(text, "<table>"), 3);
    assert_int_equal(count_of(text, "</table>"), 3);
    assert_int_equal(count_of(text, "<tr>"), count_of(text, "</tr>"));
    assert_has(text, "<th>Elo (score-logistic)</th><th>against b</th><th>against the mean</th>"
                     "<th>over the next below</th>");
    assert_has(text, "<tr><td>2 b</td><td>1500.0</td><td>&plusmn; 0.0</td><td>&plusmn; ");
    assert_has(text, "under the model score-logistic, b held at 1500; &plusmn;: 95 % intervals");
    assert_null(strstr(text, "GSPRT"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_round_robin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
