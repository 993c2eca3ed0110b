/* Do the errors mean what they say? Matches and tournaments are drawn from known strengths, and
 * intervals and verdicts held against the truth.
 *
 * The argument multiplies the number of trials; the seed is fixed, so a result is reproducible. */
#include "engine/base/rng.h"
#include "selfplay/strength/ratings.h"
#include "selfplay/strength/sprt.h"

#include "tests/unit/close.h"

#include <stdlib.h>

/* Uniform numbers from 0 to 1, one after the other. */
struct dice {
    struct rng rng;
    uint64_t next;
};

static struct dice dice_of(uint64_t trial)
{
    return (struct dice){rng_make(20, RNG_TEST, trial), 0};
}

static double roll(struct dice *dice)
{
    return (double)(rng_draw(&dice->rng, dice->next++) >> 11) * 0x1p-53;
}

/* 0, 1 or 2 half points. */
static int play(struct dice *dice, const struct wdl *chances)
{
    const double number = roll(dice);

    return number < chances->losses ? 0 : number < chances->losses + chances->draws ? 1 : 2;
}

/* A player `elo` stronger; every opening favours one colour by 80 Elo, so that the games of a pair
 * are not independent of one another but pairs are. */
struct contest {
    struct wdl favoured, unfavoured;
    double score, variance; /* true mean score per game; of a pair's mean score per game */
};

static struct contest contest_of(double elo, double draw_share)
{
    struct contest contest = {.favoured = score_model_chances(elo + 80.0, draw_share),
                              .unfavoured = score_model_chances(elo - 80.0, draw_share)};
    const struct wdl *games[2] = {&contest.favoured, &contest.unfavoured};

    for (int i = 0; i < 2; i++) {
        const double score = games[i]->wins + games[i]->draws / 2.0;
        contest.score += score / 2.0;
        contest.variance += (games[i]->wins + games[i]->draws / 4.0 - score * score) / 4.0;
    }
    return contest;
}

static void play_pair(struct dice *dice, const struct contest *contest, struct pentanomial *match)
{
    const int first = play(dice, &contest->favoured);
    const int second = play(dice, &contest->unfavoured);

    pentanomial_add(match, first, second);
}

static bool covers(struct estimate estimate, double truth)
{
    return fabs(estimate.value - truth) <= estimate.error;
}

static void check_coverage(const char *what, int hits, int trials)
{
    const double coverage = (double)hits / trials;

    print_message("%s: %.2f %% of %d intervals hold the truth\n", what, 100.0 * coverage, trials);
    assert_true(coverage >= 0.93 && coverage <= 0.97);
}

static void match_intervals_cover(void **state)
{
    const int trials = 2000 * *(const int *)*state;
    const struct {
        double elo;
        int pairs;
    } cases[] = {{0, 50}, {0, 500}, {40, 100}, {200, 100}, {200, 500}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct contest contest = contest_of(cases[k].elo, 0.4);
        const double elo = elo_from_score(contest.score);
        const double normalised =
            2.0 * elo_per_logit * (contest.score - 0.5) / sqrt(2.0 * contest.variance);
        int hits = 0;
        int normalised_hits = 0;
        for (int trial = 0; trial < trials; trial++) {
            struct dice dice = dice_of((uint64_t)trial);
            struct pentanomial match = {0};
            for (int i = 0; i < cases[k].pairs; i++) {
                play_pair(&dice, &contest, &match);
            }
            const struct match_statistics s = match_statistics(&match);
            hits += covers(s.elo, elo);
            normalised_hits += covers(s.normalised_elo, normalised);
        }
        print_message("%d pairs at %g Elo\n", cases[k].pairs, cases[k].elo);
        check_coverage("  Elo", hits, trials);
        check_coverage("  normalised Elo", normalised_hits, trials);
    }
}

/* Between equals, the likelihood of superiority is itself uniform: 5 % of matches exceed 95 %. */
static void superiority_is_calibrated(void **state)
{
    const int trials = 4000 * *(const int *)*state;
    const struct contest contest = contest_of(0.0, 0.4);
    int high = 0;

    for (int trial = 0; trial < trials; trial++) {
        struct dice dice = dice_of((uint64_t)trial);
        struct pentanomial match = {0};
        for (int i = 0; i < 200; i++) {
            play_pair(&dice, &contest, &match);
        }
        high += match_statistics(&match).superiority > 0.95;
    }
    print_message("superiority above 95 %% in %.2f %% of matches between equals\n",
                  100.0 * high / trials);
    assert_close((double)high / trials, 0.05, 0.012);
}

enum { LADDER = 6, ROUND_ROBIN = LADDER * (LADDER - 1) / 2 };

/* A round robin of a ladder with 400 Elo from player to player, `games` games a pair. */
static void play_round_robin(struct dice *dice, int games,
                             struct rating_pairing pairings[ROUND_ROBIN])
{
    struct rating_pairing *next = pairings;

    for (int j = 0; j < LADDER; j++) {
        for (int i = 0; i < j; i++) {
            const struct wdl chances = score_model_chances(400.0 * (j - i), 0.35);
            int count[3] = {0};
            for (int game = 0; game < games; game++) {
                count[play(dice, &chances)]++;
            }
            *next++ = (struct rating_pairing){j, i, {count[2], count[1], count[0]}};
        }
    }
}

