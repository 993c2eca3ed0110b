/* Joint ratings: check of the pool, maximum of the posterior, intervals. The maximum itself is
 * found by selfplay/strength/posterior.c. */
#include "selfplay/strength/ratings.h"

#include <math.h>
#include <stdio.h>

#include "selfplay/strength/cholesky.h"
#include "selfplay/strength/posterior.h"

static double games_of(const struct rating_pairing *pairing)
{
    return pairing->games.wins + pairing->games.draws + pairing->games.losses;
}

static bool is_player(const struct rating_pool *pool, int index)
{
    return index >= 0 && index < pool->players;
}

static bool is_count(double games)
{
    return games >= 0.0 && isfinite(games);
}

static bool check_pool(const struct rating_pool *pool, struct err *err)
{
    if (pool->players < 1 || pool->players > RATING_PLAYERS_MAX) {
        return err_set(err, ERR_USAGE, "ratings: %d players in one pool, from 1 to %d can be rated",
                       pool->players, RATING_PLAYERS_MAX);
    }
    if (!is_player(pool, pool->anchor)) {
        return err_set(err, ERR_USAGE, "ratings: anchor %d is not one of the %d players",
                       pool->anchor, pool->players);
    }
    if (!(pool->draw_share >= 0.0 && pool->draw_share < 1.0)) {
        return err_set(err, ERR_USAGE,
                       "ratings: draw share %g: must be above 0 and below 1, or 0 to fit it",
                       pool->draw_share);
    }
    for (int i = 0; i < pool->pairings_count; i++) {
        const struct rating_pairing *pairing = &pool->pairings[i];
        const struct wdl *games = &pairing->games;
        if (!is_player(pool, pairing->first) || !is_player(pool, pairing->second) ||
            pairing->first == pairing->second) {
            return err_set(err, ERR_USAGE, "ratings: pairing %d is of players %d and %d of %d", i,
                           pairing->first, pairing->second, pool->players);
        }
        if (!is_count(games->wins) || !is_count(games->draws) || !is_count(games->losses)) {
            return err_set(err, ERR_USAGE, "ratings: %s against %s cannot be +%g =%g -%g",
                           pool->names[pairing->first], pool->names[pairing->second], games->wins,
                           games->draws, games->losses);
        }
    }
    return true;
}

/* Gives players the same part, numbered by its first player, if games link them. Returns whether
 * all are of one part. */
static bool find_parts(const struct rating_pool *pool, int part[RATING_PLAYERS_MAX])
{
    bool connected = true;
    bool changed = true;

    for (int i = 0; i < pool->players; i++) {
        part[i] = i;
    }
    while (changed) {
        changed = false;
        for (int i = 0; i < pool->pairings_count; i++) {
            int *a = &part[pool->pairings[i].first];
            int *b = &part[pool->pairings[i].second];
            if (games_of(&pool->pairings[i]) > 0.0 && *a != *b) {
                *a = *b = *a < *b ? *a : *b;
                changed = true;
            }
        }
    }
    for (int i = 0; i < pool->players; i++) {
        connected = connected && part[i] == 0;
    }
    return connected;
}

/* "(a, b) (c) (d, e)" into text, cut at its size. */
static void describe_parts(const struct rating_pool *pool, const int part[RATING_PLAYERS_MAX],
                           char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int first = 0; first < pool->players; first++) {
        if (part[first] != first) {
            continue;
        }
        for (int i = first; i < pool->players && used < size; i++) {
            if (part[i] == first) {
                const char *before = i > first ? ", " : first > 0 ? ") (" : "(";
                const int length =
                    snprintf(text + used, size - used, "%s%s", before, pool->names[i]);
                used += length > 0 ? (size_t)length : 0;
            }
        }
    }
    if (used < size) {
        snprintf(text + used, size - used, ")");
    }
}

