/* Data drawn from known weights, patterns among them, give the weights back: 95 in 100 lie within
 * 1.96 standard errors of the truth, which the second derivatives at the fit and the priors give.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/rng.h"
#include "fit_support.h"
#include "selfplay/strength/cholesky.h"
#include "support.h"
#include "tests/unit/close.h"
#include "tuner/fit/fit.h"

enum { COUNT = 20000, SPREAD = 15 };

/* Positions in which a pattern must occur to be fitted, by set of windows: few patterns, so that
 * all second derivatives can be had. */
static const int LEAST[PATTERN_SETS] = {400, 100};

/* The truth has K = 1 and is itself drawn from the priors. */
static const struct fit_settings SETTINGS = {
    .prior = SPREAD / 100.0, .pattern_prior = SPREAD / 100.0, .tolerance = 1e-9, .passes_max = 200};

struct experiment {
    const struct variant *variant;
    const struct pattern_set *windows;
    int least;
    struct shard_row *rows;
    double *truth; /* [dimensions], as objective.h lays them out */
    struct dataset dataset;
    struct objective objective; /* with the patterns that occur often enough */
};

/* About normal, mean 0, standard deviation 1. */
static double gauss(uint64_t number)
{
    struct rng rng = rng_make(19, RNG_TEST, number);
    double sum = -6;
    for (uint64_t k = 0; k < 12; k++) {
        sum += (double)rng_draw(&rng, k) * 0x1p-64;
    }
    return sum;
}

