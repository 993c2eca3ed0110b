/* Match statistics: pairs are counted right, the textbook values come out, and no match, however
 * one-sided or short, gives anything but finite numbers. */
#include "selfplay/strength/statistics.h"

#include "tests/unit/close.h"

#include <stdbool.h>

static struct pentanomial pairs(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
{
    return (struct pentanomial){.pairs = {a, b, c, d, e}};
}

static void pairs_are_counted_by_their_points(void **state)
{
    (void)state;
    struct pentanomial match = {0};

    for (int first = 0; first <= 2; first++) {
        for (int second = 0; second <= 2; second++) {
            pentanomial_add(&match, first, second);
        }
    }
    const int64_t expected[PAIR_SCORES] = {1, 2, 3, 2, 1};
    for (int i = 0; i < PAIR_SCORES; i++) {
        assert_int_equal(match.pairs[i], expected[i]);
    }
    assert_int_equal(match.wins, 6);
    assert_int_equal(match.draws, 6);
    assert_int_equal(match.losses, 6);

    pentanomial_add(&match, 2, 1);
    pentanomial_add(&match, 1, 1);
    assert_int_equal(match.pairs[3], 3);
    assert_int_equal(match.pairs[2], 4);
    assert_int_equal(match.wins, 7);
    assert_int_equal(match.draws, 9);
    assert_int_equal(match.losses, 6);
}

static void scores_and_elo_convert_both_ways(void **state)
{
    (void)state;
    assert_close(score_from_elo(0.0), 0.5, 1e-15);
    assert_close(score_from_elo(400.0), 10.0 / 11.0, 1e-14);
    assert_close(score_from_elo(-400.0), 1.0 / 11.0, 1e-14);
    assert_close(elo_from_score(0.75), 190.848502, 1e-6);
    for (double elo = -3000.0; elo <= 3000.0; elo += 250.0) {
        assert_close(elo_from_score(score_from_elo(elo)), elo, 1e-6);
    }
}

/* By hand: 200 pairs, mean 0.55, variance sum n (a - 0.55)^2 / 200. */
static void textbook_match(void **state)
{
    (void)state;
    const struct pentanomial match = pairs(10, 40, 70, 60, 20);
    const struct match_statistics s = match_statistics(&match);
    const double variance = (10 * 0.3025 + 40 * 0.09 + 70 * 0.0025 + 60 * 0.04 + 20 * 0.2025) / 200;

    assert_int_equal(s.pairs, 200);
    assert_close(s.score, 0.55, 1e-12);
    assert_close(s.variance, variance, 1e-12);
    assert_close(s.elo.value, 34.8600703, 1e-6);
    assert_close(s.normalised_elo.value, 0.05 / sqrt(2 * variance) * 347.4356, 1e-3);
    /* the error without the half pairs is a little smaller, and z = 0.05 / sqrt(variance/200) */
    const double elo_error = 1.96 * sqrt(variance / 200) / (0.55 * 0.45) * 173.7178;
    assert_close(s.elo.error / elo_error, 1.01, 0.01);
    assert_close(s.superiority, 0.9970, 0.0005);
}

/* Both ways round, a match says the same with the sign changed. */
static void exchanging_the_players_changes_signs(void **state)
{
    (void)state;
    const struct pentanomial there = pairs(3, 8, 40, 21, 9);
    const struct pentanomial back = pairs(9, 21, 40, 8, 3);
    const struct match_statistics a = match_statistics(&there);
    const struct match_statistics b = match_statistics(&back);

    assert_close(a.score, 1.0 - b.score, 1e-12);
    assert_close(a.variance, b.variance, 1e-12);
    assert_close(a.elo.value, -b.elo.value, 1e-9);
    assert_close(a.elo.error, b.elo.error, 1e-9);
    assert_close(a.normalised_elo.value, -b.normalised_elo.value, 1e-9);
    assert_close(a.normalised_elo.error, b.normalised_elo.error, 1e-9);
    assert_close(a.superiority, 1.0 - b.superiority, 1e-12);
}

static void degenerate_matches_have_the_stated_values(void **state)
{
    (void)state;
    const struct pentanomial none = {0};
    const struct pentanomial one = pairs(0, 0, 0, 0, 1);
    const struct pentanomial all = pairs(0, 0, 0, 0, 50);
    const struct pentanomial drawn = pairs(0, 0, 40, 0, 0);

    struct match_statistics s = match_statistics(&none);
    assert_close(s.score, 0.5, 0.0);
    assert_close(s.elo.value, 0.0, 0.0);
    assert_close(s.elo.error, 681.0, 0.5);
    assert_close(s.normalised_elo.error, 482.0, 0.5);
    assert_close(s.superiority, 0.5, 0.0);

    s = match_statistics(&one);
    assert_close(s.elo.value, 338.0, 0.5);
    assert_close(s.elo.error, 556.0, 0.5);

    s = match_statistics(&all);
    assert_close(s.score, 1.0, 0.0);
    assert_close(s.elo.value, 1040.4, 0.5);
    assert_close(s.elo.error, 483.9, 0.5);

    s = match_statistics(&drawn);
    assert_close(s.elo.value, 0.0, 0.0);
    assert_true(s.elo.error > 10.0 && s.elo.error < 30.0);
}

static void check_finite(struct estimate estimate)
{
    assert_true(isfinite(estimate.value));
    assert_true(isfinite(estimate.error));
    assert_true(estimate.error > 0.0);
}

/* Every match of up to four kinds of pairs in numbers from 0 to a billion. */
static void every_match_gives_finite_numbers(void **state)
{
    (void)state;
    const int64_t number[] = {0, 1, 2, 1000000000};
    enum { NUMBERS = sizeof number / sizeof number[0] };

    for (int code = 0; code < NUMBERS * NUMBERS * NUMBERS * NUMBERS * NUMBERS; code++) {
        struct pentanomial match = {0};
        for (int i = 0, rest = code; i < PAIR_SCORES; i++, rest /= NUMBERS) {
            match.pairs[i] = number[rest % NUMBERS];
        }
        const struct match_statistics s = match_statistics(&match);
        check_finite(s.elo);
        check_finite(s.normalised_elo);
        assert_true(s.score >= 0.0 && s.score <= 1.0);
        assert_true(s.variance >= 0.0 && s.variance <= 0.25);
        assert_true(s.superiority >= 0.0 && s.superiority <= 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_counted_by_their_points),
        cmocka_unit_test(scores_and_elo_convert_both_ways),
        cmocka_unit_test(textbook_match),
        cmocka_unit_test(exchanging_the_players_changes_signs),
        cmocka_unit_test(degenerate_matches_have_the_stated_values),
        cmocka_unit_test(every_match_gives_finite_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
