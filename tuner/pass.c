/* The inner loops of the fit; model, units and bounds are in pass.h.
 *
 * Men's squares are summed byte by byte: of each byte of a bitboard a table has the sum of its
 * squares' weights. In the gradient the same tables, by byte, take the residuals, and are shared
 * out to the squares behind the last position of a phase. That takes a fixed number of steps,
 * without a branch that cannot be foreseen. */
#include "tuner/pass.h"

#include <math.h>
#include <string.h>

static const double LOGIT_UNIT = 0x1p32, LOGIT_MAX = PASS_LOGIT_MAX, CUT = 32;
static const double PATTERN_UNIT = 0x1p24, PATTERN_MAX = 0x1p6;

enum { BYTES = 7, BYTE_VALUES = 256 }; /* of a bitboard: all but the top one can have squares */

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
    pattern->opening = (int32_t)nearbyint(opening * PATTERN_UNIT);
    pattern->ending = (int32_t)nearbyint(ending * PATTERN_UNIT);
    return true;
}

/* Numbers for the bytes of both sides' men. */
struct men_table {
    int64_t white[BYTES][BYTE_VALUES], black[BYTES][BYTE_VALUES];
};

/* The place among the features of a man on a bit of the board, as its owner sees it; -1: a ghost.
 */
static int man_feature(const struct rules *rules, int index, enum colour owner)
{
    int square = bit_to_square(rules, index);
    if (square > rules->squares || square_to_bit(rules, square) != index) {
        return -1;
    }
    int seen = owner == WHITE ? square : rules->squares + 1 - square;
    return feature_first(rules, FEATURE_MAN_SQUARE) + seen - 1;
}

/* table->white: the sum of the squares' weights; table->black: what it takes away. */
static void fill_men(const struct rules *rules, const int64_t *logit, struct men_table *table)
{
    memset(table, 0, sizeof *table);
    for (int byte = 0; byte < BYTES; byte++) {
        for (int value = 1; value < BYTE_VALUES; value++) {
            int rest = value & (value - 1), index = 8 * byte + __builtin_ctz((unsigned)value);
            int ours = man_feature(rules, index, WHITE), theirs = man_feature(rules, index, BLACK);
            table->white[byte][value] = table->white[byte][rest] + (ours < 0 ? 0 : logit[ours]);
            table->black[byte][value] = table->black[byte][rest] - (theirs < 0 ? 0 : logit[theirs]);
        }
    }
}

/* Shares the residuals of each byte's value out to its squares. */
static void share_out(const struct rules *rules, const struct men_table *sums, int64_t *gradient)
{
    for (int byte = 0; byte < BYTES; byte++) {
        for (int value = 1; value < BYTE_VALUES; value++) {
            for (int left = value; left != 0; left &= left - 1) {
                int index = 8 * byte + __builtin_ctz((unsigned)left);
                int ours = man_feature(rules, index, WHITE);
                if (ours >= 0) {
                    gradient[ours] += sums->white[byte][value];
                    gradient[man_feature(rules, index, BLACK)] -= sums->black[byte][value];
                }
            }
        }
    }
}

/* What the positions of one phase are judged by. */
struct judge {
    const struct logistic *logistic;
    const struct pattern_set *set; /* NULL: the model has no patterns */
    struct pass_pattern *pattern;
    const int64_t *logit;
    int windows, phase, rest; /* rest = full - phase */
    struct men_table men;
    uint32_t index[PATTERN_ACTIVE_MAX]; /* of the patterns of the position looked at */
};

static void judge_init(struct judge *judge, const struct dataset *dataset,
                       const struct pass_table *table, const struct logistic *logistic, int phase)
{
    const struct rules *rules = dataset->variant->rules;
    judge->logistic = logistic;
    judge->set = table->windows;
    judge->pattern = table->pattern;
    judge->logit = table->logit[phase];
    judge->windows = table->windows ? pattern_windows(rules, table->windows) : 0;
    judge->phase = phase;
    judge->rest = 2 * rules->men_each - phase;
    fill_men(rules, judge->logit, &judge->men);
}

/* Finds a position's patterns and returns their dot product with the weights, times full, in units
 * of 2^-24. */
static inline int64_t patterns_sum(struct judge *judge, const bitboard men[2])
{
    const uint32_t *index = judge->index;
    int64_t opening = 0, ending = 0;
    judge->set->indices(men, judge->index);
    for (int k = 0; k < judge->windows; k++) {
        const struct pass_pattern *plus = &judge->pattern[index[k]];
        const struct pass_pattern *minus = &judge->pattern[index[judge->windows + k]];
        opening += plus->opening - (int64_t)minus->opening;
        ending += plus->ending - (int64_t)minus->ending;
    }
    return opening * judge->phase + ending * judge->rest;
}

