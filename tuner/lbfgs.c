/* The method is described in lbfgs.h. */
#include "tuner/lbfgs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct descent {
    const struct lbfgs_problem *problem;
    const struct lbfgs_settings *settings;
    size_t n;
    struct lbfgs_result result;
    double *x, *gradient, *direction, *trial, *trial_gradient, *scratch; /* [n] */

    /* The memory, a ring of pairs: step s = x' - x and change of gradient y = g' - g. */
    int pairs, newest;
    double *s, *y;       /* [memory][n] */
    double *rho, *alpha; /* [memory]: 1 / (s . y), and room for the two-loop recursion */
};

const char *lbfgs_stop_text(enum lbfgs_stop stop)
{
    static const char *const TEXT[] = {
        [LBFGS_CONVERGED] = "converged",
        [LBFGS_EXHAUSTED] = "no further decrease at working precision",
        [LBFGS_EVALUATIONS] = "limit of passes reached",
        [LBFGS_NOT_FINITE] = "not finite at the start",
        [LBFGS_INTERRUPTED] = "interrupted",
    };
    return TEXT[stop];
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void add_scaled(double *a, double factor, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] += factor * b[i];
    }
}

size_t lbfgs_workspace(size_t n, int memory)
{
    return 5 * n + 2 * (size_t)memory * (n + 1);
}

static struct descent descent_make(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace)
{
    size_t n = problem->n, memory = (size_t)settings->memory;
    assert(n > 0 && settings->memory > 0 && settings->evaluations_max > 0);
    return (struct descent){
        .problem = problem,
        .settings = settings,
        .n = n,
        .x = x,
        .gradient = workspace,
        .direction = workspace + n,
        .trial = workspace + 2 * n,
        .trial_gradient = workspace + 3 * n,
        .scratch = workspace + 4 * n,
        .s = workspace + 5 * n,
        .y = workspace + (5 + memory) * n,
        .rho = workspace + (5 + 2 * memory) * n,
        .alpha = workspace + (5 + 2 * memory) * n + memory,
    };
}

/* Evaluates at `x`. *finite tells whether the result can be used; false means interrupted. */
static bool evaluate(struct descent *descent, const double *x, double *value, double *gradient,
                     bool *finite)
{
    descent->result.evaluations++;
    if (!descent->problem->evaluate(descent->problem->context, x, value, gradient)) {
        return false;
    }
    *finite = isfinite(*value) && isfinite(dot(gradient, gradient, descent->n));
    return true;
}

static void precondition(struct descent *descent, double *v)
{
    if (descent->problem->precondition) {
        descent->problem->precondition(descent->problem->context, v);
    }
}

/* How far the preconditioner P is off in scale, by the newest pair: s.y / y.Py. */
static double preconditioner_scale(struct descent *descent)
{
    const double *y = descent->y + (size_t)descent->newest * descent->n;
    memcpy(descent->scratch, y, descent->n * sizeof *descent->scratch);
    precondition(descent, descent->scratch);
    return 1 / (descent->rho[descent->newest] * dot(y, descent->scratch, descent->n));
}

/* The place in the ring of the pair that is `age` older than the newest. */
static size_t slot_of(const struct descent *descent, int age)
{
    int memory = descent->settings->memory;
    return (size_t)((descent->newest - age + memory) % memory);
}

/* direction = -H g by the two-loop recursion, from the scaled preconditioner. */
static void quasi_newton(struct descent *descent)
{
    size_t n = descent->n;
    double *d = descent->direction;
    for (size_t i = 0; i < n; i++) {
        d[i] = -descent->gradient[i];
    }
    for (int age = 0; age < descent->pairs; age++) {
        size_t slot = slot_of(descent, age);
        descent->alpha[slot] = descent->rho[slot] * dot(descent->s + slot * n, d, n);
        add_scaled(d, -descent->alpha[slot], descent->y + slot * n, n);
    }
    precondition(descent, d);
    if (descent->pairs > 0) {
        double gamma = preconditioner_scale(descent);
        for (size_t i = 0; i < n; i++) {
            d[i] *= gamma;
        }
    }
    for (int age = descent->pairs - 1; age >= 0; age--) {
        size_t slot = slot_of(descent, age);
        double beta = descent->rho[slot] * dot(descent->y + slot * n, d, n);
        add_scaled(d, descent->alpha[slot] - beta, descent->s + slot * n, n);
    }
}

