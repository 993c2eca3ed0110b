/* The levels: what they play by, ratings from made-up results, and a ladder that does not rise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/options.h"
#include "tuner/calibrate.h"

static struct settings default_settings(void)
{
    struct settings settings = {0};
    size_t count;
    const struct option *table = settings_table(&count);

    options_defaults(table, count, &settings);
    return settings;
}

/* Results of `games` games a pairing between players whose true Elo are given, a third drawn. */
static void results_of(const double elo[LEVELS_MAX], int games,
                       struct pentanomial scores[CALIBRATE_PAIRINGS])
{
    int at = 0;

    for (int first = 0; first < LEVELS_MAX; first++) {
        for (int second = first + 1; second < LEVELS_MAX; second++, at++) {
            double score = score_from_elo(elo[first] - elo[second]);
            double draws = fmin(score, 1 - score) * 2 / 3;
            scores[at] = (struct pentanomial){.wins = lround(games * (score - draws / 2)),
                                              .draws = lround(games * draws),
                                              .losses = lround(games * (1 - score - draws / 2))};
        }
    }
}

static void test_defaults_are_six_rising_budgets(void **state)
{
    struct settings settings = default_settings();
    struct level_set levels;
    struct err err = {0};

    (void)state;
    assert_true(settings_check(&settings, &err));
    calibrate_levels(&settings, &levels);
    assert_int_equal(levels.count, LEVELS_MAX);
    assert_true(levels.level[0].nodes == 0 && levels.level[0].noise == 0);
    for (int i = 1; i < LEVELS_MAX; i++) {
        assert_int_equal(levels.level[i].number, i + 1);
        assert_string_equal(levels.level[i].name, level_name(i + 1));
        assert_true(levels.level[i].nodes > levels.level[i - 1].nodes);
    }
}

static void test_ratings_are_found_again(void **state)
{
    static const double ELO[LEVELS_MAX] = {0, 300, 500, 800, 1000, 1350};
    struct settings settings = default_settings();
    struct pentanomial scores[CALIBRATE_PAIRINGS];
    struct level_set levels;
    struct err err = {0};
    double draws;

    (void)state;
    results_of(ELO, 2000, scores);
    calibrate_levels(&settings, &levels);
    if (!calibrate_rate(scores, &levels, &draws, &err)) {
        fail_msg("%s", err.text);
    }
    for (int i = 0; i < LEVELS_MAX; i++) {
        if (fabs(levels.level[i].elo - ELO[i]) > 40) {
            fail_msg("level %d: %f", i + 1, levels.level[i].elo);
        }
        assert_true(levels.level[i].elo_error > 1 && levels.level[i].elo_error < 40);
        assert_in_range(levels.level[i].games, 9900, 10100);
    }
    assert_true(levels.level[0].elo == 0);
    assert_true(calibrate_rising(&levels, &err));
}

static void test_falling_ladder_is_named(void **state)
{
    static const double ELO[LEVELS_MAX] = {0, 300, 500, 450, 1000, 1350};
    struct settings settings = default_settings();
    struct pentanomial scores[CALIBRATE_PAIRINGS];
    struct level_set levels;
    struct err err = {0};
    double draws;

    (void)state;
    results_of(ELO, 2000, scores);
    calibrate_levels(&settings, &levels);
    assert_true(calibrate_rate(scores, &levels, &draws, &err));
    assert_false(calibrate_rising(&levels, &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "level 4 Hard"));
    assert_non_null(strstr(err.text, "level 3 Medium"));
}

static void test_settings_that_make_no_sense(void **state)
{
    struct settings settings = default_settings();
    struct err err = {0};

    (void)state;
    settings.calibrate.nodes[3] = settings.calibrate.nodes[2] - 1;
    assert_false(settings_check(&settings, &err));
    assert_non_null(strstr(err.text, "calibrate.nodes_4"));
    settings = default_settings();
    strcpy(settings.run.rules, "classic, flying classic");
    assert_false(settings_check(&settings, &err));
    assert_int_equal(err.code, ERR_USAGE);
    strcpy(settings.run.rules, " ");
    assert_false(settings_check(&settings, &err));
    strcpy(settings.run.rules, "flying,classic");
    assert_true(settings_check(&settings, &err));
    const struct variant *variants[VARIANT_COUNT];
    assert_int_equal(settings_variants(&settings, variants), 2);
    assert_ptr_equal(variants[0], &variant_flying);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_six_rising_budgets),
        cmocka_unit_test(test_ratings_are_found_again),
        cmocka_unit_test(test_falling_ladder_is_named),
        cmocka_unit_test(test_settings_that_make_no_sense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
