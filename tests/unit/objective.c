/* The objective against calculus and against any partition of the data. */
#include "tuner/fit/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_support.h"
#include "tests/unit/close.h"

/* The loss is the mean of the defined loss, to the precision of the fixed point. */
static void loss_by_hand(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    double theta[THETA_MAX], sum = 0, loss;
    struct dataset dataset;
    struct objective objective;
    int count = 0;
    perturbed(variant, 20, theta);
    struct shard_row *rows = draw_rows(variant, 500, theta, 1);
    rows[3].result = rows[4].result = rows[400].result = 0;
    add_rows(&dataset, variant, rows, 0, 500);
    prepare(&objective, &dataset);
    for (int k = 0; k < 500; k++) {
        const struct shard_info info = {.seed = 1};
        if (!dataset_holds_out(variant, &info, k, 10)) {
            double x = logit_of(variant, &rows[k].position, theta, 0.8);
            double target = (rows[k].result + 1) / 2.0;
            sum += target * log1p(exp(-x)) + (1 - target) * log1p(exp(x));
            count++;
        }
    }
    assert_true(objective_loss(&objective, DATASET_TRAIN, theta, 0.8, &loss));
    assert_close(loss, sum / count, 1e-8);
    objective_fini(&objective);
    dataset_fini(&dataset);
    free(rows);
}

/* The gradient of every group of features, both ends of the game, by central differences; the
 * curvature's row by differences of the gradient. */
static void check_derivatives(struct objective *objective, double *theta, int i)
{
    static double matrix[THETA_MAX * THETA_MAX];
    double gradient[THETA_MAX], above[THETA_MAX], below[THETA_MAX], loss, high, low;
    const double step = 0.5, at = theta[i];
    struct err err = {0};
    assert_true(objective_gradient(objective, theta, 0.8, &loss, gradient));
    assert_true(objective_curvature(objective, theta, 0.8, matrix, &err));
    theta[i] = at + step;
    assert_true(objective_gradient(objective, theta, 0.8, &high, above));
    theta[i] = at - step;
    assert_true(objective_gradient(objective, theta, 0.8, &low, below));
    theta[i] = at;
    assert_close(gradient[i], (high - low) / (2 * step), 1e-9 + 1e-3 * fabs(gradient[i]));
    for (int j = 0; j < objective->dimensions; j++) {
        double expected = (above[j] - below[j]) / (2 * step);
        assert_close(matrix[i * objective->dimensions + j], expected,
                     1e-10 + 2e-3 * fabs(expected));
    }
}

static void derivatives(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        double theta[THETA_MAX];
        struct dataset dataset;
        struct objective objective;
        perturbed(variant, 10, theta);
        struct shard_row *rows = draw_rows(variant, 3000, theta, 1);
        add_rows(&dataset, variant, rows, 0, 3000);
        prepare(&objective, &dataset);
        for (int group = 0; group < FEATURE_GROUPS; group++) {
            struct feature_range range = feature_range(variant->rules, (enum feature_group)group);
            int i = range.first + range.count / 2;
            check_derivatives(&objective, theta, 2 * i);
            check_derivatives(&objective, theta, 2 * i + 1);
        }
        objective_fini(&objective);
        dataset_fini(&dataset);
        free(rows);
    }
}

/* What the fitted patterns add to a position's x. */
static double pattern_logit(const struct objective *objective, const struct pattern_set *set,
                            const struct position *position, const double *theta, double scale)
{
    const struct variant *variant = objective->dataset->variant;
    int windows = pattern_windows(variant->rules, set);
    int full = 2 * variant->rules->men_each, phase = bit_count(pieces_all(position));
    uint32_t index[PATTERN_ACTIVE_MAX];
    double score = 0;
    set->indices(position->men, index);
    for (int n = 0; n < 2 * windows; n++) {
        for (int k = 0; k < objective->patterns; k++) {
            if (objective->pattern[k] == (int32_t)index[n]) {
                const double *weight = theta + 2 * (objective->features + k);
                score += (n < windows ? 1 : -1) * (weight[0] * phase + weight[1] * (full - phase)) /
                         full;
            }
        }
    }
    return scale * score / 100;
}

/* The training loss from its definition. */
static double loss_with_patterns(const struct objective *objective, const struct pattern_set *set,
                                 const struct shard_row *rows, int count, const double *theta,
                                 double scale)
{
    const struct variant *variant = objective->dataset->variant;
    const struct shard_info info = {.seed = 1};
    double sum = 0;
    int positions = 0;
    for (int k = 0; k < count; k++) {
        if (!dataset_holds_out(variant, &info, k, 10)) {
            double x = logit_of(variant, &rows[k].position, theta, scale) +
                       pattern_logit(objective, set, &rows[k].position, theta, scale);
            double target = (rows[k].result + 1) / 2.0;
            sum += target * log1p(exp(-x)) + (1 - target) * log1p(exp(x));
            positions++;
        }
    }
    return sum / positions;
}

