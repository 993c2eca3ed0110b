/* When to stop a match: the generalised sequential probability ratio test on pair scores.
 *
 * Two hypotheses are weighed, "the first player is elo0 stronger" against "elo1 stronger", each
 * represented by the distribution of pair scores that explains the match best among those it
 * allows (Van den Bergh, "A practical introduction to the GSPRT", 2019; the construction is that
 * of fishtest, whose calculator gave the test vectors). All functions are pure. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "selfplay/strength/statistics.h"

/* The scale on which the bounds are meant. */
enum sprt_scale {
    SPRT_LOGISTIC,   /* expected score 1/(1 + 10^(-elo/400)) */
    SPRT_NORMALISED, /* (score - 1/2)/deviation of a game, times 800/ln 10 */
};

struct sprt {
    enum sprt_scale scale;
    double elo0, elo1; /* of the two hypotheses; elo0 < elo1 */
    double alpha;      /* probability of accepting elo1 where elo0 holds */
    double beta;       /* probability of accepting elo0 where elo1 holds */
};

enum sprt_decision { SPRT_CONTINUE, SPRT_ACCEPT_ELO0, SPRT_ACCEPT_ELO1 };

/* The bounds that a test can have: logistic within -1000..1000 Elo, normalised within -200..200
 * (further out five scores cannot carry the hypothesis), elo0 < elo1, alpha and beta above 0 and
 * below 0.5. False with ERR_USAGE otherwise. */
bool sprt_check(const struct sprt *test, struct err *err);

/* Log-likelihood ratio of elo1 to elo0 for a checked test; 0 for a match without pairs, finite for
 * every match. Beyond some ten million pairs, long after any test has ended, normalised hypotheses
 * far from the result are no longer met exactly. */
double sprt_log_likelihood_ratio(const struct sprt *test, const struct pentanomial *match);

/* The ratio at or below which elo0 is accepted, ln(beta/(1 - alpha)), and that at or above which
 * elo1 is, ln((1 - beta)/alpha) (Wald, "Sequential tests of statistical hypotheses", 1945). */
double sprt_lower_bound(const struct sprt *test);
double sprt_upper_bound(const struct sprt *test);

/* What to do at this ratio. */
enum sprt_decision sprt_decide(const struct sprt *test, double log_likelihood_ratio);
