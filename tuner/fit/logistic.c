/* The table behind logistic.h. Of each node's value s = P(x), with q = s (1 - s):
 *
 *     P' = q          P'' = q (1 - 2s)     P''' = q (1 - 6q)
 *     L' = s - 1      L'' = q              L''' = q (1 - 2s)        L(x) = log(1 + exp(-x))
 *
 * With |d| <= 1/64 the next term is at most d^4 / 192 < 4e-10. */
#include "tuner/fit/logistic.h"

#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must be done in double");

/* exp(x) for |x| <= 1 by its series. */
static double exp_small(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k <= 20; k++) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

/* log(1 + e) for 0 <= e <= 1: 2 artanh(z), z = e / (2 + e) <= 1/3. */
static double log_one_plus(double e)
{
    double z = e / (2 + e), power = z, sum = 0;
    for (int k = 1; k <= 35; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return 2 * sum;
}

void logistic_init(struct logistic *table)
{
    const double ratio = exp_small(-1.0 / LOGISTIC_STEPS);
    double e = 1; /* exp(-k / LOGISTIC_STEPS) */

    for (int k = 0; k < LOGISTIC_NODES; k++) {
        double s = 1 / (1 + e), q = s * (1 - s);
        table->node[k] = (struct logistic_node){
            .p = {s, q, q * (1 - 2 * s) / 2, q * (1 - 6 * q) / 6},
            .l = {log_one_plus(e), s - 1, q / 2, q * (1 - 2 * s) / 6},
        };
        e *= ratio;
    }
}
