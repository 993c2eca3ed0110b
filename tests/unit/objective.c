/* The objective against calculus and against any partition of the data. */
#include "tuner/objective.h"

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
    dataset_init(&dataset, variant);
    add_rows(&dataset, rows, 0, 500);
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
        dataset_init(&dataset, variant);
        add_rows(&dataset, rows, 0, 3000);
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
    dataset_init(&dataset, variant);
    add_rows(&dataset, rows, 0, COUNT);
    pass_gradient(&dataset, DATASET_TRAIN, &table, &logistic, &whole);
    assert_true(whole.loss > 0);
    assert_int_equal(whole.loss, pass_loss(&dataset, DATASET_TRAIN, &table, &logistic));
    dataset_fini(&dataset);
    int64_t *rest = (int64_t *)&whole;
    const int64_t *sums = (int64_t *)&part;
    for (int k = PARTS - 1; k >= 0; k--) {
        dataset_init(&dataset, variant);
        add_rows(&dataset, rows, k * COUNT / PARTS, (k + 1) * COUNT / PARTS);
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
        cmocka_unit_test(order_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