static bool check_connected(const struct rating_pool *pool, struct err *err)
{
    int part[RATING_PLAYERS_MAX];
    char text[ERR_TEXT - 120];

    if (find_parts(pool, part)) {
        return true;
    }
    describe_parts(pool, part, text, sizeof text);
    return err_set(err, ERR_FAILED,
                   "ratings: no games link these parts of the pool, which must be joined by games "
                   "or rated apart: %s",
                   text);
}

/* Error of a weighted sum of the players' ratings, in Elo. */
static double error_of(const struct posterior *posterior, const double weight[RATING_PLAYERS_MAX])
{
    double right[POSTERIOR_UNKNOWNS_MAX] = {0};

    for (int i = 0; i < posterior->pool->players; i++) {
        const int slot = posterior_slot(posterior, i);
        if (slot >= 0) {
            right[slot] = weight[i];
        }
    }
    return z95 * elo_per_logit *
           sqrt(cholesky_inverse_form(posterior->unknowns, posterior->matrix, right));
}

static double mean_elo(const struct rating_pool *pool, const struct rating ratings[])
{
    double sum = 0.0;

    for (int i = 0; i < pool->players; i++) {
        sum += ratings[i].elo;
    }
    return sum / pool->players;
}

static void fill_intervals(const struct posterior *posterior, struct rating ratings[])
{
    const struct rating_pool *pool = posterior->pool;
    const double mean = mean_elo(pool, ratings);

    for (int i = 0; i < pool->players; i++) {
        struct rating *rating = &ratings[i];
        double alone[RATING_PLAYERS_MAX] = {0};
        double centred[RATING_PLAYERS_MAX];
        double gap[RATING_PLAYERS_MAX] = {0};
        alone[i] = 1.0;
        for (int k = 0; k < pool->players; k++) {
            centred[k] = alone[k] - 1.0 / pool->players;
        }
        rating->over_anchor.value = rating->elo - pool->anchor_elo;
        rating->over_anchor.error = error_of(posterior, alone);
        rating->over_mean.value = rating->elo - mean;
        rating->over_mean.error = error_of(posterior, centred);
        rating->over_below = (struct estimate){0.0, 0.0};
        if (i > 0) {
            gap[i] = 1.0;
            gap[i - 1] = -1.0;
            rating->over_below.value = rating->elo - ratings[i - 1].elo;
            rating->over_below.error = error_of(posterior, gap);
        }
    }
}

static void fill_scores(const struct rating_pool *pool, struct rating ratings[])
{
    double points[RATING_PLAYERS_MAX] = {0};

    for (int i = 0; i < pool->players; i++) {
        ratings[i].games = 0.0;
    }
    for (int i = 0; i < pool->pairings_count; i++) {
        const struct rating_pairing *pairing = &pool->pairings[i];
        const struct wdl *games = &pairing->games;
        ratings[pairing->first].games += games_of(pairing);
        ratings[pairing->second].games += games_of(pairing);
        points[pairing->first] += games->wins + games->draws / 2.0;
        points[pairing->second] += games->losses + games->draws / 2.0;
    }
    for (int i = 0; i < pool->players; i++) {
        ratings[i].score = ratings[i].games > 0.0 ? points[i] / ratings[i].games : 0.5;
    }
}

bool ratings_fit(const struct rating_pool *pool, struct rating ratings[], double *draw_share,
                 struct err *err)
{
    struct posterior posterior;

    if (!check_pool(pool, err) || !check_connected(pool, err)) {
        return false;
    }
    posterior_init(&posterior, pool);
    if (!posterior_maximise(&posterior, err)) {
        return false;
    }
    for (int i = 0; i < pool->players; i++) {
        const int slot = posterior_slot(&posterior, i);
        const double logit = slot >= 0 ? posterior.point[slot] : 0.0;
        ratings[i].elo = pool->anchor_elo + elo_per_logit * logit;
    }
    *draw_share = posterior_draw_share(&posterior);
    fill_scores(pool, ratings);
    fill_intervals(&posterior, ratings);
    return true;
}
