/* The method is described in lbfgs.h. */
#include "tuner/lbfgs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct run {
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
    static const char *const text[] = {
        [LBFGS_CONVERGED] = "converged",
        [LBFGS_EXHAUSTED] = "no further decrease at working precision",
        [LBFGS_EVALUATIONS] = "limit of passes reached",
        [LBFGS_NOT_FINITE] = "not finite at the start",
        [LBFGS_INTERRUPTED] = "interrupted",
    };
    return text[stop];
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

static struct run run_make(const struct lbfgs_problem *problem,
                           const struct lbfgs_settings *settings, double *x, double *workspace)
{
    size_t n = problem->n, memory = (size_t)settings->memory;
    assert(n > 0 && settings->memory > 0 && settings->evaluations_max > 0);
    return (struct run){
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
static bool evaluate(struct run *run, const double *x, double *value, double *gradient,
                     bool *finite)
{
    run->result.evaluations++;
    if (!run->problem->evaluate(run->problem->context, x, value, gradient)) {
        return false;
    }
    *finite = isfinite(*value) && isfinite(dot(gradient, gradient, run->n));
    return true;
}

static void precondition(struct run *run, double *v)
{
    if (run->problem->precondition) {
        run->problem->precondition(run->problem->context, v);
    }
}

/* How far the preconditioner P is off in scale, by the newest pair: s.y / y.Py. */
static double preconditioner_scale(struct run *run)
{
    const double *y = run->y + (size_t)run->newest * run->n;
    memcpy(run->scratch, y, run->n * sizeof *run->scratch);
    precondition(run, run->scratch);
    return 1 / (run->rho[run->newest] * dot(y, run->scratch, run->n));
}

/* The place in the ring of the pair that is `age` older than the newest. */
static size_t slot_of(const struct run *run, int age)
{
    int memory = run->settings->memory;
    return (size_t)((run->newest - age + memory) % memory);
}

/* direction = -H g by the two-loop recursion, from the scaled preconditioner. */
static void quasi_newton(struct run *run)
{
    size_t n = run->n;
    double *d = run->direction;
    for (size_t i = 0; i < n; i++) {
        d[i] = -run->gradient[i];
    }
    for (int age = 0; age < run->pairs; age++) {
        size_t slot = slot_of(run, age);
        run->alpha[slot] = run->rho[slot] * dot(run->s + slot * n, d, n);
        add_scaled(d, -run->alpha[slot], run->y + slot * n, n);
    }
    precondition(run, d);
    if (run->pairs > 0) {
        double gamma = preconditioner_scale(run);
        for (size_t i = 0; i < n; i++) {
            d[i] *= gamma;
        }
    }
    for (int age = run->pairs - 1; age >= 0; age--) {
        size_t slot = slot_of(run, age);
        double beta = run->rho[slot] * dot(run->y + slot * n, d, n);
        add_scaled(d, run->alpha[slot] - beta, run->s + slot * n, n);
    }
}

/* Remembers the step from x to trial, unless the curvature along it is lost in rounding. */
static void remember(struct run *run)
{
    size_t n = run->n;
    int slot = run->pairs == 0 ? 0 : (run->newest + 1) % run->settings->memory;
    double *s = run->s + (size_t)slot * n, *y = run->y + (size_t)slot * n;
    for (size_t i = 0; i < n; i++) {
        s[i] = run->trial[i] - run->x[i];
        y[i] = run->trial_gradient[i] - run->gradient[i];
    }
    double curvature = dot(s, y, n);
    if (curvature > 1e-14 * dot(y, y, n)) {
        run->rho[slot] = 1 / curvature;
        run->newest = slot;
        run->pairs += run->pairs < run->settings->memory;
    }
}

enum search_end { SEARCH_FOUND, SEARCH_FAILED, SEARCH_LIMIT, SEARCH_INTERRUPTED };

/* Finds a step along the direction that satisfies the weak Wolfe conditions; trial,
 * trial_gradient and *value are then those of the new point. */
static enum search_end line_search(struct run *run, double slope, double step, double *value)
{
    const double decrease = 1e-4, curvature = 0.9;
    double low = 0, high = INFINITY, start = run->result.value;

    for (int round = 0; round < 60; round++) {
        if (run->result.evaluations >= run->settings->evaluations_max) {
            return SEARCH_LIMIT;
        }
        bool finite;
        memcpy(run->trial, run->x, run->n * sizeof *run->trial);
        add_scaled(run->trial, step, run->direction, run->n);
        if (!evaluate(run, run->trial, value, run->trial_gradient, &finite)) {
            return SEARCH_INTERRUPTED;
        }
        if (!finite || *value > start + decrease * step * slope) {
            high = step;
        } else if (dot(run->trial_gradient, run->direction, run->n) < curvature * slope) {
            low = step;
        } else {
            return SEARCH_FOUND;
        }
        step = isinf(high) ? 2 * low : (low + high) / 2;
    }
    return SEARCH_FAILED;
}

/* Takes the trial point as the present one. */
static void accept(struct run *run, double value)
{
    remember(run);
    memcpy(run->x, run->trial, run->n * sizeof *run->x);
    memcpy(run->gradient, run->trial_gradient, run->n * sizeof *run->gradient);
    run->result.value = value;
    run->result.iterations++;
}

static bool tell(const struct run *run)
{
    return !run->problem->accepted ||
           run->problem->accepted(run->problem->context, run->x, run->result.value,
                                  run->result.evaluations);
}

/* A quasi-Newton step is tried whole. The first one without a preconditioner has an arbitrary
 * length, which is cut to 1. */
static double first_step(const struct run *run)
{
    double length = sqrt(dot(run->direction, run->direction, run->n));
    return run->pairs > 0 || run->problem->precondition || length < 1 ? 1 : 1 / length;
}

static enum lbfgs_stop iterate(struct run *run)
{
    static const enum lbfgs_stop reason[] = {[SEARCH_FAILED] = LBFGS_EXHAUSTED,
                                             [SEARCH_LIMIT] = LBFGS_EVALUATIONS,
                                             [SEARCH_INTERRUPTED] = LBFGS_INTERRUPTED};
    bool finite;
    if (!evaluate(run, run->x, &run->result.value, run->gradient, &finite)) {
        return LBFGS_INTERRUPTED;
    }
    if (!finite) {
        return LBFGS_NOT_FINITE;
    }
    while (tell(run)) {
        quasi_newton(run);
        double slope = dot(run->gradient, run->direction, run->n), value;
        if (-slope / 2 <= run->settings->tolerance) {
            return LBFGS_CONVERGED;
        }
        double step = first_step(run);
        enum search_end end = line_search(run, slope, step, &value);
        if (end != SEARCH_FOUND) {
            return reason[end];
        }
        accept(run, value);
    }
    return LBFGS_INTERRUPTED;
}

struct lbfgs_result lbfgs_minimise(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace)
{
    struct run run = run_make(problem, settings, x, workspace);
    run.result.stop = iterate(&run);
    return run.result;
}
