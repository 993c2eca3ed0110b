/* L-BFGS: minimises a smooth function of many variables from values and gradients alone.
 *
 * J. Nocedal, "Updating quasi-Newton matrices with limited storage", Math. Comp. 35 (1980); the
 * two-loop recursion of Nocedal and Wright, Numerical Optimization, algorithm 7.4. The line search
 * is the bisection for the weak Wolfe conditions of Lewis and Overton (Math. Program. 141, 2013).
 *
 * It converges fast when it starts from a good guess of the inverse Hessian, which the caller may
 * give as a preconditioner. Only + - * / and square root are used, in a fixed order, so the path
 * is the same on every machine, and on any number of ranks: each rank has its part of all vectors
 * (tuner/fit/blocks.h), and every rank makes the same calls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tuner/fit/blocks.h"

enum lbfgs_stop {
    LBFGS_CONVERGED,   /* the decrease still to be had is estimated below the tolerance */
    LBFGS_EXHAUSTED,   /* no further decrease along the search direction at working precision */
    LBFGS_EVALUATIONS, /* the limit on evaluations was reached */
    LBFGS_NOT_FINITE,  /* the function is not finite at the start */
    LBFGS_INTERRUPTED, /* the function asked for it */
};

/* "converged: ...", one phrase for a log line. */
const char *lbfgs_stop_text(enum lbfgs_stop stop);

enum { LBFGS_MEMORY_MAX = 32 };

/* Where a run stands after an accepted step; with x and the workspace all that it goes on from. */
struct lbfgs_point {
    int evaluations, iterations;
    int pairs, newest; /* of the memory's ring */
    double value;
    double rho[LBFGS_MEMORY_MAX]; /* 1 / (s . y) of each pair */
};

/* x and gradients are this rank's numbers of vectors spread like `spread`. */
struct lbfgs_problem {
    struct spread *spread; /* not owned */
    void *context;

    /* Value and gradient at x. A value or gradient that is not finite means "outside the domain"
     * and makes the step shorter. False ends the run as interrupted. */
    bool (*evaluate)(void *context, const double *x, double *value, double *gradient);

    /* Replaces v by an approximation of (Hessian)^-1 v, symmetric and positive definite; NULL: the
     * identity. */
    void (*precondition)(void *context, double *v);

    /* Told of each accepted point, the start included; may be NULL. False ends the run as
     * interrupted. */
    bool (*accepted)(void *context, const double *x, const struct lbfgs_point *point);
};

struct lbfgs_settings {
    int memory;          /* pairs kept, 1..LBFGS_MEMORY_MAX */
    int evaluations_max; /* >= 1 */
    double tolerance;    /* of the estimated decrease to be had, in units of the value: half the
                            directional derivative along the quasi-Newton step */
};

struct lbfgs_result {
    enum lbfgs_stop stop;
    struct lbfgs_point point; /* the final x; its evaluations are all there were */
};

/* Numbers of workspace that lbfgs_minimise needs for n numbers of this rank. */
size_t lbfgs_workspace(size_t n, int memory);

/* The vectors of the workspace that belong to a point: the first this many times n numbers. */
int lbfgs_vectors(int memory);

/* Collective. Minimises from x, which receives the best point found, whatever the reason to stop.
 * workspace[lbfgs_workspace(n, memory)] need not be set, unless the run goes on from a point: then
 * x and the workspace's vectors are as they were there. Nothing is allocated. */
struct lbfgs_result lbfgs_minimise(const struct lbfgs_problem *problem,
                                   const struct lbfgs_settings *settings, double *x,
                                   double *workspace, const struct lbfgs_point *from);
