/* The inner loops of the fit; model, units and bounds are in pass.h. */
#include "tuner/pass.h"

#include <math.h>
#include <string.h>

static const double LOGIT_UNIT = 0x1p32, LOGIT_MAX = 0x1p12, CUT = 32;
static const double PATTERN_UNIT = 0x1p24, PATTERN_MAX = 0x1p6;

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

bool pass_pattern_fill(struct pass_pattern *pattern, const double theta[2], double scale)
{
    double opening = theta[0] * scale / 100, ending = theta[1] * scale / 100;
    if (!(fabs(opening) <= PATTERN_MAX && fabs(ending) <= PATTERN_MAX)) {
        return false;
    }
    *pattern = (struct pass_pattern){(int32_t)nearbyint(opening * PATTERN_UNIT),
                                     (int32_t)nearbyint(ending * PATTERN_UNIT)};
    return true;
}

/* The patterns of the positions of one phase. */
struct patterns {
    const struct pattern_set *set; /* NULL: the model has none */
    const struct pass_pattern *weight;
    int windows, phase, rest;           /* rest = full - phase */
    uint32_t index[PATTERN_ACTIVE_MAX]; /* of the position looked at */
};

static struct patterns patterns_make(const struct dataset *dataset, const struct pass_table *table,
                                     int phase)
{
    const struct variant *variant = dataset->variant;
    return (struct patterns){
        .set = table->windows,
        .weight = table->pattern,
        .windows = table->windows ? pattern_windows(variant->rules, table->windows) : 0,
        .phase = phase,
        .rest = 2 * variant->rules->men_each - phase,
    };
}

/* Finds a position's patterns and returns their dot product with the weights, times full, in units
 * of 2^-24. */
static inline int64_t patterns_sum(struct patterns *patterns, const bitboard men[2])
{
    const uint32_t *index = patterns->index;
    int64_t opening = 0, ending = 0;
    patterns->set->indices(men, patterns->index);
    for (int k = 0; k < patterns->windows; k++) {
        struct pass_pattern plus = patterns->weight[index[k]];
        struct pass_pattern minus = patterns->weight[index[patterns->windows + k]];
        opening += plus.opening - (int64_t)minus.opening;
        ending += plus.ending - (int64_t)minus.ending;
    }
    return opening * patterns->phase + ending * patterns->rest;
}

/* x of position n of a group, which has these entries, cut to [-CUT, CUT]. */
static inline double position_logit(const struct dataset_group *group, int64_t n,
                                    const struct dataset_entry *entry, const int64_t *logit,
                                    struct patterns *patterns)
{
    int count = group->count[n];
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        sum += entry[k].value * logit[entry[k].index];
    }
    double x = (double)sum * (1 / LOGIT_UNIT);
    if (patterns->set != NULL) {
        int full = patterns->phase + patterns->rest;
        x += (double)patterns_sum(patterns, group->men[n].men) / (full * PATTERN_UNIT);
    }
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

/* Adds a position's residual to the sums of its patterns, which have been found. */
static inline void add_residual(const struct patterns *patterns, int64_t residual,
                                struct pass_pattern_sum *sums)
{
    int64_t opening = residual * patterns->phase, ending = residual * patterns->rest;
    for (int k = 0; k < patterns->windows; k++) {
        struct pass_pattern_sum *plus = &sums[patterns->index[k]];
        plus->opening += opening;
        plus->ending += ending;
        struct pass_pattern_sum *minus = &sums[patterns->index[patterns->windows + k]];
        minus->opening -= opening;
        minus->ending -= ending;
    }
}

static size_t count_patterns(const struct dataset *dataset, const struct pass_table *table)
{
    return (size_t)pattern_count(dataset->variant->rules, table->windows);
}

void pass_gradient(const struct dataset *dataset, enum dataset_part part,
                   const struct pass_table *table, const struct logistic *logistic,
                   struct pass_sums *sums, struct pass_pattern_sum *pattern_sums)
{
    memset(sums, 0, sizeof *sums);
    if (table->windows != NULL) {
        memset(pattern_sums, 0, count_patterns(dataset, table) * sizeof *pattern_sums);
    }
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        const struct dataset_entry *entry = group->entry;
        int64_t *gradient = sums->gradient[phase];
        struct patterns patterns = patterns_make(dataset, table, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            int count = group->count[n];
            double x = position_logit(group, n, entry, table->logit[phase], &patterns);
            int64_t loss, residual;
            judge(logistic, x, group->label[n], &loss, &residual);
            sums->loss += loss;
            for (int k = 0; k < count; k++) {
                gradient[entry[k].index] += residual * entry[k].value;
            }
            if (table->windows != NULL) {
                add_residual(&patterns, residual, pattern_sums);
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
        struct patterns patterns = patterns_make(dataset, table, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            int64_t loss, residual;
            double x = position_logit(group, n, entry, table->logit[phase], &patterns);
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
        struct patterns patterns = patterns_make(dataset, table, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            int count = group->count[n];
            if (group->label[n] & DATASET_SAMPLED) {
                double p, l, x = position_logit(group, n, entry, table->logit[phase], &patterns);
                logistic_at(logistic, x, &p, &l);
                add_outer(entry, count, to_fixed(p * (1 - p), PASS_CURVATURE_BITS),
                          sums->sum[phase]);
            }
            entry += count;
        }
    }
}

static void add_curvature(const struct patterns *patterns, int64_t weight,
                          struct pass_pattern_curvature *sums)
{
    int64_t phase = patterns->phase, rest = patterns->rest;
    for (int k = 0; k < 2 * patterns->windows; k++) {
        struct pass_pattern_curvature *sum = &sums[patterns->index[k]];
        sum->count++;
        sum->opening += weight * phase * phase;
        sum->mixed += weight * phase * rest;
        sum->ending += weight * rest * rest;
    }
}

void pass_pattern_curvature(const struct dataset *dataset, const struct pass_table *table,
                            const struct logistic *logistic, struct pass_pattern_curvature *sums)
{
    memset(sums, 0, count_patterns(dataset, table) * sizeof *sums);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const struct dataset_entry *entry = group->entry;
        struct patterns patterns = patterns_make(dataset, table, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            double p, l, x = position_logit(group, n, entry, table->logit[phase], &patterns);
            logistic_at(logistic, x, &p, &l);
            add_curvature(&patterns, to_fixed(p * (1 - p), PASS_CURVATURE_BITS), sums);
            entry += group->count[n];
        }
    }
}

/* What all men of a position are worth to their owners, in logits times 2^PASS_MAN_BITS. */
static int64_t worth_of_men(struct patterns *patterns, const struct dataset_men *position)
{
    int64_t with = patterns_sum(patterns, position->men), sum = 0;
    for (int colour = WHITE; colour <= BLACK; colour++) {
        for (bitboard men = position->men[colour]; men != 0;) {
            struct dataset_men without = *position;
            without.men[colour] &= ~bit(bit_pop(&men));
            int64_t lost = with - patterns_sum(patterns, without.men);
            sum += colour == WHITE ? lost : -lost;
        }
    }
    return sum / (patterns->phase + patterns->rest) / (1 << (24 - PASS_MAN_BITS));
}

struct pass_man pass_man(const struct dataset *dataset, const struct pass_table *table)
{
    struct pass_man sum = {0};
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        struct patterns patterns = patterns_make(dataset, table, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            if (group->label[n] & DATASET_SAMPLED) {
                const bitboard *men = group->men[n].men;
                sum.worth += worth_of_men(&patterns, &group->men[n]);
                sum.men += bit_count(men[WHITE] | men[BLACK]);
            }
        }
    }
    return sum;
}
