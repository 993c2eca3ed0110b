/* GSPRT: the most likely distribution under each hypothesis by empirical likelihood, then the
 * ratio of the two. */
#include "selfplay/strength/sprt.h"

#include <assert.h>
#include <math.h>

static const double LOGISTIC_LIMIT = 1000.0;
static const double NORMALISED_LIMIT = 200.0;

bool sprt_check(const struct sprt *test, struct err *err)
{
    const double limit = test->scale == SPRT_NORMALISED ? NORMALISED_LIMIT : LOGISTIC_LIMIT;

    if (!(test->elo0 < test->elo1)) {
        return err_set(err, ERR_USAGE, "SPRT bounds %g and %g: the first must be the lower",
                       test->elo0, test->elo1);
    }
    if (!(test->elo0 >= -limit && test->elo1 <= limit)) {
        return err_set(err, ERR_USAGE, "SPRT bounds %g and %g: %s Elo must lie within -%g to %g",
                       test->elo0, test->elo1,
                       test->scale == SPRT_NORMALISED ? "normalised" : "logistic", limit, limit);
    }
    if (!(test->alpha > 0.0 && test->alpha < 0.5 && test->beta > 0.0 && test->beta < 0.5)) {
        return err_set(err, ERR_USAGE,
                       "SPRT alpha %g and beta %g: each must be above 0 and below 0.5", test->alpha,
                       test->beta);
    }
    return true;
}

/* The shares of the pair scores 0, 1/4, 1/2, 3/4, 1 (per game). */
struct shares {
    double share[PAIR_SCORES];
};

/* An empty count becomes this, so that no hypothesis is impossible. */
static const double EMPTY_COUNT = 1e-3;

static struct shares shares_seen(const struct pentanomial *match, double *total)
{
    struct shares seen;

    *total = 0.0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        assert(match->pairs[i] >= 0);
        seen.share[i] = match->pairs[i] > 0 ? (double)match->pairs[i] : EMPTY_COUNT;
        *total += seen.share[i];
    }
    for (int i = 0; i < PAIR_SCORES; i++) {
        seen.share[i] /= *total;
    }
    return seen;
}

/* The root of sum share value/(1 + x value), which falls all the way between the poles `low` and
 * `high`, where the denominators are positive: Newton steps, halving where one leaves the bracket.
 */
static double secular_root(const struct shares *seen, const double value[PAIR_SCORES], double low,
                           double high)
{
    double x = 0.0;

    for (int step = 0; step < 200; step++) {
        double sum = 0.0;
        double slope = 0.0;
        for (int i = 0; i < PAIR_SCORES; i++) {
            const double term = value[i] / (1.0 + x * value[i]);
            sum += seen->share[i] * term;
            slope -= seen->share[i] * term * term;
        }
        if (sum == 0.0) {
            break;
        }
        *(sum > 0.0 ? &low : &high) = x;
        const double newton = x - sum / slope;
        const double next = newton > low && newton < high ? newton : (low + high) / 2.0;
        if (fabs(next - x) <= 1e-15 * fabs(x)) {
            break;
        }
        x = next;
    }
    return x;
}

/* The distribution closest in likelihood to `seen` among those in which `value` has mean 0:
 * share/(1 + x value) (Owen, "Empirical likelihood", 2001). Values of one sign allow no such
 * distribution; then it is `seen` itself (met only with 10^8 pairs far from the hypothesis). */
static struct shares with_zero_mean(const struct shares *seen, const double value[PAIR_SCORES])
{
    double least = 0.0;
    double most = 0.0;
    struct shares result = *seen;

    for (int i = 0; i < PAIR_SCORES; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    if (least < 0.0 && most > 0.0) {
        const double x = secular_root(seen, value, -1.0 / most, -1.0 / least);
        for (int i = 0; i < PAIR_SCORES; i++) {
            result.share[i] /= 1.0 + x * value[i];
        }
    }
    return result;
}

static struct shares with_logistic_elo(const struct shares *seen, double elo)
{
    const double score = score_from_elo(elo);
    double value[PAIR_SCORES];

    for (int i = 0; i < PAIR_SCORES; i++) {
        value[i] = pair_score(i) - score;
    }
    return with_zero_mean(seen, value);
}

/* The condition mean - 1/2 = t deviation, made linear in the shares at those of `at`: its value for
 * each pair score, of which the mean is to be 0. */
static void linear_condition(const struct shares *at, double t, double value[PAIR_SCORES])
{
    double mean = 0.0;
    double variance = 0.0;

    for (int i = 0; i < PAIR_SCORES; i++) {
        mean += at->share[i] * pair_score(i);
    }
    for (int i = 0; i < PAIR_SCORES; i++) {
        variance += at->share[i] * (pair_score(i) - mean) * (pair_score(i) - mean);
    }
    const double deviation = sqrt(variance);
    for (int i = 0; i < PAIR_SCORES; i++) {
        const double z = (pair_score(i) - mean) / deviation;
        value[i] = pair_score(i) - 0.5 - t * deviation * (1.0 + z * z) / 2.0;
    }
}

/* The linear condition solved again and again, from the uniform distribution on, until the shares
 * stand. */
static struct shares with_normalised_elo(const struct shares *seen, double elo)
{
    const double t = sqrt(2.0) * elo / (2.0 * elo_per_logit);
    struct shares result = {.share = {0.2, 0.2, 0.2, 0.2, 0.2}};
    double change = 1.0;

    for (int step = 0; step < 100 && change > 1e-13; step++) {
        double value[PAIR_SCORES];
        linear_condition(&result, t, value);
        const struct shares next = with_zero_mean(seen, value);
        change = 0.0;
        for (int i = 0; i < PAIR_SCORES; i++) {
            change = fmax(change, fabs(next.share[i] - result.share[i]));
        }
        result = next;
    }
    return result;
}

double sprt_log_likelihood_ratio(const struct sprt *test, const struct pentanomial *match)
{
    double total;
    const struct shares seen = shares_seen(match, &total);
    double sum = 0.0;

    if (total < 0.5) {
        return 0.0;
    }
    struct shares (*under)(const struct shares *, double) =
        test->scale == SPRT_NORMALISED ? with_normalised_elo : with_logistic_elo;
    const struct shares q0 = under(&seen, test->elo0);
    const struct shares q1 = under(&seen, test->elo1);
    for (int i = 0; i < PAIR_SCORES; i++) {
        sum += seen.share[i] * log(q1.share[i] / q0.share[i]);
    }
    return total * sum;
}

double sprt_lower_bound(const struct sprt *test)
{
    return log(test->beta / (1.0 - test->alpha));
}

double sprt_upper_bound(const struct sprt *test)
{
    return log((1.0 - test->beta) / test->alpha);
}

enum sprt_decision sprt_decide(const struct sprt *test, double log_likelihood_ratio)
{
    if (log_likelihood_ratio <= sprt_lower_bound(test)) {
        return SPRT_ACCEPT_ELO0;
    }
    return log_likelihood_ratio >= sprt_upper_bound(test) ? SPRT_ACCEPT_ELO1 : SPRT_CONTINUE;
}