/* Gradient and curvature of one weight of a pattern, by central differences. */
static void check_pattern(struct objective *objective, double *theta, int i, double curvature)
{
    size_t size = (size_t)objective->dimensions * sizeof(double);
    double *gradient = malloc(size), *above = malloc(size), *below = malloc(size);
    double loss, high, low, at = theta[i];
    const double step = 4;
    assert_true(gradient && above && below);
    assert_true(objective_gradient(objective, theta, 0.8, &loss, gradient));
    theta[i] = at + step;
    assert_true(objective_gradient(objective, theta, 0.8, &high, above));
    theta[i] = at - step;
    assert_true(objective_gradient(objective, theta, 0.8, &low, below));
    theta[i] = at;
    assert_close(gradient[i], (high - low) / (2 * step), 1e-9 + 1e-3 * fabs(gradient[i]));
    /* the curvature counts a pattern that both sides have twice, which cancel */
    assert_in_range((above[i] - below[i]) / (2 * step) * 1e15, 0, 1.05e15 * curvature + 1e5);
    free(gradient);
    free(above);
    free(below);
}

static void check_patterns(const struct variant *variant, const struct pattern_set *windows)
{
    enum { COUNT = 1000, LEAST = 2 };
    const double full = 2 * variant->rules->men_each;
    double dense[THETA_MAX], loss;
    struct dataset dataset;
    struct objective objective;
    struct err err = {0};
    perturbed(variant, 10, dense);
    struct shard_row *rows = draw_rows(variant, COUNT, dense, 1);
    add_rows(&dataset, variant, rows, 0, COUNT);
    prepare(&objective, &dataset);
    assert_true(objective_add_patterns(&objective, windows, dense, 0.8, LEAST, &err));
    assert_in_range(objective.patterns, 100, pattern_count(variant->rules, windows));
    double *theta = calloc((size_t)objective.dimensions, sizeof *theta);
    assert_non_null(theta);
    memcpy(theta, dense, 2 * (size_t)objective.features * sizeof *theta);
    for (int k = 0; k < objective.patterns; k += 97) {
        const struct pass_pattern_curvature *sums = &objective.pattern_curvature[k];
        double unit = 0.8 / 100 / full * (0.8 / 100 / full) / (1 << PASS_CURVATURE_BITS) /
                      (double)objective.totals.positions[DATASET_TRAIN];
        int i = 2 * (objective.features + k);
        assert_true(sums->count >= LEAST);
        check_pattern(&objective, theta, i, (double)sums->opening * unit);
        check_pattern(&objective, theta, i + 1, (double)sums->ending * unit);
    }
    for (int i = 2 * objective.features; i < objective.dimensions; i++) {
        theta[i] = i % 37 - 18;
    }
    assert_true(objective_loss(&objective, DATASET_TRAIN, theta, 0.8, &loss));
    assert_close(loss, loss_with_patterns(&objective, windows, rows, COUNT, theta, 0.8), 2e-6);
    free(theta);
    objective_fini(&objective);
    dataset_fini(&dataset);
    free(rows);
}

static void patterns(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int i = 0; i < PATTERN_SETS; i++) {
            check_patterns(variant_at(v), variant_at(v)->pattern_sets[i]);
        }
    }
}

/* Sums over any partition, in any order, are the same bits. */
static void order_independent(void **state)
{
    (void)state;
    enum { COUNT = 4000, PARTS = 7 };
    const struct variant *variant = &variant_flying;
    static struct pass_sums whole, part;
    static struct pass_table table;
    static struct logistic logistic;
    double theta[THETA_MAX];
    perturbed(variant, 30, theta);
    logistic_init(&logistic);
    assert_true(pass_table_fill(&table, variant->rules, theta, 0.8));
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 1);
    struct dataset dataset;
    add_rows(&dataset, variant, rows, 0, COUNT);
    pass_gradient(&dataset, DATASET_TRAIN, &table, &logistic, &whole);
    assert_true(whole.loss > 0);
    assert_int_equal(whole.loss, pass_loss(&dataset, DATASET_TRAIN, &table, &logistic));
    dataset_fini(&dataset);
    int64_t *rest = (int64_t *)&whole;
    const int64_t *sums = (int64_t *)&part;
    for (int k = PARTS - 1; k >= 0; k--) {
        add_rows(&dataset, variant, rows, k * COUNT / PARTS, (k + 1) * COUNT / PARTS);
        pass_gradient(&dataset, DATASET_TRAIN, &table, &logistic, &part);
        dataset_fini(&dataset);
        for (size_t i = 0; i < sizeof whole / sizeof *rest; i++) {
            rest[i] -= sums[i];
        }
    }
    for (size_t i = 0; i < sizeof whole / sizeof *rest; i++) {
        assert_int_equal(rest[i], 0);
    }
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_by_hand),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(patterns),
        cmocka_unit_test(order_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
