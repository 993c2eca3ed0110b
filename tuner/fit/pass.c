/* The inner loops of the fit; model, units and bounds are in pass.h.
 *
 * In the gradient tables by byte of a bitboard, as those of tuner/fit/judge.h, take the residuals,
 * and are shared out to the squares behind the last position of a phase. */
#include "tuner/fit/pass.h"

#include <math.h>
#include <string.h>

#include "tuner/fit/judge.h"

_Static_assert(DATASET_POSITIONS_MAX <= INT64_MAX >> (PASS_RESIDUAL_BITS + 7),
               "a gradient's sum must fit int64");
_Static_assert(DATASET_POSITIONS_MAX <= INT64_MAX >> (PASS_LOSS_BITS + 6),
               "a loss's sum must fit int64");

static const double LOGIT_MAX = PASS_LOGIT_MAX, PATTERN_MAX = 0x1p6;

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
            table->logit[phase][i] = (int64_t)nearbyint(logit * JUDGE_LOGIT_UNIT);
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
    pattern->opening = (int32_t)nearbyint(opening * JUDGE_PATTERN_UNIT);
    pattern->ending = (int32_t)nearbyint(ending * JUDGE_PATTERN_UNIT);
    return true;
}

/* Shares the residuals of each byte's value out to its squares. */
static void share_out(const struct rules *rules, const struct judge_men *sums, int64_t *gradient)
{
    for (int byte = 0; byte < JUDGE_BYTES; byte++) {
        for (int value = 1; value < JUDGE_BYTE_VALUES; value++) {
            for (int left = value; left != 0; left &= left - 1) {
                int index = 8 * byte + __builtin_ctz((unsigned)left);
                int ours = judge_man_feature(rules, index, WHITE);
                if (ours >= 0) {
                    gradient[ours] += sums->white[byte][value];
                    gradient[judge_man_feature(rules, index, BLACK)] -= sums->black[byte][value];
                }
            }
        }
    }
}

/* Adds a position's residual to the sums of its patterns, which have been found. */
static inline void add_to_patterns(const struct judge *judge, int64_t residual)
{
    int64_t opening = residual * judge->phase, ending = residual * judge->rest;
    for (int k = 0; k < judge->windows; k++) {
        struct pass_pattern *plus = &judge->pattern[judge->index[k]];
        plus->opening_sum += opening;
        plus->ending_sum += ending;
        struct pass_pattern *minus = &judge->pattern[judge->index[judge->windows + k]];
        minus->opening_sum -= opening;
        minus->ending_sum -= ending;
    }
}

static void clear_patterns(const struct dataset *dataset, const struct pass_table *table)
{
    for (size_t i = 0; i < judge_pattern_count(dataset, table); i++) {
        table->pattern[i].opening_sum = table->pattern[i].ending_sum = 0;
    }
}

/* The gradient of one group, and its loss. */
static int64_t group_gradient(const struct dataset_group *group, struct judge *judge,
                              int64_t *gradient, struct judge_men *sums)
{
    const unsigned char *at = group->packed.data;
    struct dataset_position position;
    int64_t total = 0;
    for (int64_t n = 0; n < group->positions; n++) {
        int64_t loss, residual;
        at = dataset_next(at, &position);
        judge_weigh(judge, &position, &loss, &residual);
        total += loss;
        for (const struct dataset_entry *entry = position.entry; entry < position.end;
             entry += DATASET_STRIDE) {
            for (int k = 0; k < DATASET_STRIDE; k++) {
                gradient[entry[k].index] += residual * entry[k].value;
            }
        }
        for (int byte = 0; byte < JUDGE_BYTES; byte++) {
            sums->white[byte][position.men[WHITE] >> 8 * byte & 0xff] += residual;
            sums->black[byte][position.men[BLACK] >> 8 * byte & 0xff] += residual;
        }
        if (judge->windows > 0) {
            add_to_patterns(judge, residual);
        }
    }
    return total;
}

void pass_gradient(const struct dataset *dataset, enum dataset_part part, struct pass_table *table,
                   const struct logistic *logistic, struct pass_sums *sums)
{
    struct judge judge;
    struct judge_men men;
    memset(sums, 0, sizeof *sums);
    clear_patterns(dataset, table);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        if (group->positions > 0) {
            judge_init(&judge, dataset, part, table, logistic, phase);
            memset(&men, 0, sizeof men);
            sums->loss += group_gradient(group, &judge, sums->gradient[phase], &men);
            share_out(dataset->variant->rules, &men, sums->gradient[phase]);
        }
    }
}

void pass_scores(const struct dataset *dataset, const struct pass_table *table,
                 struct score_counts *counts)
{
    struct judge_walk walk;
    judge_walk_start(&walk, dataset, DATASET_TRAIN, table, NULL);
    while (judge_walk_next(&walk)) {
        double score =
            (double)judge_features(&walk.judge, &walk.position) * (100 / JUDGE_LOGIT_UNIT);
        double cut = score > SCORE_SCALE_SPAN    ? SCORE_SCALE_SPAN
                     : score < -SCORE_SCALE_SPAN ? -SCORE_SCALE_SPAN
                                                 : score;
        int bin = score_bin((int)nearbyint(cut));
        counts->positions[bin]++;
        counts->targets[bin] += walk.position.target & ~DATASET_SAMPLED;
    }
}

int64_t pass_loss(const struct dataset *dataset, enum dataset_part part,
                  const struct pass_table *table, const struct logistic *logistic)
{
    struct judge_walk walk;
    int64_t sum = 0;
    judge_walk_start(&walk, dataset, part, table, logistic);
    while (judge_walk_next(&walk)) {
        int64_t loss, residual;
        judge_weigh(&walk.judge, &walk.position, &loss, &residual);
        sum += loss;
    }
    return sum;
}
