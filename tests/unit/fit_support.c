/* Data of known truth for the tests of the fit. */
#include "fit_support.h"

#include <stdlib.h>

#include "engine/base/rng.h"
#include "support.h"
#include "tests/unit/close.h"

const struct team ALONE = {0};

void theta_of(const struct weights *weights, int features, double *theta)
{
    for (int i = 0; i < features; i++) {
        theta[2 * i] = weights->opening[i];
        theta[2 * i + 1] = weights->ending[i];
    }
}

double logit_of(const struct variant *variant, const struct position *position, const double *theta,
                double scale)
{
    int full = 2 * variant->rules->men_each;
    struct feature_list list;
    double score = 0;
    variant->features(position, &list);
    for (int k = 0; k < list.count; k++) {
        int i = list.feature[k].index;
        score += list.feature[k].value *
                 (theta[2 * i] * list.phase + theta[2 * i + 1] * (full - list.phase)) / full;
    }
    return scale * score / 100;
}

/* A random legal move played, or a fresh random position where there is none and now and then. */
static void wander(const struct variant *variant, const struct rng *rng, uint64_t step,
                   struct position *position)
{
    struct move_list list;
    variant->moves(position, &list);
    if (list.count == 0 || step % 40 == 0) {
        *position = random_position(variant, step, step % 80 == 0);
    } else {
        uint32_t chosen = rng_below(rng, 2 * step, (uint32_t)list.count);
        *position = position_after(variant->rules, position, &list.move[chosen]);
    }
}

struct shard_row *draw_rows(const struct variant *variant, int count, const double *theta,
                            double scale)
{
    struct shard_row *rows = calloc((size_t)count, sizeof *rows);
    struct rng rng = rng_make(5, RNG_TEST, 1);
    struct position position = position_start(variant->rules);
    assert_non_null(rows);
    for (uint64_t k = 0, step = 0; k < (uint64_t)count; step++) {
        wander(variant, &rng, step, &position);
        if (position_is_quiet(variant, &position) && !may_be_held(variant->rules, &position)) {
            double x = logit_of(variant, &position, theta, scale);
            double uniform = (double)(rng_draw(&rng, 2 * step + 1) >> 11) * 0x1p-53;
            rows[k] = (struct shard_row){.position = position,
                                         .game = (int64_t)k,
                                         .score = SCORE_NONE,
                                         .result = uniform < 1 / (1 + exp(-x)) ? 1 : -1};
            k++;
        }
    }
    return rows;
}

void add_rows(struct dataset *dataset, const struct variant *variant, const struct shard_row *rows,
              int first, int last)
{
    const struct shard_info info = {.seed = 1};
    struct weights weights = {0};
    struct err err = {0};
    const struct dataset_filter filter = {.holdout = 10, .sampling = 65536};
    struct dataset_source source = {.info = &info, .weights = &weights};
    dataset_init(dataset, variant, &filter);
    if (!dataset_add(dataset, &source, rows + first, (size_t)(last - first), &err) ||
        !dataset_finish(dataset, &ALONE, &err)) {
        fail_msg("%s", err.text);
    }
}

void prepare(struct objective *objective, const struct dataset *dataset)
{
    struct err err = {0};
    if (!objective_init(objective, dataset, &ALONE, &err)) {
        fail_msg("%s", err.text);
    }
}

/* About normal, mean 0, standard deviation 1: a sum of twelve uniform draws. */
static double gauss(uint64_t number)
{
    struct rng rng = rng_make(9, RNG_TEST, number);
    double sum = -6;
    for (uint64_t k = 0; k < 12; k++) {
        sum += (double)rng_draw(&rng, k) * 0x1p-64;
    }
    return sum;
}

void perturbed(const struct variant *variant, double spread, double *theta)
{
    struct weights weights;
    int features = feature_count(variant->rules);
    weights_builtin(variant->rules, &weights);
    for (int i = 0; i < features; i++) {
        uint64_t draw = 2 * (uint64_t)i;
        theta[2 * i] = weights.opening[i] + spread * gauss(draw);
        theta[2 * i + 1] = weights.ending[i] + spread * gauss(draw + 1);
    }
}
