/* L-BFGS: minimises a smooth function of many variables from values and gradients alone.
 *
 * J. Nocedal, "Updating quasi-Newton matrices with limited storage", Math. Comp. 35 (1980); the
 * two-loop recursion of Nocedal and Wright, Numerical Optimization, algorithm 7.4. The line search
 * is the bisection for the weak Wolfe conditions of Lewis and Overton (Math. Program. 141, 2013).
 *
 * It converges fast when it starts from a good guess of the inverse Hessian, which the caller may
 * give as a preconditioner. Only + - * / and square root are used, in a fixed order, so the path
 * is the same on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum lbfgs_stop {
    LBFGS_CONVERGED,   /* the decrease still to be had is estimated below the tolerance */
    LBFGS_EXHAUSTED,   /* no further decrease along the search direction at working precision */
    LBFGS_EVALUATIONS, /* the limit on evaluations was reached */
    LBFGS_NOT_FINITE,  /* the function is not finite at the start */
    LBFGS_INTERRUPTED, /* the function asked for it */
};

/* "converged: ...", one phrase for a log line. */
const char *lbfgs_stop_text(enum lbfgs_stop stop);

struct lbfgs_problem {
    size_t n;
    void *context;

    /* Value and gradient at x[n]. A value or gradient that is not finite means "outside the
     * domain" and makes the step shorter. False ends the run as interrupted. */
    bool (*evaluate)(void *context, const double *x, double *value, double *gradient);

    /* Replaces v[n] by an approximation of (Hessian)^-1 v, symmetric and positive definite; NULL:
     * the identity. */
    void (*precondition)(void *context, double *v);

    /* Told of each accepted point, the start included; may be NULL. False ends the run as
     * interrupted. */
    bool (*accepted)(void *context, const double *x, double value, int evaluations);
};

struct lbfgs_settings {
    int memory;          /* pairs kept, >= 1 */
    int evaluations_max; /* >= 1 */
    double tolerance;    /* of the estimated decrease to be had, in units of the value: half the
                            directional derivative along the quasi-Newton step */
};

struct lbfgs_result {
    enum lbfgs_stop stop;
    int evaluations, iterations;
    double value; /* at the final x */
};

/* Numbers of workspace that lbfgs_minimise needs. */
size_t lbfgs_workspace(size_t n, int memory);

/* Minimises from x[n], which receives the best point found, whatever the reason to stop.
 * workspace[lbfgs_workspace(n, memory)] need not be set; nothing is allocated. */
struct lbfgs_result lbfgs_minimise(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace);
