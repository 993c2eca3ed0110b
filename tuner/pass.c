/* The inner loops of the fit; model, units and bounds are in pass.h. */
#include "tuner/pass.h"

#include <math.h>
#include <string.h>

static const double LOGIT_UNIT = 0x1p32, LOGIT_MAX = 0x1p12, CUT = 32;

bool pass_table_fill(struct pass_table *table, const struct rules *rules, const double *theta,
                     double scale)
{
    int features = feature_count(rules), full = 2 * rules->men_each;

    for (int phase = 0; phase <= full; phase++) {
        double opening = (double)phase / full, ending = (double)(full - phase) / full;
        for (int i = 0; i < features; i++) {
            double weight = theta[2 * i] * opening + theta[2 * i + 1] * ending;
            double logit = weight * scale / 100;
            if (!(fabs(logit) <= LOGIT_MAX)) {
                return false;
            }
            table->logit[phase][i] = (int64_t)nearbyint(logit * LOGIT_UNIT);
        }
    }
    return true;
}

/* x of a position with these entries, cut to [-CUT, CUT]. */
static inline double position_logit(const struct dataset_entry *entry, int count,
                                    const int64_t *logit)
{
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        sum += entry[k].value * logit[entry[k].index];
    }
    double x = (double)sum * (1 / LOGIT_UNIT);
    return x < -CUT ? -CUT : x > CUT ? CUT : x;
}

/* Nearest whole number of units of 2^-bits to v in [-1, 64). */
static inline int64_t to_fixed(double v, int bits)
{
    const double unit = (double)((int64_t)1 << bits);
    return (int64_t)((v + 1) * unit + 0.5) - ((int64_t)1 << bits);
}

/* Loss and residual of a position with this label. */
static inline void judge(const struct logistic *logistic, double x, uint8_t label, int64_t *loss,
                         int64_t *residual)
{
    double target = 0.5 * (label & DATASET_RESULT), p, l;
    logistic_at(logistic, x, &p, &l);
    *loss = to_fixed(l + (x > 0 ? x : 0) - target * x, PASS_LOSS_BITS);
    *residual = to_fixed(p - target, PASS_RESIDUAL_BITS);
}

void pass_gradient(const struct dataset *dataset, enum dataset_part part,
                   const struct pass_table *table, const struct logistic *logistic,
                   struct pass_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        const struct dataset_entry *entry = group->entry;
        int64_t *gradient = sums->gradient[phase];
        for (int64_t n = 0; n < group->positions; n++) {
            int count = group->count[n];
            double x = position_logit(entry, count, table->logit[phase]);
            int64_t loss, residual;
            judge(logistic, x, group->label[n], &loss, &residual);
            sums->loss += loss;
            for (int k = 0; k < count; k++) {
                gradient[entry[k].index] += residual * entry[k].value;
            }
            entry += count;
        }
    }
}

int64_t pass_loss(const struct dataset *dataset, enum dataset_part part,
                  const struct pass_table *table, const struct logistic *logistic)
{
    int64_t sum = 0;
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        const struct dataset_entry *entry = group->entry;
        for (int64_t n = 0; n < group->positions; n++) {
            int64_t loss, residual;
            double x = position_logit(entry, group->count[n], table->logit[phase]);
            judge(logistic, x, group->label[n], &loss, &residual);
            sum += loss;
            entry += group->count[n];
        }
    }
    return sum;
}

/* Adds the outer product of a position's values, times its weight. */
static void add_outer(const struct dataset_entry *entry, int count, int64_t weight,
                      int64_t (*sum)[FEATURES_MAX])
{
    for (int j = 0; j < count; j++) {
        int64_t scaled = weight * entry[j].value;
        int64_t *row = sum[entry[j].index];
        for (int k = 0; k < count; k++) {
            row[entry[k].index] += scaled * entry[k].value;
        }
    }
}

void pass_curvature(const struct dataset *dataset, const struct pass_table *table,
                    const struct logistic *logistic, struct pass_curvature *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const struct dataset_entry *entry = group->entry;
        for (int64_t n = 0; n < group->positions; n++) {
            int count = group->count[n];
            if (group->label[n] & DATASET_SAMPLED) {
                double p, l;
                logistic_at(logistic, position_logit(entry, count, table->logit[phase]), &p, &l);
                add_outer(entry, count, to_fixed(p * (1 - p), PASS_CURVATURE_BITS),
                          sums->sum[phase]);
            }
            entry += count;
        }
    }
}
