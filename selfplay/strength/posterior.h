/* The posterior density of a pool's ratings and its maximum. Part of selfplay/strength/ratings.h,
 * which is what others use.
 *
 * The unknowns are the players' ratings less the anchor's, in natural units (Elo / (400/ln 10)),
 * in ladder order without the anchor, and after them the log odds of a decision between equals,
 * unless the pool gives the draw share. */
#pragma once

#include "engine/base/err.h"
#include "selfplay/strength/ratings.h"

enum { POSTERIOR_UNKNOWNS_MAX = RATING_PLAYERS_MAX };

struct posterior {
    const struct rating_pool *pool;
    int unknowns;
    double point[POSTERIOR_UNKNOWNS_MAX];
    double gradient[POSTERIOR_UNKNOWNS_MAX];
    /* Cholesky factor of minus the second derivatives, unknowns x unknowns, row-major */
    double matrix[POSTERIOR_UNKNOWNS_MAX * POSTERIOR_UNKNOWNS_MAX];
};

/* Starts at equal ratings and half of the games drawn. Keeps the pointer to the pool. */
void posterior_init(struct posterior *posterior, const struct rating_pool *pool);

/* Moves `point` to the maximum and leaves the factor of the curvature there in `matrix`. False if
 * that is not reached, which for a connected pool has not been seen. */
bool posterior_maximise(struct posterior *posterior, struct err *err);

/* Index of a player's rating among the unknowns, -1 for the anchor. */
int posterior_slot(const struct posterior *posterior, int player);

/* The share of draws between equals at `point`. */
double posterior_draw_share(const struct posterior *posterior);
