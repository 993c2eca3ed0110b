/* The sequential test: the ratios of fishtest's calculator to six digits, Wald's bounds, and
 * refusal of tests that cannot be. */
#include "selfplay/strength/sprt.h"

#include "tests/unit/close.h"

#include <string.h>

struct vector {
    int64_t pairs[PAIR_SCORES];
    enum sprt_scale scale;
    double elo0, elo1, ratio;
};

static double ratio_of(const struct vector *vector)
{
    const struct sprt test = {vector->scale, vector->elo0, vector->elo1, 0.05, 0.05};
    struct pentanomial match = {0};

    memcpy(match.pairs, vector->pairs, sizeof match.pairs);
    return sprt_log_likelihood_ratio(&test, &match);
}

static void published_ratios(void **state)
{
    (void)state;
    const struct vector vectors[] = {
        {{39, 8843, 26675, 9240, 44}, SPRT_NORMALISED, 0.5, 2.5, 2.941675},
        {{39, 8843, 26675, 9240, 44}, SPRT_NORMALISED, 0.0, 2.0, 3.684561},
        {{39, 8843, 26675, 9240, 44}, SPRT_LOGISTIC, 0.0, 2.0, 4.173967},
        {{10789, 19328, 33806, 19402, 10543}, SPRT_NORMALISED, -3.0, 1.0, 0.300870},
        {{10789, 19328, 33806, 19402, 10543}, SPRT_LOGISTIC, -3.0, 1.0, 2.131068},
        {{5, 5, 36, 22, 22}, SPRT_NORMALISED, 0.0, 10.0, 1.570882},
        {{0, 0, 0, 0, 50}, SPRT_NORMALISED, 0.0, 2.0, 0.405386},
        {{0, 0, 0, 1, 0}, SPRT_NORMALISED, 0.0, 2.0, 0.005723},
    };

    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        assert_close(ratio_of(&vectors[i]), vectors[i].ratio, 0.5e-6 + 1e-9);
    }
}

static void no_pairs_speak_for_neither(void **state)
{
    (void)state;
    const struct vector logistic = {{0}, SPRT_LOGISTIC, 0.0, 5.0, 0.0};
    const struct vector normalised = {{0}, SPRT_NORMALISED, 0.0, 5.0, 0.0};

    assert_close(ratio_of(&logistic), 0.0, 0.0);
    assert_close(ratio_of(&normalised), 0.0, 0.0);
}

/* Exchanging players and hypotheses changes the sign and nothing else. */
static void exchanging_the_players_changes_the_sign(void **state)
{
    (void)state;
    for (int scale = SPRT_LOGISTIC; scale <= SPRT_NORMALISED; scale++) {
        const struct vector there = {{3, 8, 40, 21, 9}, (enum sprt_scale)scale, -5.0, 20.0, 0.0};
        const struct vector back = {{9, 21, 40, 8, 3}, (enum sprt_scale)scale, -20.0, 5.0, 0.0};
        assert_true(ratio_of(&there) > 0.1);
        assert_close(ratio_of(&there), -ratio_of(&back), 1e-9);
    }
}

/* The extreme bounds that a test may have, on every match of few or of very many pairs. */
static void every_match_gives_a_finite_ratio(void **state)
{
    (void)state;
    const int64_t number[] = {0, 1, 1000000000};
    enum { NUMBERS = sizeof number / sizeof number[0] };

    for (int code = 0; code < NUMBERS * NUMBERS * NUMBERS * NUMBERS * NUMBERS; code++) {
        struct vector logistic = {{0}, SPRT_LOGISTIC, -1000.0, 1000.0, 0.0};
        for (int i = 0, rest = code; i < PAIR_SCORES; i++, rest /= NUMBERS) {
            logistic.pairs[i] = number[rest % NUMBERS];
        }
        struct vector normalised = logistic;
        normalised.scale = SPRT_NORMALISED;
        normalised.elo0 = -200.0;
        normalised.elo1 = 200.0;
        assert_true(isfinite(ratio_of(&logistic)));
        assert_true(isfinite(ratio_of(&normalised)));
    }
}

static void bounds_decide(void **state)
{
    (void)state;
    const struct sprt test = {SPRT_LOGISTIC, 0.0, 5.0, 0.05, 0.10};

    assert_close(sprt_lower_bound(&test), -2.2512918, 1e-7);
    assert_close(sprt_upper_bound(&test), 2.8903718, 1e-7);
    assert_int_equal(sprt_decide(&test, -2.2513), SPRT_ACCEPT_ELO0);
    assert_int_equal(sprt_decide(&test, -2.2512), SPRT_CONTINUE);
    assert_int_equal(sprt_decide(&test, 2.8903), SPRT_CONTINUE);
    assert_int_equal(sprt_decide(&test, 2.8904), SPRT_ACCEPT_ELO1);
}

static void impossible_tests_are_refused(void **state)
{
    (void)state;
    const struct sprt sound = {SPRT_NORMALISED, 0.0, 5.0, 0.05, 0.05};
    const struct {
        struct sprt test;
        const char *says;
    } unsound[] = {
        {{SPRT_LOGISTIC, 5.0, 5.0, 0.05, 0.05}, "the first must be the lower"},
        {{SPRT_LOGISTIC, NAN, 5.0, 0.05, 0.05}, "the first must be the lower"},
        {{SPRT_LOGISTIC, 0.0, 1001.0, 0.05, 0.05}, "logistic Elo must lie within -1000 to 1000"},
        {{SPRT_NORMALISED, -201.0, 5.0, 0.05, 0.05}, "normalised Elo must lie within -200 to 200"},
        {{SPRT_LOGISTIC, 0.0, 5.0, 0.0, 0.05}, "alpha 0 and beta 0.05"},
        {{SPRT_LOGISTIC, 0.0, 5.0, 0.05, 0.5}, "alpha 0.05 and beta 0.5"},
    };

    assert_true(sprt_check(&sound, NULL));
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++) {
        struct err err = {0};
        assert_false(sprt_check(&unsound[i].test, &err));
        assert_int_equal(err.code, ERR_USAGE);
        assert_non_null(strstr(err.text, unsound[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_ratios),
        cmocka_unit_test(no_pairs_speak_for_neither),
        cmocka_unit_test(exchanging_the_players_changes_the_sign),
        cmocka_unit_test(every_match_gives_a_finite_ratio),
        cmocka_unit_test(bounds_decide),
        cmocka_unit_test(impossible_tests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
