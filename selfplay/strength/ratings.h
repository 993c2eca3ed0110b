/* Ratings of a pool of players from the games between them, all at once: the point of highest
 * posterior density under the score-logistic model (selfplay/strength/score_model.h).
 *
 * The prior is weak and speaks only of neighbours on the ladder: each gap is normal with mean 0 and
 * standard deviation 400 Elo, which keeps perfect scores finite and moves ordinary ones little. (On
 * every gap played it would shrink a long ladder by hundreds of Elo.) Games count as independent,
 * which is a little cautious where the two games of a pair share an opening that favours a colour.
 *
 * Intervals are 95 %, from the curvature of the posterior at its peak, and say against what: a
 * player's rating against the anchor is less certain than against the mean of the pool, and gaps
 * between neighbours lie between. All functions are pure. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "selfplay/strength/score_model.h"
#include "selfplay/strength/statistics.h"

enum { RATING_PLAYERS_MAX = 64 };

/* Standard deviation of the prior of a gap between ladder neighbours, in Elo. */
extern const double rating_prior_elo;

/* Games between two players of a pool, as indices into its ladder; any number of entries may speak
 * of the same two. `games` is from the first one's side: finite, not negative. */
struct rating_pairing {
    int first, second;
    struct wdl games;
};

/* What is to be rated. The pool belongs to the caller and is only read. */
struct rating_pool {
    const char *const *names; /* players, in ladder order, weakest first */
    int players;
    const struct rating_pairing *pairings;
    int pairings_count;
    int anchor;        /* index of the player whose rating is given */
    double anchor_elo; /* and what it is */
    double draw_share; /* of games between equals, 0 to 1 exclusive; 0: fitted with the ratings,
                          where half a draw and half a decision between equals are its prior */
};

/* One player. The anchor is 0 +- 0 over itself; the first of the ladder 0 +- 0 over the one below,
 * as there is none. */
struct rating {
    double elo;                  /* with the anchor at its given rating */
    struct estimate over_anchor; /* elo less the anchor's */
    struct estimate over_mean;   /* elo less the mean of the pool's */
    struct estimate over_below;  /* elo less that of the ladder neighbour below */
    double games;
    double score; /* mean per game, 0 to 1; 1/2 without games */
};

/* Fills ratings[0 .. players - 1] and *draw_share, the share of draws between equals, fitted or as
 * given. Finite for every connected pool: all wins, all draws, a single game, a perfect ladder.
 * False for a pool that falls into parts without a game between them (the text names the players
 * of each), for one that breaks the contract above (indices, counts, more players than
 * RATING_PLAYERS_MAX), and, never seen, where the maximum is not found. */
bool ratings_fit(const struct rating_pool *pool, struct rating ratings[], double *draw_share,
                 struct err *err);
