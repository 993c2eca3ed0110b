/* Newton's method with step control on the log posterior of a pool's ratings.
 *
 * Where the second derivatives do not make a maximum (far from it, the density need not be
 * concave) their expectations take their place; those always do, as every gap has its prior. */
#include "selfplay/strength/posterior.h"

#include <math.h>
#include <string.h>

#include "selfplay/strength/cholesky.h"

const double rating_prior_elo = 400.0;

enum curvature { CURVATURE_OBSERVED, CURVATURE_EXPECTED };

static bool fits_draws(const struct posterior *posterior)
{
    return posterior->pool->draw_share == 0.0;
}

static double decision_at(const struct posterior *posterior, const double *point)
{
    if (fits_draws(posterior)) {
        return point[posterior->unknowns - 1];
    }
    return score_model_point(0.0, posterior->pool->draw_share).decision;
}

int posterior_slot(const struct posterior *posterior, int player)
{
    const int anchor = posterior->pool->anchor;

    return player == anchor ? -1 : player < anchor ? player : player - 1;
}

double posterior_draw_share(const struct posterior *posterior)
{
    return score_model_draw_share(decision_at(posterior, posterior->point));
}

void posterior_init(struct posterior *posterior, const struct rating_pool *pool)
{
    memset(posterior, 0, sizeof *posterior);
    posterior->pool = pool;
    posterior->unknowns = pool->players - 1 + (fits_draws(posterior) ? 1 : 0);
}

static double logit_at(const struct posterior *posterior, const double *point, int player)
{
    const int slot = posterior_slot(posterior, player);

    return slot < 0 ? 0.0 : point[slot];
}

static double gap_at(const struct posterior *posterior, const double *point, int upper, int lower)
{
    return logit_at(posterior, point, upper) - logit_at(posterior, point, lower);
}

/* Log density, but for a constant. */
static double log_density(const struct posterior *posterior, const double *point)
{
    const struct rating_pool *pool = posterior->pool;
    const double deviation = rating_prior_elo / elo_per_logit;
    const double decision = decision_at(posterior, point);
    double sum = 0.0;

    for (int i = 0; i < pool->pairings_count; i++) {
        const struct rating_pairing *pairing = &pool->pairings[i];
        const double gap = gap_at(posterior, point, pairing->first, pairing->second);
        sum += score_model_likelihood(&pairing->games, (struct score_model_point){gap, decision})
                   .value;
    }
    for (int i = 1; i < pool->players; i++) {
        const double gap = gap_at(posterior, point, i, i - 1) / deviation;
        sum -= gap * gap / 2.0;
    }
    if (fits_draws(posterior)) {
        const double draws = score_model_draw_share(decision);
        sum += (log(draws) + log1p(-draws)) / 2.0;
    }
    return sum;
}

static void add_to_matrix(struct posterior *posterior, int a, int b, double amount)
{
    if (a >= 0 && b >= 0) {
        const int row = a > b ? a : b;
        const int column = a > b ? b : a;
        posterior->matrix[row * posterior->unknowns + column] += amount;
    }
}

/* Adds a term that depends on the gap between two players: its slope, and minus its curvature. */
static void add_gap_term(struct posterior *posterior, int upper, int lower, double slope,
                         double curvature)
{
    const int u = posterior_slot(posterior, upper);
    const int l = posterior_slot(posterior, lower);

    if (u >= 0) {
        posterior->gradient[u] += slope;
    }
    if (l >= 0) {
        posterior->gradient[l] -= slope;
    }
    add_to_matrix(posterior, u, u, curvature);
    add_to_matrix(posterior, l, l, curvature);
    add_to_matrix(posterior, u, l, -curvature);
}

