/* The slope of the log loss grows with K; its zero is found by bisection. */
#include "tuner/fit/score_scale.h"

#include "tuner/fit/dataset.h"

int score_bin(int score)
{
    int cut = score > SCORE_SCALE_SPAN    ? SCORE_SCALE_SPAN
              : score < -SCORE_SCALE_SPAN ? -SCORE_SCALE_SPAN
                                          : score;
    return cut + SCORE_SCALE_SPAN;
}

int score_of_bin(int bin)
{
    return bin - SCORE_SCALE_SPAN;
}

/* d loss / d K times 100: the sum of score * (P - target). */
static double slope(const struct score_counts *counts, const struct logistic *logistic,
                    double scale)
{
    const double unit = 1.0 / (1 << DATASET_TARGET_BITS);
    double sum = 0;
    for (int bin = 0; bin < SCORE_SCALE_BINS; bin++) {
        double score = score_of_bin(bin), p, l;
        logistic_at(logistic, scale * score / 100, &p, &l);
        sum += score * (p * (double)counts->positions[bin] - unit * (double)counts->targets[bin]);
    }
    return sum;
}

bool score_scale(const struct score_counts *counts, const struct logistic *logistic,
                 const char *whose, double *scale, struct err *err)
{
    double low = 0x1p-10, high = 0x1p6;
    if (!(slope(counts, logistic, low) < 0)) {
        return err_set(err, ERR_USAGE,
                       "%s do not predict the results: is White's view mixed up, or are there too "
                       "few games?",
                       whose);
    }
    if (!(slope(counts, logistic, high) > 0)) {
        return err_set(err, ERR_USAGE, "%s predict every result: no scale can be fitted", whose);
    }
    for (int round = 0; round < 50; round++) {
        double middle = (low + high) / 2;
        if (slope(counts, logistic, middle) < 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *scale = (low + high) / 2;
    return true;
}