/* The place of a pattern among those that are fitted; -1: it is not. */
static int place_of(const struct objective *objective, uint32_t index)
{
    int low = 0, high = objective->patterns;
    while (low < high) {
        int middle = (low + high) / 2;
        if (objective->pattern[middle] < (int32_t)index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < objective->patterns && objective->pattern[low] == (int32_t)index ? low : -1;
}

/* What the patterns add to a position's log odds. */
static double pattern_logit(const struct experiment *experiment, const struct position *position)
{
    int windows = pattern_windows(experiment->variant->rules, experiment->windows);
    int full = 2 * experiment->variant->rules->men_each;
    int phase = bit_count(pieces_all(position));
    uint32_t index[PATTERN_ACTIVE_MAX];
    double score = 0;
    experiment->windows->indices(position->men, index);
    for (int n = 0; n < 2 * windows; n++) {
        int k = place_of(&experiment->objective, index[n]);
        const double *weight = experiment->truth + 2 * (experiment->objective.features + k);
        if (k >= 0) {
            score +=
                (n < windows ? 1 : -1) * (weight[0] * phase + weight[1] * (full - phase)) / full;
        }
    }
    return score / 100;
}

/* Draws the truth, and the results from it. */
static void set_up(struct experiment *experiment, const struct variant *variant, int set)
{
    double dense[THETA_MAX];
    struct err err = {0};
    struct rng rng = rng_make(23, RNG_TEST, 5);
    struct objective *objective = &experiment->objective;
    perturbed(variant, SPREAD, dense);
    experiment->variant = variant;
    experiment->windows = variant->pattern_sets[set];
    experiment->least = LEAST[set];
    experiment->rows = draw_rows(variant, COUNT, dense, 1);
    add_rows(&experiment->dataset, variant, experiment->rows, 0, COUNT);
    prepare(objective, &experiment->dataset);
    assert_true(
        objective_add_patterns(objective, experiment->windows, dense, 1, experiment->least, &err));
    assert_in_range(objective->patterns, 20, 300);
    experiment->truth = calloc((size_t)objective->dimensions, sizeof(double));
    assert_non_null(experiment->truth);
    memcpy(experiment->truth, dense, 2 * (size_t)objective->features * sizeof(double));
    for (int i = 2 * objective->features; i < objective->dimensions; i++) {
        experiment->truth[i] = SPREAD * gauss((uint64_t)i);
    }
    for (int k = 0; k < COUNT; k++) {
        double x = logit_of(variant, &experiment->rows[k].position, dense, 1) +
                   pattern_logit(experiment, &experiment->rows[k].position);
        double uniform = (double)(rng_draw(&rng, (uint64_t)k) >> 11) * 0x1p-53;
        experiment->rows[k].result = uniform < 1 / (1 + exp(-x)) ? 1 : -1;
    }
    objective_fini(objective);
    dataset_fini(&experiment->dataset);
    add_rows(&experiment->dataset, variant, experiment->rows, 0, COUNT);
    prepare(objective, &experiment->dataset);
    assert_true(
        objective_add_patterns(objective, experiment->windows, dense, 1, experiment->least, &err));
}

static void tear_down(struct experiment *experiment)
{
    objective_fini(&experiment->objective);
    dataset_fini(&experiment->dataset);
    free(experiment->truth);
    free(experiment->rows);
}

/* The fitted weights in the truth's units. */
static double *fitted_weights(const struct experiment *experiment)
{
    static struct fit_result result;
    const struct objective *objective = &experiment->objective;
    struct fit_settings settings = SETTINGS;
    struct weights start;
    bool interrupted;
    struct err err = {0};
    double *theta = calloc((size_t)objective->dimensions, sizeof *theta);
    assert_non_null(theta);
    settings.windows = experiment->windows;
    settings.pattern_least = experiment->least;
    weights_builtin(experiment->variant->rules, &start);
    if (!fit_run(&experiment->dataset, &start, &settings, &ALONE, NULL, NULL, &result, &interrupted,
                 &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(result.stop, LBFGS_CONVERGED);
    assert_int_equal(result.patterns, objective->patterns);
    theta_of(&result.weights, objective->features, theta);
    for (int k = 0; k < objective->patterns; k++) {
        struct pattern_weight weight = result.weights.patterns->weight[objective->pattern[k]];
        theta[2 * (objective->features + k)] = weight.opening;
        theta[2 * (objective->features + k) + 1] = weight.ending;
    }
    for (int i = 0; i < objective->dimensions; i++) {
        theta[i] *= result.scale;
    }
    weights_fini(&result.weights);
    return theta;
}

/* Cholesky factor of the second derivatives of all positions' loss, by differences of the gradient,
 * with the priors. */
static double *information(struct experiment *experiment, double *theta)
{
    struct objective *objective = &experiment->objective;
    size_t n = (size_t)objective->dimensions;
    double *matrix = calloc(n * n, sizeof *matrix), *high = calloc(n, sizeof *high);
    double *low = calloc(n, sizeof *low), loss;
    double positions = (double)objective->totals.positions[DATASET_TRAIN];
    const double step = 2;
    assert_true(matrix && high && low);
    for (size_t i = 0; i < n; i++) {
        double at = theta[i];
        theta[i] = at + step;
        assert_true(objective_gradient(objective, theta, 1, &loss, high));
        theta[i] = at - step;
        assert_true(objective_gradient(objective, theta, 1, &loss, low));
        theta[i] = at;
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = positions * (high[j] - low[j]) / (2 * step);
        }
        matrix[i * n + i] += 1.0 / (SPREAD * SPREAD);
    }
    free(high);
    free(low);
    assert_true(cholesky_factor((int)n, matrix));
    return matrix;
}

/* How many of the weights [first, last) lie within 1.96 standard errors of the truth. */
static int covered(const struct experiment *experiment, const double *theta, const double *factor,
                   int first, int last)
{
    int n = experiment->objective.dimensions, count = 0;
    double *unit = calloc((size_t)n, sizeof *unit);
    assert_non_null(unit);
    for (int i = first; i < last; i++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[i] = 1;
        double error = sqrt(cholesky_inverse_form(n, factor, unit));
        count += fabs(theta[i] - experiment->truth[i]) < 1.96 * error;
    }
    free(unit);
    return count;
}

static void truth_comes_back(void **state)
{
    (void)state;
    int features = 0, patterns = 0, features_covered = 0, patterns_covered = 0;
    for (int set = 0; set < PATTERN_SETS; set++) {
        struct experiment experiment;
        set_up(&experiment, &variant_classic, set);
        int dense = 2 * experiment.objective.features, n = experiment.objective.dimensions;
        double *theta = fitted_weights(&experiment);
        double *factor = information(&experiment, theta);
        features += dense;
        patterns += n - dense;
        features_covered += covered(&experiment, theta, factor, 0, dense);
        patterns_covered += covered(&experiment, theta, factor, dense, n);
        free(theta);
        free(factor);
        tear_down(&experiment);
    }
    printf("features %d of %d, patterns %d of %d within 1.96 standard errors\n", features_covered,
           features, patterns_covered, patterns);
    assert_close((double)features_covered / features, 0.95, 0.03);
    assert_close((double)patterns_covered / patterns, 0.95, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(truth_comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
