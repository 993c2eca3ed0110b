/* The logistic function and its logarithm, the same bits on every machine.
 *
 * The C library's exp and log differ between CPUs in the last bits, and a difference of one bit in
 * one position can become another weight. Here both come from a table of cubic polynomials made
 * with nothing but + - * /, which IEEE 754 defines exactly (floating-point contraction is off for
 * the whole project). It is faster than calling exp, too. */
#pragma once

#include <math.h>

enum {
    LOGISTIC_STEPS = 32, /* nodes per unit of x */
    LOGISTIC_REACH = 24, /* beyond |x| = 24 the probability is 0 or 1 to within 4e-11 */
    LOGISTIC_NODES = LOGISTIC_STEPS * LOGISTIC_REACH + 1,
};

/* Taylor coefficients of both functions about one node; one cache line. */
struct logistic_node {
    double p[4]; /* 1 / (1 + exp(-x)) */
    double l[4]; /* log(1 + exp(-x)) */
};

struct logistic {
    struct logistic_node node[LOGISTIC_NODES]; /* node k is at x = k / LOGISTIC_STEPS */
};

void logistic_init(struct logistic *table);

/* *p = 1 / (1 + exp(-x)), *l = log(1 + exp(-|x|)), each within 1e-9. x must be finite. */
static inline void logistic_at(const struct logistic *table, double x, double *p, double *l)
{
    double a = fabs(x);
    if (a >= LOGISTIC_REACH) {
        *p = x < 0 ? 0 : 1;
        *l = 0;
        return;
    }
    int k = (int)(a * LOGISTIC_STEPS + 0.5);
    double d = a - k * (1.0 / LOGISTIC_STEPS);
    const struct logistic_node *node = &table->node[k];
    double upper = node->p[0] + d * (node->p[1] + d * (node->p[2] + d * node->p[3]));
    *p = 0.5 + copysign(upper - 0.5, x); /* exactly 1 - upper below 0; without a branch */
    *l = node->l[0] + d * (node->l[1] + d * (node->l[2] + d * node->l[3]));
}
