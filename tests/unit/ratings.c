/* Joint ratings: a noise-free ladder comes back, perfect and poor data stay finite, errors mean
 * what their labels say, and pools in parts are refused by name. */
#include "selfplay/strength/ratings.h"

#include "tests/unit/close.h"

#include <string.h>

enum { LADDER = 6, ROUND_ROBIN = LADDER * (LADDER - 1) / 2 };

static const char *const names[LADDER] = {"Ann", "Ben", "Cleo", "Dirk", "Eve", "Finn"};

/* Everyone against everyone, `games` games each, in the model's own proportions. */
static struct rating_pool round_robin(struct rating_pairing pairings[ROUND_ROBIN], double gap,
                                      double games, double draw_share)
{
    struct rating_pairing *next = pairings;

    for (int j = 0; j < LADDER; j++) {
        for (int i = 0; i < j; i++) {
            const struct wdl p = score_model_chances(gap * (j - i), draw_share);
            *next++ =
                (struct rating_pairing){j, i, {games * p.wins, games * p.draws, games * p.losses}};
        }
    }
    return (struct rating_pool){
        .names = names, .players = LADDER, .pairings = pairings, .pairings_count = ROUND_ROBIN};
}

static void fit(const struct rating_pool *pool, struct rating ratings[], double *draw_share)
{
    struct err err = {0};

    if (!ratings_fit(pool, ratings, draw_share, &err)) {
        fail_msg("%s", err.text);
    }
    for (int i = 0; i < pool->players; i++) {
        const struct rating *r = &ratings[i];
        assert_true(isfinite(r->elo) && fabs(r->elo - pool->anchor_elo) < 1e4);
        assert_true(r->over_anchor.error < 2000.0 && r->over_mean.error < 2000.0);
        assert_true((r->over_anchor.error > 0.0) == (i != pool->anchor));
        assert_true((r->over_below.error > 0.0) == (i > 0));
        assert_true(r->over_mean.error > 0.0);
    }
    assert_true(*draw_share > 0.0 && *draw_share < 1.0);
}

/* Two players, the second against the first. */
static struct rating duel(double wins, double draws, double losses, double draw_share)
{
    const struct rating_pairing pairing = {1, 0, {wins, draws, losses}};
    const struct rating_pool pool = {.names = names,
                                     .players = 2,
                                     .pairings = &pairing,
                                     .pairings_count = 1,
                                     .draw_share = draw_share};
    struct rating ratings[2];
    double fitted;

    fit(&pool, ratings, &fitted);
    return ratings[1];
}

/* The prior on neighbours' gaps shrinks a ladder of true span 2000 by so much and no more; with a
 * prior on every gap played it would be 1560, 1763 and 1940. */
static void long_ladder_is_not_shrunk(void **state)
{
    (void)state;
    const struct {
        double games, span;
    } expected[] = {{40, 1962}, {100, 1984}, {500, 1997}};

    for (int k = 0; k < 3; k++) {
        struct rating_pairing pairings[ROUND_ROBIN];
        struct rating ratings[LADDER];
        double draw_share;
        const struct rating_pool pool = round_robin(pairings, 400.0, expected[k].games, 0.5);
        fit(&pool, ratings, &draw_share);
        assert_close(ratings[LADDER - 1].elo, expected[k].span, 1.0);
        assert_close(draw_share, 0.5, 0.001);
    }
}

static void draw_share_is_fitted_or_taken(void **state)
{
    (void)state;
    struct rating_pairing pairings[ROUND_ROBIN];
    struct rating ratings[LADDER];
    double draw_share;
    struct rating_pool pool = round_robin(pairings, 50.0, 1000.0, 0.7);

    fit(&pool, ratings, &draw_share);
    assert_close(draw_share, 0.7, 0.001);
    assert_close(ratings[LADDER - 1].elo, 250.0, 0.5);
    pool.draw_share = 0.6;
    fit(&pool, ratings, &draw_share);
    assert_close(draw_share, 0.6, 0.0);
}

/* 200-0 is what the prior makes of it: its standard error is 153, the 95 % error 299. */
static void perfect_scores_are_finite(void **state)
{
    (void)state;
    const struct rating won = duel(200, 0, 0, 0.0);
    const struct rating lost = duel(0, 0, 200, 0.0);

    assert_close(won.elo, 1020.0, 10.0);
    assert_close(won.over_anchor.error / z95, 154.0, 5.0);
    assert_close(lost.elo, -won.elo, 1e-6);
    assert_close(lost.over_anchor.error, won.over_anchor.error, 1e-6);
    assert_true(duel(1e6, 0, 0, 0.0).elo > won.elo);
    assert_true(duel(20, 0, 0, 0.0).elo < won.elo);
}