/* The dot product of a position's features with their weights, in units of 2^-32. */
static inline int64_t features_sum(const struct judge *judge,
                                   const struct dataset_position *position)
{
    int64_t sum = 0;
    for (int k = 0; k < position->count; k++) {
        sum += position->entry[k].value * judge->logit[position->entry[k].index];
    }
    for (int byte = 0; byte < BYTES; byte++) {
        sum += judge->men.white[byte][position->men[WHITE] >> 8 * byte & 0xff] +
               judge->men.black[byte][position->men[BLACK] >> 8 * byte & 0xff];
    }
    return sum;
}

/* x of a position, cut to [-CUT, CUT]. */
static inline double logit_of(struct judge *judge, const struct dataset_position *position)
{
    double x = (double)features_sum(judge, position) * (1 / LOGIT_UNIT);
    if (judge->set != NULL) {
        int full = judge->phase + judge->rest;
        x += (double)patterns_sum(judge, position->men) / (full * PATTERN_UNIT);
    }
    return x < -CUT ? -CUT : x > CUT ? CUT : x;
}

/* Nearest whole number of units of 2^-bits to v in [-1, 64). */
static inline int64_t to_fixed(double v, int bits)
{
    const double unit = (double)((int64_t)1 << bits);
    return (int64_t)((v + 1) * unit + 0.5) - ((int64_t)1 << bits);
}

/* Loss and residual of a position. */
static inline void weigh(struct judge *judge, const struct dataset_position *position,
                         int64_t *loss, int64_t *residual)
{
    double target = (position->target & ~DATASET_SAMPLED) * (1.0 / (1 << DATASET_TARGET_BITS));
    double x = logit_of(judge, position), p, l;
    logistic_at(judge->logistic, x, &p, &l);
    *loss = to_fixed(l + (x > 0 ? x : 0) - target * x, PASS_LOSS_BITS);
    *residual = to_fixed(p - target, PASS_RESIDUAL_BITS);
}

/* P (1 - P) of a position. */
static inline int64_t curvature_of(struct judge *judge, const struct dataset_position *position)
{
    double p, l;
    logistic_at(judge->logistic, logit_of(judge, position), &p, &l);
    return to_fixed(p * (1 - p), PASS_CURVATURE_BITS);
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

static size_t count_patterns(const struct dataset *dataset, const struct pass_table *table)
{
    return table->windows ? (size_t)pattern_count(dataset->variant->rules, table->windows) : 0;
}

static void clear_patterns(const struct dataset *dataset, const struct pass_table *table)
{
    for (size_t i = 0; i < count_patterns(dataset, table); i++) {
        table->pattern[i].opening_sum = table->pattern[i].ending_sum = 0;
    }
}

/* The gradient of one group, and its loss. */
static int64_t group_gradient(const struct dataset_group *group, struct judge *judge,
                              int64_t *gradient, struct men_table *sums)
{
    const unsigned char *at = group->packed.data;
    struct dataset_position position;
    int64_t total = 0;
    for (int64_t n = 0; n < group->positions; n++) {
        int64_t loss, residual;
        at = dataset_next(at, &position);
        weigh(judge, &position, &loss, &residual);
        total += loss;
        for (int k = 0; k < position.count; k++) {
            gradient[position.entry[k].index] += residual * position.entry[k].value;
        }
        for (int byte = 0; byte < BYTES; byte++) {
            sums->white[byte][position.men[WHITE] >> 8 * byte & 0xff] += residual;
            sums->black[byte][position.men[BLACK] >> 8 * byte & 0xff] += residual;
        }
        add_to_patterns(judge, residual);
    }
    return total;
}

void pass_gradient(const struct dataset *dataset, enum dataset_part part, struct pass_table *table,
                   const struct logistic *logistic, struct pass_sums *sums)
{
    struct judge judge;
    struct men_table men;
    memset(sums, 0, sizeof *sums);
    clear_patterns(dataset, table);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        if (group->positions > 0) {
            judge_init(&judge, dataset, table, logistic, phase);
            memset(&men, 0, sizeof men);
            sums->loss += group_gradient(group, &judge, sums->gradient[phase], &men);
            share_out(dataset->variant->rules, &men, sums->gradient[phase]);
        }
    }
}

void pass_scores(const struct dataset *dataset, const struct pass_table *table,
                 struct score_counts *counts)
{
    struct judge judge;
    struct dataset_position position;
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const unsigned char *at = group->packed.data;
        judge_init(&judge, dataset, table, NULL, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            at = dataset_next(at, &position);
            double score = (double)features_sum(&judge, &position) * (100 / LOGIT_UNIT);
            double cut = score > SCORE_SCALE_SPAN    ? SCORE_SCALE_SPAN
                         : score < -SCORE_SCALE_SPAN ? -SCORE_SCALE_SPAN
                                                     : score;
            int bin = score_bin((int)nearbyint(cut));
            counts->positions[bin]++;
            counts->targets[bin] += position.target & ~DATASET_SAMPLED;
        }
    }
}

