/* A safe search for the zero of the loss's slope: bracketed by doubling, narrowed by the false
 * position. */
#include "tuner/scale.h"

#include <math.h>

/* d loss / d K = sum of theta * (d loss / d theta) / K: the evaluation is linear in theta. */
static bool scale_slope(struct objective *objective, const double *theta, double *gradient,
                        double scale, double *slope)
{
    double loss;
    if (!objective_gradient(objective, theta, scale, &loss, gradient)) {
        return false;
    }
    *slope = 0;
    for (int i = 0; i < objective->dimensions; i++) {
        *slope += theta[i] * gradient[i] / scale;
    }
    return true;
}

/* An interval of K that holds the zero of the slope. */
struct bracket {
    double low, high;             /* K */
    double slope_low, slope_high; /* negative, not negative */
};

/* Doubles or halves K from 1 until the slope changes its sign. */
static bool scale_bracket(struct objective *objective, const double *theta, double *gradient,
                          struct bracket *out, struct err *err)
{
    double scale = 1, slope;
    if (!scale_slope(objective, theta, gradient, scale, &slope)) {
        return err_set(err, ERR_FAILED, "interrupted");
    }
    bool rising = slope <= 0; /* 0: every residual is below the fixed point's unit */
    while (scale > 0x1p-10 && scale < 0x1p6) {
        double next = rising ? scale * 2 : scale / 2, next_slope;
        if (!scale_slope(objective, theta, gradient, next, &next_slope)) {
            return err_set(err, ERR_FAILED, "interrupted");
        }
        if (rising != (next_slope <= 0)) {
            *out = rising ? (struct bracket){scale, next, slope, next_slope}
                          : (struct bracket){next, scale, next_slope, slope};
            return true;
        }
        scale = next;
        slope = next_slope;
    }
    return err_set(err, ERR_USAGE,
                   rising
                       ? "the starting weights predict every result: no scale can be fitted"
                       : "the starting weights do not predict the results: is White's view mixed "
                         "up, or are there too few games?");
}

/* Narrows the interval by the false position, in Illinois' variant: an end that stays twice in a
 * row counts half. Sets *scale to the newest K. */
static bool scale_narrow(struct objective *objective, const double *theta, double *gradient,
                         struct bracket *b, double *scale, struct err *err)
{
    int side = 0; /* which end moved last */
    double slope = b->slope_high;
    *scale = b->high;
    for (int round = 0; round < 40 && fabs(slope) * *scale > 1e-6; round++) {
        double next = b->low - b->slope_low * (b->high - b->low) / (b->slope_high - b->slope_low);
        if (next <= b->low || next >= b->high || b->high - b->low < 1e-8 * b->high) {
            break;
        }
        *scale = next;
        if (!scale_slope(objective, theta, gradient, next, &slope)) {
            return err_set(err, ERR_FAILED, "interrupted");
        }
        if (slope < 0) {
            b->low = next;
            b->slope_low = slope;
            b->slope_high /= side < 0 ? 2 : 1;
            side = -1;
        } else {
            b->high = next;
            b->slope_high = slope;
            b->slope_low /= side > 0 ? 2 : 1;
            side = 1;
        }
    }
    return true;
}

bool fit_scale(struct objective *objective, const double *theta, double *scale, struct err *err)
{
    double gradient[2 * FEATURES_MAX];
    struct bracket bracket = {0};
    return scale_bracket(objective, theta, gradient, &bracket, err) &&
           scale_narrow(objective, theta, gradient, &bracket, scale, err);
}
