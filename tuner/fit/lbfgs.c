/* The method is described in lbfgs.h. */
#include "tuner/fit/lbfgs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct descent {
    const struct lbfgs_problem *problem;
    const struct lbfgs_settings *settings;
    size_t n; /* numbers of this rank */
    struct lbfgs_point point;
    double *x, *gradient, *direction, *trial, *trial_gradient, *scratch; /* [n] */

    /* The memory, a ring of pairs: step s = x' - x and change of gradient y = g' - g. */
    double *s, *y;                  /* [memory][n] */
    double alpha[LBFGS_MEMORY_MAX]; /* of the two-loop recursion */
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

static double dot(const struct descent *descent, const double *a, const double *b)
{
    return spread_dot(descent->problem->spread, a, b);
}

static void add_scaled(double *a, double factor, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] += factor * b[i];
    }
}

int lbfgs_vectors(int memory)
{
    return 1 + 2 * memory;
}

size_t lbfgs_workspace(size_t n, int memory)
{
    return ((size_t)lbfgs_vectors(memory) + 4) * n + 1;
}

static struct descent descent_make(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace)
{
    size_t n = spread_count(problem->spread), memory = (size_t)settings->memory;
    double *rest = workspace + (size_t)lbfgs_vectors(settings->memory) * n;
    assert(settings->memory > 0 && settings->memory <= LBFGS_MEMORY_MAX);
    assert(settings->evaluations_max > 0);
    return (struct descent){
        .problem = problem,
        .settings = settings,
        .n = n,
        .x = x,
        .gradient = workspace,
        .s = workspace + n,
        .y = workspace + (1 + memory) * n,
        .direction = rest,
        .trial = rest + n,
        .trial_gradient = rest + 2 * n,
        .scratch = rest + 3 * n,
    };
}

/* Evaluates at `x`. *finite tells whether the result can be used; false means interrupted. */
static bool evaluate(struct descent *descent, const double *x, double *value, double *gradient,
                     bool *finite)
{
    descent->point.evaluations++;
    if (!descent->problem->evaluate(descent->problem->context, x, value, gradient)) {
        return false;
    }
    *finite = isfinite(*value) && isfinite(dot(descent, gradient, gradient));
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
    const double *y = descent->y + (size_t)descent->point.newest * descent->n;
    memcpy(descent->scratch, y, descent->n * sizeof *descent->scratch);
    precondition(descent, descent->scratch);
    return 1 / (descent->point.rho[descent->point.newest] * dot(descent, y, descent->scratch));
}

/* The place in the ring of the pair that is `age` older than the newest. */
static size_t slot_of(const struct descent *descent, int age)
{
    int memory = descent->settings->memory;
    return (size_t)((descent->point.newest - age + memory) % memory);
}

/* direction = -H g by the two-loop recursion, from the scaled preconditioner. */
static void quasi_newton(struct descent *descent)
{
    size_t n = descent->n;
    double *d = descent->direction;
    for (size_t i = 0; i < n; i++) {
        d[i] = -descent->gradient[i];
    }
    for (int age = 0; age < descent->point.pairs; age++) {
        size_t slot = slot_of(descent, age);
        descent->alpha[slot] = descent->point.rho[slot] * dot(descent, descent->s + slot * n, d);
        add_scaled(d, -descent->alpha[slot], descent->y + slot * n, n);
    }
    precondition(descent, d);
    if (descent->point.pairs > 0) {
        double gamma = preconditioner_scale(descent);
        for (size_t i = 0; i < n; i++) {
            d[i] *= gamma;
        }
    }
    for (int age = descent->point.pairs - 1; age >= 0; age--) {
        size_t slot = slot_of(descent, age);
        double beta = descent->point.rho[slot] * dot(descent, descent->y + slot * n, d);
        add_scaled(d, descent->alpha[slot] - beta, descent->s + slot * n, n);
    }
}

