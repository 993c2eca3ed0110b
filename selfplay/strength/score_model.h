/* The score-logistic model of one game: how likely a win, a draw and a loss are when one player is
 * so much stronger.
 *
 * The expected score is s = 1/(1 + 10^(-gap/400)). Draws come from one parameter, the share d0 of
 * games drawn between equals: win * loss / draw^2 = phi^2 with phi = (1 - d0)/(2 d0), whatever the
 * gap, so
 *     draw = 4 s(1-s) / (1 + sqrt(1 + 4(4 phi^2 - 1) s(1-s))),  win = s - draw/2,
 *     loss = 1 - s - draw/2.
 * Ratings of other models (Davidson, Rao-Kupper, BayesElo) for the same games differ by up to a
 * factor of two, so the model's name stands with every rating. All functions are pure. */
#pragma once

/* "score-logistic": to be stored and printed with every rating. */
extern const char score_model_name[];

/* Chances of an outcome, or numbers of games (fractions are allowed), for the first player. */
struct wdl {
    double wins, draws, losses;
};

/* The chances, which add up to 1, for a first player `gap` Elo stronger; 0 < draw_share < 1. */
struct wdl score_model_chances(double gap, double draw_share);

/* The parameters in which the likelihood is maximised. */
struct score_model_point {
    double logit;    /* gap in natural units: Elo / (400/ln 10) */
    double decision; /* ln(2 phi), the log odds of a decision between equals */
};

/* The point for a gap in Elo and a draw share, 0 < draw_share < 1; and the draw share back. */
struct score_model_point score_model_point(double gap, double draw_share);
double score_model_draw_share(double decision);

/* Log-likelihood of observed games at a point, its gradient, and the curvature: minus the second
 * derivatives (`observed`) and their expectation (`expected`, never indefinite). */
struct score_model_curvature {
    double logit_logit, logit_decision, decision_decision;
};
struct score_model_likelihood {
    double value;
    double by_logit, by_decision;
    struct score_model_curvature observed, expected;
};
struct score_model_likelihood score_model_likelihood(const struct wdl *games,
                                                     struct score_model_point at);