static void poor_data_are_finite_and_wide(void **state)
{
    (void)state;
    const struct rating one = duel(1, 0, 0, 0.0);
    const struct rating drawn_once = duel(0, 1, 0, 0.0);
    const struct rating drawn = duel(0, 200, 0, 0.0);

    assert_true(one.elo > 100.0 && one.elo < 400.0);
    assert_true(one.over_anchor.error > one.elo);
    assert_close(one.games, 1.0, 0.0);
    assert_close(one.score, 1.0, 0.0);
    assert_close(drawn_once.elo, 0.0, 1e-6);
    assert_true(drawn_once.over_anchor.error > 200.0);
    assert_close(drawn.elo, 0.0, 1e-6);
    assert_true(drawn.over_anchor.error < 10.0);
}

/* The second derivative by hand: 1000 games at equality, each worth (1 - d0)/4 + ... = the
 * variance of a score over v^2, plus the prior's 1/ln(10)^2. */
static void interval_of_a_duel_by_hand(void **state)
{
    (void)state;
    const struct rating r = duel(300, 400, 300, 0.4);
    const double information = 1000.0 * 0.0625 / 0.15 + 1.0 / (log(10.0) * log(10.0));

    assert_close(r.elo, 0.0, 1e-9);
    assert_close(r.over_anchor.error, 1.959964 * 173.717793 / sqrt(information), 1e-4);
}

static void perfect_ladders_are_finite_and_rising(void **state)
{
    (void)state;
    struct rating_pairing pairings[ROUND_ROBIN];
    struct rating ratings[LADDER];
    double draw_share;
    struct rating_pool pool = round_robin(pairings, 0.0, 0.0, 0.5);

    for (int k = 0; k < ROUND_ROBIN; k++) {
        pairings[k].games = (struct wdl){100.0, 0.0, 0.0};
    }
    fit(&pool, ratings, &draw_share);
    for (int i = 1; i < LADDER; i++) {
        assert_true(ratings[i].over_below.value > 300.0);
    }
    for (int k = 0; k < ROUND_ROBIN; k++) {
        pairings[k].games = (struct wdl){0.0, 0.0, k % 2 ? 1e6 : 0.0};
    }
    pairings[0].games.draws = pairings[2].games.draws = pairings[14].games.wins = 1.0;
    fit(&pool, ratings, &draw_share);
}

/* Which player is the anchor moves all ratings alike and leaves differences and the errors of
 * differences alone; the labels agree with one another. */
static void anchor_only_shifts(void **state)
{
    (void)state;
    struct rating_pairing pairings[ROUND_ROBIN];
    struct rating low[LADDER];
    struct rating high[LADDER];
    double draw_share;
    struct rating_pool pool = round_robin(pairings, 130.0, 60.0, 0.3);

    fit(&pool, low, &draw_share);
    pool.anchor = 3;
    pool.anchor_elo = 1500.0;
    fit(&pool, high, &draw_share);
    assert_close(high[3].elo, 1500.0, 0.0);
    assert_close(high[3].over_anchor.error, 0.0, 0.0);
    for (int i = 0; i < LADDER; i++) {
        assert_close(high[i].elo - 1500.0, low[i].elo - low[3].elo, 1e-4);
        assert_close(high[i].over_mean.value, low[i].over_mean.value, 1e-4);
        assert_close(high[i].over_mean.error, low[i].over_mean.error, 1e-4);
        assert_close(high[i].over_below.value, low[i].over_below.value, 1e-4);
        assert_close(high[i].over_below.error, low[i].over_below.error, 1e-4);
    }
    assert_close(high[4].over_below.error, high[4].over_anchor.error, 1e-6);
    assert_close(high[0].over_anchor.error, low[3].over_anchor.error, 1e-4);
    assert_true(low[5].over_anchor.error > low[5].over_below.error);
    assert_true(low[5].over_below.error > low[5].over_mean.error);
}