/* Remembers the step from x to trial, unless the curvature along it is lost in rounding. */
static void remember(struct descent *descent)
{
    size_t n = descent->n;
    int slot =
        descent->point.pairs == 0 ? 0 : (descent->point.newest + 1) % descent->settings->memory;
    double *s = descent->s + (size_t)slot * n, *y = descent->y + (size_t)slot * n;
    for (size_t i = 0; i < n; i++) {
        s[i] = descent->trial[i] - descent->x[i];
        y[i] = descent->trial_gradient[i] - descent->gradient[i];
    }
    double curvature = dot(descent, s, y);
    if (curvature > 1e-14 * dot(descent, y, y)) {
        descent->point.rho[slot] = 1 / curvature;
        descent->point.newest = slot;
        descent->point.pairs += descent->point.pairs < descent->settings->memory;
    }
}

enum search_end { SEARCH_FOUND, SEARCH_FAILED, SEARCH_LIMIT, SEARCH_INTERRUPTED };

/* Finds a step along the direction that satisfies the weak Wolfe conditions; trial,
 * trial_gradient and *value are then those of the new point. */
static enum search_end line_search(struct descent *descent, double slope, double step,
                                   double *value)
{
    const double decrease = 1e-4, curvature = 0.9;
    double low = 0, high = INFINITY, start = descent->point.value;

    for (int round = 0; round < 60; round++) {
        if (descent->point.evaluations >= descent->settings->evaluations_max) {
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
        } else if (dot(descent, descent->trial_gradient, descent->direction) < curvature * slope) {
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
    descent->point.value = value;
    descent->point.iterations++;
}

static bool tell(const struct descent *descent)
{
    return !descent->problem->accepted ||
           descent->problem->accepted(descent->problem->context, descent->x, &descent->point);
}

/* A quasi-Newton step is tried whole. The first one without a preconditioner has an arbitrary
 * length, which is cut to 1. */
static double first_step(const struct descent *descent)
{
    double length = sqrt(dot(descent, descent->direction, descent->direction));
    return descent->point.pairs > 0 || descent->problem->precondition || length < 1 ? 1
                                                                                    : 1 / length;
}

/* Evaluates the start and tells of it. */
static bool begin(struct descent *descent, enum lbfgs_stop *stop)
{
    bool finite;
    if (!evaluate(descent, descent->x, &descent->point.value, descent->gradient, &finite)) {
        *stop = LBFGS_INTERRUPTED;
        return false;
    }
    *stop = finite ? LBFGS_INTERRUPTED : LBFGS_NOT_FINITE;
    return finite && tell(descent);
}

static enum lbfgs_stop iterate(struct descent *descent)
{
    static const enum lbfgs_stop REASON[] = {[SEARCH_FAILED] = LBFGS_EXHAUSTED,
                                             [SEARCH_LIMIT] = LBFGS_EVALUATIONS,
                                             [SEARCH_INTERRUPTED] = LBFGS_INTERRUPTED};
    do {
        quasi_newton(descent);
        double slope = dot(descent, descent->gradient, descent->direction), value;
        if (-slope / 2 <= descent->settings->tolerance) {
            return LBFGS_CONVERGED;
        }
        double step = first_step(descent);
        enum search_end end = line_search(descent, slope, step, &value);
        if (end != SEARCH_FOUND) {
            return REASON[end];
        }
        accept(descent, value);
    } while (tell(descent));
    return LBFGS_INTERRUPTED;
}

struct lbfgs_result lbfgs_minimise(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace, const struct lbfgs_point *from)
{
    struct descent descent = descent_make(problem, settings, x, workspace);
    struct lbfgs_result result;
    if (from != NULL) {
        descent.point = *from;
        result.stop = iterate(&descent);
    } else if (begin(&descent, &result.stop)) {
        result.stop = iterate(&descent);
    }
    result.point = descent.point;
    return result;
}