/* Remembers the step from x to trial, unless the curvature along it is lost in rounding. */
static void remember(struct descent *descent)
{
    size_t n = descent->n;
    int slot = descent->pairs == 0 ? 0 : (descent->newest + 1) % descent->settings->memory;
    double *s = descent->s + (size_t)slot * n, *y = descent->y + (size_t)slot * n;
    for (size_t i = 0; i < n; i++) {
        s[i] = descent->trial[i] - descent->x[i];
        y[i] = descent->trial_gradient[i] - descent->gradient[i];
    }
    double curvature = dot(s, y, n);
    if (curvature > 1e-14 * dot(y, y, n)) {
        descent->rho[slot] = 1 / curvature;
        descent->newest = slot;
        descent->pairs += descent->pairs < descent->settings->memory;
    }
}

enum search_end { SEARCH_FOUND, SEARCH_FAILED, SEARCH_LIMIT, SEARCH_INTERRUPTED };

/* Finds a step along the direction that satisfies the weak Wolfe conditions; trial,
 * trial_gradient and *value are then those of the new point. */
static enum search_end line_search(struct descent *descent, double slope, double step,
                                   double *value)
{
    const double decrease = 1e-4, curvature = 0.9;
    double low = 0, high = INFINITY, start = descent->result.value;

    for (int round = 0; round < 60; round++) {
        if (descent->result.evaluations >= descent->settings->evaluations_max) {
            return SEARCH_LIMIT;
        }
        bool finite;
        memcpy(descent->trial, descent->x, descent->n * sizeof *descent->trial);
        add_scaled(descent->trial, step, descent->direction, descent->n);
        if (!evaluate(descent, descent->trial, value, descent->trial_gradient, &finite)) {
            return SEARCH_INTERRUPTED;
        }
        if (!finite || *value > start + decrease * step * slope) {
            high = step;
        } else if (dot(descent->trial_gradient, descent->direction, descent->n) <
                   curvature * slope) {
            low = step;
        } else {
            return SEARCH_FOUND;
        }
        step = isinf(high) ? 2 * low : (low + high) / 2;
    }
    return SEARCH_FAILED;
}

/* Takes the trial point as the present one. */
static void accept(struct descent *descent, double value)
{
    remember(descent);
    memcpy(descent->x, descent->trial, descent->n * sizeof *descent->x);
    memcpy(descent->gradient, descent->trial_gradient, descent->n * sizeof *descent->gradient);
    descent->result.value = value;
    descent->result.iterations++;
}

static bool tell(const struct descent *descent)
{
    return !descent->problem->accepted ||
           descent->problem->accepted(descent->problem->context, descent->x, descent->result.value,
                                      descent->result.evaluations);
}

/* A quasi-Newton step is tried whole. The first one without a preconditioner has an arbitrary
 * length, which is cut to 1. */
static double first_step(const struct descent *descent)
{
    double length = sqrt(dot(descent->direction, descent->direction, descent->n));
    return descent->pairs > 0 || descent->problem->precondition || length < 1 ? 1 : 1 / length;
}

static enum lbfgs_stop iterate(struct descent *descent)
{
    static const enum lbfgs_stop REASON[] = {[SEARCH_FAILED] = LBFGS_EXHAUSTED,
                                             [SEARCH_LIMIT] = LBFGS_EVALUATIONS,
                                             [SEARCH_INTERRUPTED] = LBFGS_INTERRUPTED};
    bool finite;
    if (!evaluate(descent, descent->x, &descent->result.value, descent->gradient, &finite)) {
        return LBFGS_INTERRUPTED;
    }
    if (!finite) {
        return LBFGS_NOT_FINITE;
    }
    while (tell(descent)) {
        quasi_newton(descent);
        double slope = dot(descent->gradient, descent->direction, descent->n), value;
        if (-slope / 2 <= descent->settings->tolerance) {
            return LBFGS_CONVERGED;
        }
        double step = first_step(descent);
        enum search_end end = line_search(descent, slope, step, &value);
        if (end != SEARCH_FOUND) {
            return REASON[end];
        }
        accept(descent, value);
    }
    return LBFGS_INTERRUPTED;
}

struct lbfgs_result lbfgs_minimise(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace)
{
    struct descent descent = descent_make(problem, settings, x, workspace);
    descent.result.stop = iterate(&descent);
    return descent.result;
}