static void add_pairing(struct posterior *posterior, const struct rating_pairing *pairing,
                        enum curvature kind)
{
    const struct score_model_point at = {
        .logit = gap_at(posterior, posterior->point, pairing->first, pairing->second),
        .decision = decision_at(posterior, posterior->point),
    };
    const struct score_model_likelihood games = score_model_likelihood(&pairing->games, at);
    const struct score_model_curvature *curvature =
        kind == CURVATURE_OBSERVED ? &games.observed : &games.expected;

    add_gap_term(posterior, pairing->first, pairing->second, games.by_logit,
                 curvature->logit_logit);
    if (fits_draws(posterior)) {
        const int last = posterior->unknowns - 1;
        const int first = posterior_slot(posterior, pairing->first);
        const int second = posterior_slot(posterior, pairing->second);
        posterior->gradient[last] += games.by_decision;
        add_to_matrix(posterior, first, last, curvature->logit_decision);
        add_to_matrix(posterior, second, last, -curvature->logit_decision);
        add_to_matrix(posterior, last, last, curvature->decision_decision);
    }
}

/* Gradient and curvature at `point`, the latter factored. False if it is not positive definite. */
static bool differentiate(struct posterior *posterior, enum curvature kind)
{
    const struct rating_pool *pool = posterior->pool;
    const double deviation = rating_prior_elo / elo_per_logit;
    const double precision = 1.0 / (deviation * deviation);

    memset(posterior->gradient, 0, sizeof posterior->gradient);
    memset(posterior->matrix, 0, sizeof posterior->matrix);
    for (int i = 0; i < pool->pairings_count; i++) {
        add_pairing(posterior, &pool->pairings[i], kind);
    }
    for (int i = 1; i < pool->players; i++) {
        const double gap = gap_at(posterior, posterior->point, i, i - 1);
        add_gap_term(posterior, i, i - 1, -gap * precision, precision);
    }
    if (fits_draws(posterior)) {
        const int last = posterior->unknowns - 1;
        const double draws = posterior_draw_share(posterior);
        posterior->gradient[last] += draws - 0.5;
        add_to_matrix(posterior, last, last, draws * (1.0 - draws));
    }
    return cholesky_factor(posterior->unknowns, posterior->matrix);
}

/* Moves along `step`, which is shortened to at most 2 natural units and halved until the density
 * grows. False when no length makes it grow: `point` is then the maximum to working precision. */
static bool climb(struct posterior *posterior, const double *step)
{
    const double start = log_density(posterior, posterior->point);
    double trial[POSTERIOR_UNKNOWNS_MAX] = {0};
    double longest = 2.0;

    for (int i = 0; i < posterior->unknowns; i++) {
        longest = fmax(longest, fabs(step[i]));
    }
    for (double length = 2.0 / longest; length > 1e-12; length /= 2.0) {
        for (int i = 0; i < posterior->unknowns; i++) {
            trial[i] = posterior->point[i] + length * step[i];
        }
        if (log_density(posterior, trial) > start) {
            memcpy(posterior->point, trial, sizeof trial[0] * (size_t)posterior->unknowns);
            return true;
        }
    }
    return false;
}

bool posterior_maximise(struct posterior *posterior, struct err *err)
{
    enum { STEPS_MAX = 500 };

    for (int i = 0; i < STEPS_MAX; i++) {
        double step[POSTERIOR_UNKNOWNS_MAX];
        double gain = 0.0;
        if (!differentiate(posterior, CURVATURE_OBSERVED) &&
            !differentiate(posterior, CURVATURE_EXPECTED)) {
            break;
        }
        memcpy(step, posterior->gradient, sizeof step);
        cholesky_solve(posterior->unknowns, posterior->matrix, step);
        for (int k = 0; k < posterior->unknowns; k++) {
            gain += step[k] * posterior->gradient[k];
        }
        if (gain < 1e-12 || (!climb(posterior, step) && gain < 1e-4)) {
            return true;
        }
    }
    return err_set(err, ERR_FAILED, "ratings: no maximum found for %d players in %d steps",
                   posterior->pool->players, STEPS_MAX);
}
