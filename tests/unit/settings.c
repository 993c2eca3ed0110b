/* Players that the user names: what makes a pool of them, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/match_openings.h"
#include "tuner/settings.h"

static struct settings settings;

#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* The settings of a list of assignments; whether they are a match. */
static bool takes(const char *const assignments[], struct err *err)
{
    size_t count;
    const struct option *table = settings_table(&count);

    options_defaults(table, count, &settings);
    for (; *assignments; assignments++) {
        if (!options_assign(table, count, &settings, *assignments, err)) {
            fail_msg("%s", err->text);
        }
    }
    return settings_check(&settings, err);
}

static void refuses(const char *text, const char *const assignments[])
{
    struct err err = {0};

    assert_false(takes(assignments, &err));
    assert_string_equal(err.text, text);
    assert_int_equal(err.code, ERR_USAGE);
}

#define A "player_a.kind=search", "player_a.nodes=5"
#define B "player_b.kind=external", "player_b.command=x", "player_b.time=1"
#define C "player_c.kind=level", "player_c.weights=x.h5"

static void test_players(void **state)
{
    (void)state;
    struct err err;
    struct sprt test;

    assert_true(takes(LIST("run.seed=1"), &err));
    assert_int_equal(settings_players(&settings), 0);
    assert_true(takes(LIST(C, A, "player_a.name=first", B, "match.anchor=first"), &err));
    assert_int_equal(settings_players(&settings), 3);
    assert_string_equal(settings_player_name(&settings.player[0]), "c");
    assert_string_equal(settings_player_name(&settings.player[1]), "first");
    assert_int_equal(settings_anchor(&settings), 1);
    assert_true(takes(LIST(B, A, "sprt.elo1=5"), &err));
    assert_int_equal(settings_anchor(&settings), 0);
    assert_true(settings_test(&settings, &test));
    assert_int_equal(settings.player[0].kind, PLAYER_EXTERNAL);
    assert_int_equal(settings.player[1].kind, PLAYER_SEARCH);
}

static void test_no_match(void **state)
{
    (void)state;
    refuses("a match needs two players, only section player_a is there", LIST(A));
    refuses("player_d.kind: is missing: search, level or external", LIST(A, B, "player_d.nodes=1"));
    refuses("player_b: nodes, depth or time is needed", LIST(A, B, "player_b.time=0"));
    refuses("player_b.command: is needed to start the program", LIST(A, B, "player_b.command="));
    refuses("player_c.weights: a level needs its RULES.h5", LIST(A, C, "player_c.weights="));
    refuses("player_b.name: 'a' is the name of player_a already", LIST(A, B, "player_b.name=a"));
    refuses("match.anchor: no player is called 'x'", LIST(A, B, "match.anchor=x"));
    refuses("sprt: a test ends a match of two players, here are 3; leave out sprt.elo0 and "
            "sprt.elo1",
            LIST(A, B, C, "sprt.elo1=5"));
}

/* As text and back, sections in their order; a file name with the rule set in it. */
static void test_text(void **state)
{
    (void)state;
    char path[FILE_PATH];
    struct run_settings as_run;
    struct err err;

    assert_true(takes(LIST(B, A), &err));
    assert_true(settings_begin(&settings, &as_run, &err));
    const char *b = strstr(as_run.text, "\n[player_b]\n");
    const char *a = strstr(as_run.text, "\n[player_a]\n");
    assert_true(a && b && b < a);
    assert_non_null(strstr(b, "\ncommand = x\n"));
    assert_null(strstr(as_run.initial, "[player_"));
    settings_end(&as_run);
    assert_true(settings_path("x/RULES.h5", &variant_flying, path, &err));
    assert_string_equal(path, "x/flying.h5");
    assert_true(settings_path("x.h5", &variant_flying, path, &err));
    assert_string_equal(path, "x.h5");
}

/* One function for the pipeline's match and for named players. */
static void test_random_openings(void **state)
{
    struct err err = {0};
    (void)state;

    takes(LIST("match.opening_plies=4", "match.opening_bound=90"), &err);
    struct opening_settings bounded = match_openings_random(&settings);
    assert_int_equal(bounded.plies, 4);
    assert_int_equal(bounded.bound, 90);
    assert_true(bounded.nodes > 0);
    takes(LIST("match.opening_bound=0"), &err);
    assert_int_equal(match_openings_random(&settings).nodes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_players),
        cmocka_unit_test(test_no_match),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_random_openings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
