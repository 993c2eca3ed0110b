/* Predictions and results compared; see pass_quality.h. */
#include "tuner/fit/pass_quality.h"

#include <stdlib.h>

#include "tuner/fit/judge.h"

int quality_band_first(const struct rules *rules, int band)
{
    int phases = 2 * rules->men_each + 1;
    return (phases * band + QUALITY_PIECES - 1) / QUALITY_PIECES;
}

static int band_of(const struct rules *rules, int pieces)
{
    return pieces * QUALITY_PIECES / (2 * rules->men_each + 1);
}

bool surprise_is_worse(const struct surprise *a, const struct surprise *b)
{
    const uint64_t of_a[] = {a->men[WHITE], a->men[BLACK], a->kings[WHITE], a->kings[BLACK],
                             (uint64_t)a->black_to_move};
    const uint64_t of_b[] = {b->men[WHITE], b->men[BLACK], b->kings[WHITE], b->kings[BLACK],
                             (uint64_t)b->black_to_move};
    if (a->loss != b->loss) {
        return a->loss > b->loss;
    }
    for (size_t k = 0; k < sizeof of_a / sizeof *of_a; k++) {
        if (of_a[k] != of_b[k]) {
            return of_a[k] < of_b[k];
        }
    }
    return false;
}

/* The value of one feature, 0 when it is not listed. */
static int value_of(const struct dataset_position *position, int index)
{
    for (int k = 0; k < position->count; k++) {
        if (position->entry[k].index == index) {
            return position->entry[k].value;
        }
    }
    return 0;
}

/* Kings and the side to move from the features; false: kings are missing, whose squares cancel. */
static bool restore(const struct rules *rules, const struct dataset_position *position, int pieces,
                    struct surprise *out)
{
    struct feature_range squares = feature_range(rules, FEATURE_KING_SQUARE);
    int seen = bit_count(position->men[WHITE]) + bit_count(position->men[BLACK]);
    out->men[WHITE] = position->men[WHITE];
    out->men[BLACK] = position->men[BLACK];
    for (int k = 0; k < position->count; k++) {
        int square = position->entry[k].index - squares.first + 1;
        if (square < 1 || square > squares.count) {
            continue;
        }
        bool white = position->entry[k].value > 0;
        out->kings[white ? WHITE : BLACK] |=
            bit(square_to_bit(rules, white ? square : rules->squares + 1 - square));
        seen++;
    }
    out->black_to_move = value_of(position, feature_first(rules, FEATURE_TURN)) < 0;
    return seen == pieces;
}

static void add(struct pass_quality_sums *sums, int64_t loss, int64_t predicted, int64_t scored)
{
    const int64_t one = (int64_t)1 << PASS_RESIDUAL_BITS;
    int64_t favour = 2 * predicted - one, won = 2 * scored - one;
    sums->positions++;
    sums->predicted += predicted;
    sums->scored += scored;
    sums->loss += loss;
    sums->decided += won != 0;
    sums->right += won == 0 ? 0 : favour == 0 ? 1 : (favour > 0) == (won > 0) ? 2 : 0;
}

static int material_cell(const struct rules *rules, const struct dataset_position *position)
{
    const int most = QUALITY_MATERIAL / 2;
    int balance = value_of(position, feature_first(rules, FEATURE_MAN)) +
                  QUALITY_KING * value_of(position, feature_first(rules, FEATURE_KING));
    return most + (balance < -most ? -most : balance > most ? most : balance);
}

static int predicted_cell(int64_t predicted)
{
    int64_t cell = predicted * QUALITY_PREDICTED >> PASS_RESIDUAL_BITS;
    return cell < QUALITY_PREDICTED ? (int)cell : QUALITY_PREDICTED - 1;
}

static void take(struct judge *judge, const struct rules *rules,
                 const struct dataset_position *position, struct pass_quality *quality)
{
    int64_t loss, residual;
    int group = position->target & (DATASET_GAME_GROUPS - 1);
    int target = position->target & judge->target_mask;
    int64_t scored = (int64_t)target << (PASS_RESIDUAL_BITS - DATASET_TARGET_BITS);
    judge_weigh(judge, position, &loss, &residual);
    int64_t predicted = residual + scored;
    struct pass_quality_sums *sums = quality->sums[group];
    add(&sums[band_of(rules, judge->phase)], loss, predicted, scored);
    add(&sums[QUALITY_FIRST_MATERIAL + material_cell(rules, position)], loss, predicted, scored);
    add(&sums[QUALITY_FIRST_PREDICTED + predicted_cell(predicted)], loss, predicted, scored);
    if (loss >= quality->worst[group].loss) {
        struct surprise now = {.loss = loss,
                               .predicted = predicted,
                               .result = (target >> (DATASET_TARGET_BITS - 1)) - 1};
        if (restore(rules, position, judge->phase, &now) &&
            surprise_is_worse(&now, &quality->worst[group])) {
            quality->worst[group] = now;
        }
    }
}

void pass_quality(const struct dataset *dataset, const struct pass_table *table,
                  const struct logistic *logistic, struct pass_quality *quality)
{
    struct judge_walk walk;
    memset(quality, 0, sizeof *quality);
    judge_walk_start(&walk, dataset, DATASET_HELD_OUT, table, logistic);
    while (judge_walk_next(&walk)) {
        take(&walk.judge, dataset->variant->rules, &walk.position, quality);
    }
}