int64_t pass_loss(const struct dataset *dataset, enum dataset_part part,
                  const struct pass_table *table, const struct logistic *logistic)
{
    struct judge judge;
    struct dataset_position position;
    int64_t sum = 0;
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[part][phase];
        const unsigned char *at = group->packed.data;
        judge_init(&judge, dataset, table, logistic, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            int64_t loss, residual;
            at = dataset_next(at, &position);
            weigh(&judge, &position, &loss, &residual);
            sum += loss;
        }
    }
    return sum;
}

/* All features of a position, its men's squares too, each index once; returns how many. */
static int list_features(const struct rules *rules, const struct dataset_position *position,
                         struct dataset_entry list[FEATURES_MAX])
{
    bitboard theirs = bits_turned(rules, position->men[BLACK]);
    bitboard plus = position->men[WHITE] & ~theirs, minus = theirs & ~position->men[WHITE];
    int count = position->count;
    memcpy(list, position->entry, (size_t)count * sizeof *list);
    while (plus != 0) {
        int index = man_feature(rules, bit_pop(&plus), WHITE);
        list[count++] = (struct dataset_entry){(uint8_t)index, 1};
    }
    while (minus != 0) {
        int index = man_feature(rules, bit_pop(&minus), WHITE);
        list[count++] = (struct dataset_entry){(uint8_t)index, -1};
    }
    return count;
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
    struct judge judge;
    struct dataset_position position;
    struct dataset_entry list[FEATURES_MAX];
    memset(sums, 0, sizeof *sums);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const unsigned char *at = group->packed.data;
        judge_init(&judge, dataset, table, logistic, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            at = dataset_next(at, &position);
            if (position.target & DATASET_SAMPLED) {
                int count = list_features(dataset->variant->rules, &position, list);
                add_outer(list, count, curvature_of(&judge, &position), sums->sum[phase]);
            }
        }
    }
}

static void add_curvature(const struct judge *judge, int64_t weight,
                          struct pass_pattern_curvature *sums)
{
    int64_t phase = judge->phase, rest = judge->rest;
    for (int k = 0; k < 2 * judge->windows; k++) {
        struct pass_pattern_curvature *sum = &sums[judge->index[k]];
        sum->count++;
        sum->opening += weight * phase * phase;
        sum->mixed += weight * phase * rest;
        sum->ending += weight * rest * rest;
    }
}

void pass_pattern_curvature(const struct dataset *dataset, const struct pass_table *table,
                            const struct logistic *logistic, struct pass_pattern_curvature *sums)
{
    struct judge judge;
    struct dataset_position position;
    memset(sums, 0, count_patterns(dataset, table) * sizeof *sums);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const unsigned char *at = group->packed.data;
        judge_init(&judge, dataset, table, logistic, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            at = dataset_next(at, &position);
            add_curvature(&judge, curvature_of(&judge, &position), sums);
        }
    }
}

/* White's kings less Black's. */
static int64_t kings_of(const struct rules *rules, const struct dataset_position *position)
{
    int king = feature_first(rules, FEATURE_KING);
    for (int k = 0; k < position->count; k++) {
        if (position->entry[k].index == king) {
            return position->entry[k].value;
        }
    }
    return 0;
}

static void add_material(struct judge *judge, const struct rules *rules,
                         const struct dataset_position *position, struct pass_material *sums)
{
    int64_t men = bit_count(position->men[WHITE]) - bit_count(position->men[BLACK]);
    int64_t kings = kings_of(rules, position);
    double logit = logit_of(judge, position);
    if (fabs(logit) >= CUT) {
        return;
    }
    int64_t x = (int64_t)nearbyint(logit * (1 << PASS_MATERIAL_BITS));
    sums->men_men += men * men;
    sums->men_kings += men * kings;
    sums->kings_kings += kings * kings;
    sums->men_x += men * x;
    sums->kings_x += kings * x;
}

struct pass_material pass_material(const struct dataset *dataset, const struct pass_table *table)
{
    struct judge judge;
    struct dataset_position position;
    struct pass_material sums = {0};
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        const unsigned char *at = group->packed.data;
        judge_init(&judge, dataset, table, NULL, phase);
        for (int64_t n = 0; n < group->positions; n++) {
            at = dataset_next(at, &position);
            if (position.target & DATASET_SAMPLED) {
                add_material(&judge, dataset->variant->rules, &position, &sums);
            }
        }
    }
    return sums;
}