static void split_entries_count_as_one(void **state)
{
    (void)state;
    const struct rating_pairing split[] = {{1, 0, {30, 20, 0}}, {0, 1, {10, 5, 4}}};
    const struct rating_pool pool = {
        .names = names, .players = 2, .pairings = split, .pairings_count = 2};
    struct rating ratings[2];
    double draw_share;

    fit(&pool, ratings, &draw_share);
    assert_close(ratings[1].elo, duel(34, 25, 10, 0.0).elo, 1e-6);
    assert_close(ratings[1].games, 69.0, 0.0);
    assert_close(ratings[1].score, 46.5 / 69.0, 1e-12);
    assert_close(ratings[0].score, 22.5 / 69.0, 1e-12);
}

static void parts_are_refused_by_name(void **state)
{
    (void)state;
    const struct rating_pairing pairings[] = {
        {1, 0, {9, 0, 0}}, {5, 2, {3, 3, 3}}, {2, 3, {1, 0, 0}}, {1, 2, {0, 0, 0}}};
    const struct rating_pool pool = {
        .names = names, .players = LADDER, .pairings = pairings, .pairings_count = 4};
    struct rating ratings[LADDER];
    double draw_share;
    struct err err = {0};

    assert_false(ratings_fit(&pool, ratings, &draw_share, &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "(Ann, Ben) (Cleo, Dirk, Finn) (Eve)"));
}

/* Names too long for one line are cut, a pool too large is refused, the largest is rated. */
static void large_pools(void **state)
{
    (void)state;
    static struct rating_pairing chain[RATING_PLAYERS_MAX];
    static struct rating ratings[RATING_PLAYERS_MAX];
    const char *many[RATING_PLAYERS_MAX + 1];
    double draw_share;
    struct err err = {0};
    struct rating_pool pool = {
        .names = many, .players = RATING_PLAYERS_MAX, .pairings = chain, .pairings_count = 0};

    for (int i = 0; i <= RATING_PLAYERS_MAX; i++) {
        many[i] = "somebody with a long name";
    }
    assert_false(ratings_fit(&pool, ratings, &draw_share, &err));
    assert_true(strlen(err.text) < ERR_TEXT);
    for (int i = 1; i < RATING_PLAYERS_MAX; i++) {
        chain[i - 1] = (struct rating_pairing){i, i - 1, {12, 10, 8}};
    }
    pool.pairings_count = RATING_PLAYERS_MAX - 1;
    fit(&pool, ratings, &draw_share);
    assert_true(ratings[RATING_PLAYERS_MAX - 1].elo > 1000.0);
    pool.players = RATING_PLAYERS_MAX + 1;
    assert_false(ratings_fit(&pool, ratings, &draw_share, &err));
    assert_non_null(strstr(err.text, "from 1 to 64"));
}

static void check_refused(struct rating_pool pool, const char *says)
{
    struct rating ratings[LADDER];
    double draw_share;
    struct err err = {0};

    assert_false(ratings_fit(&pool, ratings, &draw_share, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, says));
}

static void broken_pools_are_refused(void **state)
{
    (void)state;
    struct rating_pairing pairing = {1, 0, {3, 2, 1}};
    const struct rating_pool sound = {
        .names = names, .players = 2, .pairings = &pairing, .pairings_count = 1};
    struct rating_pool pool = sound;

    pool.anchor = 2;
    check_refused(pool, "anchor 2");
    pool = sound;
    pool.draw_share = 1.0;
    check_refused(pool, "draw share 1");
    pairing.first = 2;
    check_refused(sound, "players 2 and 0 of 2");
    pairing.first = 0;
    check_refused(sound, "players 0 and 0 of 2");
    pairing = (struct rating_pairing){1, 0, {3, -2, 1}};
    check_refused(sound, "Ben against Ann cannot be +3 =-2 -1");
    pairing.games.draws = NAN;
    check_refused(sound, "Ben against Ann");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_ladder_is_not_shrunk),
        cmocka_unit_test(draw_share_is_fitted_or_taken),
        cmocka_unit_test(perfect_scores_are_finite),
        cmocka_unit_test(poor_data_are_finite_and_wide),
        cmocka_unit_test(interval_of_a_duel_by_hand),
        cmocka_unit_test(perfect_ladders_are_finite_and_rising),
        cmocka_unit_test(anchor_only_shifts),
        cmocka_unit_test(split_entries_count_as_one),
        cmocka_unit_test(parts_are_refused_by_name),
        cmocka_unit_test(large_pools),
        cmocka_unit_test(broken_pools_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