static void rating_intervals_cover_at(int games, int trials)
{
    static const char *const names[LADDER] = {"a", "b", "c", "d", "e", "f"};
    int anchor_hits = 0;
    int mean_hits = 0;
    int gap_hits = 0;
    int span_hits = 0;
    double spans = 0.0;

    for (int trial = 0; trial < trials; trial++) {
        struct dice dice = dice_of((uint64_t)trial);
        struct rating_pairing pairings[ROUND_ROBIN];
        struct rating ratings[LADDER];
        double draw_share;
        play_round_robin(&dice, games, pairings);
        const struct rating_pool pool = {
            .names = names, .players = LADDER, .pairings = pairings, .pairings_count = ROUND_ROBIN};
        assert_true(ratings_fit(&pool, ratings, &draw_share, NULL));
        for (int i = 0; i < LADDER; i++) {
            mean_hits += covers(ratings[i].over_mean, 400.0 * i - 1000.0);
        }
        for (int i = 1; i < LADDER; i++) {
            anchor_hits += covers(ratings[i].over_anchor, 400.0 * i);
            gap_hits += covers(ratings[i].over_below, 400.0);
        }
        span_hits += covers(ratings[LADDER - 1].over_anchor, 2000.0);
        spans += ratings[LADDER - 1].elo;
    }
    print_message("%d games a pair: mean span %.1f of 2000\n", games, spans / trials);
    check_coverage("  against the anchor", anchor_hits, (LADDER - 1) * trials);
    check_coverage("  against the mean", mean_hits, LADDER * trials);
    check_coverage("  between neighbours", gap_hits, (LADDER - 1) * trials);
    check_coverage("  whole span", span_hits, trials);
    assert_close(spans / trials, 2000.0, 40.0);
}

static void rating_intervals_cover(void **state)
{
    const int trials = 1000 * *(const int *)*state;

    rating_intervals_cover_at(40, trials);
    rating_intervals_cover_at(100, trials);
    rating_intervals_cover_at(500, trials);
}

/* Plays until the test decides, looking after every fourth pair; false for elo0. */
static bool verdict(const struct sprt *test, const struct contest *contest, uint64_t trial,
                    int64_t *pairs)
{
    struct dice dice = dice_of(trial);
    struct pentanomial match = {0};

    for (;;) {
        for (int i = 0; i < 4; i++) {
            play_pair(&dice, contest, &match);
        }
        *pairs += 4;
        const enum sprt_decision decision =
            sprt_decide(test, sprt_log_likelihood_ratio(test, &match));
        if (decision != SPRT_CONTINUE) {
            return decision == SPRT_ACCEPT_ELO1;
        }
    }
}

/* The strength at which the contest stands exactly at `elo` on the scale of the test. */
static struct contest contest_at(enum sprt_scale scale, double elo)
{
    double low = -500.0;
    double high = 500.0;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2.0;
        const struct contest contest = contest_of(middle, 0.4);
        const double reached =
            scale == SPRT_LOGISTIC
                ? elo_from_score(contest.score)
                : 2.0 * elo_per_logit * (contest.score - 0.5) / sqrt(2.0 * contest.variance);
        *(reached < elo ? &low : &high) = middle;
    }
    return contest_of(low, 0.4);
}

static void check_test(const struct sprt *test, const char *scale, int trials)
{
    const struct contest at0 = contest_at(test->scale, test->elo0);
    const struct contest at1 = contest_at(test->scale, test->elo1);
    int64_t pairs = 0;
    int false1 = 0;
    int false0 = 0;

    for (int trial = 0; trial < trials; trial++) {
        false1 += verdict(test, &at0, (uint64_t)trial, &pairs);
        false0 += !verdict(test, &at1, (uint64_t)trial, &pairs);
    }
    print_message("%s %g to %g, alpha %g, beta %g: falsely elo1 %.2f %%, falsely elo0 %.2f %%, "
                  "%.0f pairs on average\n",
                  scale, test->elo0, test->elo1, test->alpha, test->beta, 100.0 * false1 / trials,
                  100.0 * false0 / trials, (double)pairs / (2.0 * trials));
    assert_true((double)false1 / trials <= test->alpha);
    assert_true((double)false0 / trials <= test->beta);
}

static void sequential_tests_keep_their_errors(void **state)
{
    const int trials = 3000 * *(const int *)*state;
    const struct sprt logistic = {SPRT_LOGISTIC, 0.0, 30.0, 0.05, 0.05};
    const struct sprt uneven = {SPRT_LOGISTIC, -10.0, 30.0, 0.10, 0.05};
    const struct sprt normalised = {SPRT_NORMALISED, 0.0, 40.0, 0.05, 0.05};

    check_test(&logistic, "logistic", trials);
    check_test(&uneven, "logistic", trials);
    check_test(&normalised, "normalised", trials);
}

int main(int argc, char **argv)
{
    int factor = argc > 1 ? atoi(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(match_intervals_cover, &factor),
        cmocka_unit_test_prestate(superiority_is_calibrated, &factor),
        cmocka_unit_test_prestate(rating_intervals_cover, &factor),
        cmocka_unit_test_prestate(sequential_tests_keep_their_errors, &factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
