/* Second derivatives, and how the score goes with material: passes over a sample, or made once; see
 * pass.h. */
#include "tuner/fit/pass.h"

#include <math.h>
#include <string.h>

#include "tuner/fit/judge.h"

/* All features of a position, its men's squares too, each index once; returns how many. */
static int list_features(const struct rules *rules, const struct dataset_position *position,
                         struct dataset_entry list[FEATURES_MAX])
{
    bitboard theirs = bits_turned(rules, position->men[BLACK]);
    bitboard plus = position->men[WHITE] & ~theirs, minus = theirs & ~position->men[WHITE];
    int count = position->count;
    memcpy(list, position->entry, (size_t)count * sizeof *list);
    while (plus != 0) {
        int index = judge_man_feature(rules, bit_pop(&plus), WHITE);
        list[count++] = (struct dataset_entry){(uint8_t)index, 1};
    }
    while (minus != 0) {
        int index = judge_man_feature(rules, bit_pop(&minus), WHITE);
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
    struct judge_walk walk;
    struct dataset_entry list[FEATURES_MAX];
    memset(sums, 0, sizeof *sums);
    judge_walk_start(&walk, dataset, DATASET_TRAIN, table, logistic);
    while (judge_walk_next(&walk)) {
        if (walk.position.target & DATASET_SAMPLED) {
            int count = list_features(dataset->variant->rules, &walk.position, list);
            add_outer(list, count, judge_curvature(&walk.judge, &walk.position),
                      sums->sum[walk.phase]);
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
    struct judge_walk walk;
    memset(sums, 0, judge_pattern_count(dataset, table) * sizeof *sums);
    judge_walk_start(&walk, dataset, DATASET_TRAIN, table, logistic);
    while (judge_walk_next(&walk)) {
        add_curvature(&walk.judge, judge_curvature(&walk.judge, &walk.position), sums);
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
    double logit = judge_logit(judge, position);
    if (fabs(logit) >= JUDGE_CUT) {
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
    struct judge_walk walk;
    struct pass_material sums = {0};
    judge_walk_start(&walk, dataset, DATASET_TRAIN, table, NULL);
    while (judge_walk_next(&walk)) {
        if (walk.position.target & DATASET_SAMPLED) {
            add_material(&walk.judge, dataset->variant->rules, &walk.position, &sums);
        }
    }
    return sums;
}
