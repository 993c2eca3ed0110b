/* The fit against calculus, against known truth, and against data that allow none. */
#include "tuner/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/rng.h"
#include "support.h"
#include "tests/unit/close.h"
#include "tuner/scale.h"

enum { THETA_MAX = 2 * FEATURES_MAX };

static const struct objective_team ALONE = {0};

static const struct fit_settings SETTINGS = {.prior = 0.5, .tolerance = 1e-7, .passes_max = 200};

static void theta_of(const struct weights *weights, int features, double *theta)
{
    for (int i = 0; i < features; i++) {
        theta[2 * i] = weights->opening[i];
        theta[2 * i + 1] = weights->ending[i];
    }
}

/* Log odds of a win for White by hand: the definitions of feature.h and fit.h. */
static double logit_of(const struct variant *variant, const struct position *position,
                       const double *theta, double scale)
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

/* `count` random quiet positions, each a game of its own, won by White with the probability that
 * theta and scale give, else by Black. The caller frees the rows. */
static struct shard_row *draw_rows(const struct variant *variant, int count, const double *theta,
                                   double scale)
{
    struct shard_row *rows = calloc((size_t)count, sizeof *rows);
    struct rng rng = rng_make(5, RNG_TEST, 1);
    struct position position = position_start(variant->rules);
    assert_non_null(rows);
    for (uint64_t k = 0, step = 0; k < (uint64_t)count; step++) {
        wander(variant, &rng, step, &position);
        if (position_is_quiet(variant, &position)) {
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

static void add(struct dataset *dataset, const struct shard_row *rows, int first, int last)
{
    const struct shard_info info = {.seed = 1};
    struct weights weights = {{0}, {0}};
    struct err err = {0};
    struct dataset_filter filter = {.holdout = 10, .sampling = 65536};
    struct dataset_source source = {.info = &info, .weights = &weights};
    if (!dataset_add(dataset, &filter, &source, rows, (size_t)first, (size_t)last, &err)) {
        fail_msg("%s", err.text);
    }
}

static void prepare(struct objective *objective, const struct dataset *dataset)
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

/* The built-in weights with each one moved by a normal deviate of `spread`. */
static void perturbed(const struct variant *variant, double spread, double *theta)
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
    add(&dataset, rows, 0, 500);
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
        add(&dataset, rows, 0, 3000);
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
    add(&dataset, rows, 0, COUNT);
    pass_gradient(&dataset, DATASET_TRAIN, &table, &logistic, &whole);
    assert_true(whole.loss > 0);
    assert_int_equal(whole.loss, pass_loss(&dataset, DATASET_TRAIN, &table, &logistic));
    dataset_fini(&dataset);
    int64_t *rest = (int64_t *)&whole;
    const int64_t *sums = (int64_t *)&part;
    for (int k = PARTS - 1; k >= 0; k--) {
        dataset_init(&dataset, variant);
        add(&dataset, rows, k * COUNT / PARTS, (k + 1) * COUNT / PARTS);
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

static bool run_fit(const struct variant *variant, const struct shard_row *rows, int count,
                    const struct fit_settings *settings, struct fit_result *result, struct err *err)
{
    struct dataset dataset;
    struct weights start;
    bool interrupted;
    weights_builtin(variant->rules, &start);
    dataset_init(&dataset, variant);
    add(&dataset, rows, 0, count);
    bool ok = fit_run(&dataset, &start, settings, &ALONE, NULL, result, &interrupted, err);
    assert_false(interrupted);
    dataset_fini(&dataset);
    return ok;
}

/* Deviations from the truth in units of their standard errors, by the curvature at the fit and
 * the prior: their squares must average about one. The truth is drawn from the prior itself. */
static double mean_square_deviation(const struct variant *variant, const struct shard_row *rows,
                                    int count, const double *truth, double spread,
                                    const struct fit_result *result)
{
    static double matrix[THETA_MAX * THETA_MAX];
    double theta[THETA_MAX], form = 0;
    struct dataset dataset;
    struct objective objective;
    struct err err = {0};
    dataset_init(&dataset, variant);
    add(&dataset, rows, 0, count);
    prepare(&objective, &dataset);
    int n = objective.dimensions;
    theta_of(&result->weights, n / 2, theta);
    for (int i = 0; i < n; i++) {
        theta[i] *= result->scale; /* to the truth's units, in which K is 1 */
    }
    assert_true(objective_curvature(&objective, theta, 1, matrix, &err));
    double positions = (double)objective.totals.positions[DATASET_TRAIN];
    for (int i = 0; i < n; i++) {
        matrix[i * n + i] += 1 / (positions * spread * spread);
        for (int j = 0; j < n; j++) {
            form += positions * (theta[i] - truth[i]) * (theta[j] - truth[j]) * matrix[i * n + j];
        }
    }
    objective_fini(&objective);
    dataset_fini(&dataset);
    return form / n;
}

static void known_truth(void **state)
{
    (void)state;
    enum { COUNT = 20000, SPREAD = 15 };
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        double truth[THETA_MAX];
        struct fit_settings settings = SETTINGS;
        static struct fit_result result;
        struct err err = {0};
        perturbed(variant, SPREAD, truth);
        struct shard_row *rows = draw_rows(variant, COUNT, truth, 1);
        settings.prior = SPREAD / 100.0; /* the truth has K = 1 */
        if (!run_fit(variant, rows, COUNT, &settings, &result, &err)) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(result.stop, LBFGS_CONVERGED);
        assert_true(result.passes < 40);
        assert_true(result.loss_after[DATASET_TRAIN] < result.loss_before[DATASET_TRAIN]);
        /* 2 000 held-out positions measure a difference to about 0.002 */
        assert_true(result.loss_after[DATASET_HELD_OUT] <
                    result.loss_before[DATASET_HELD_OUT] + 0.002);
        assert_close(mean_square_deviation(variant, rows, COUNT, truth, SPREAD, &result), 1, 0.3);
        free(rows);
    }
}

/* K comes back within three standard errors when the starting weights are the truth; a tight prior
 * then leaves them where they are. */
static void known_scale(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    const struct variant *variant = &variant_classic;
    struct fit_settings settings = SETTINGS;
    static struct fit_result result;
    struct weights start;
    double theta[THETA_MAX];
    struct err err = {0};
    weights_builtin(variant->rules, &start);
    theta_of(&start, feature_count(variant->rules), theta);
    settings.prior = 1e-5;
    for (double scale = 0.05; scale < 2; scale *= 6) {
        struct shard_row *rows = draw_rows(variant, COUNT, theta, scale);
        if (!run_fit(variant, rows, COUNT, &settings, &result, &err)) {
            fail_msg("%s", err.text);
        }
        assert_close(result.scale_before, scale, 0.1 * scale);
        assert_memory_equal(&result.weights, &start, sizeof start);
        assert_close(result.man, 100, 0.1);
        assert_close(result.scale, result.scale_before, 1e-3 * scale);
        assert_true(result.scale_passes <= 20);
        free(rows);
    }
}

/* Draws count as half a win each: with K fitted, the slope of the loss by K vanishes. */
static void scale_is_stationary(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    const struct variant *variant = &variant_international;
    double theta[THETA_MAX], scale, loss[3];
    struct dataset dataset;
    struct objective objective;
    struct err err = {0};
    perturbed(variant, 0, theta);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 0.7);
    for (int k = 0; k < COUNT; k += 3) {
        rows[k].result = 0;
    }
    dataset_init(&dataset, variant);
    add(&dataset, rows, 0, COUNT);
    prepare(&objective, &dataset);
    assert_true(fit_scale(&objective, theta, &scale, &err));
    for (int k = 0; k < 3; k++) {
        double near = scale * (1 + 0.02 * (k - 1));
        assert_true(objective_loss(&objective, DATASET_TRAIN, theta, near, &loss[k]));
    }
    assert_true(loss[1] < loss[0] && loss[1] < loss[2]);
    assert_close(loss[0], loss[2], 0.1 * (loss[0] - loss[1]));
    objective_fini(&objective);
    dataset_fini(&dataset);
    free(rows);
}

/* The mean worth of a man after the fit, from the rows themselves. */
static void man_is_worth_100(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    const struct variant *variant = &variant_flying;
    const struct rules *rules = variant->rules;
    int full = 2 * rules->men_each;
    struct fit_settings settings = SETTINGS;
    static struct fit_result result;
    double truth[THETA_MAX], fitted[THETA_MAX], sum = 0, men = 0;
    struct err err = {0};
    perturbed(variant, 20, truth);
    struct shard_row *data = draw_rows(variant, COUNT, truth, 1);
    assert_true(run_fit(variant, data, COUNT, &settings, &result, &err));
    theta_of(&result.weights, feature_count(rules), fitted);
    struct feature_range man = feature_range(rules, FEATURE_MAN),
                         square = feature_range(rules, FEATURE_MAN_SQUARE),
                         centre = feature_range(rules, FEATURE_CENTRE),
                         back = feature_range(rules, FEATURE_BACK_ROW);
    for (int k = 0; k < COUNT; k++) {
        const struct shard_info info = {.seed = 1};
        struct position view[2] = {data[k].position, position_mirror(rules, &data[k].position)};
        int phase = bit_count(pieces_all(&data[k].position));
        for (int side = 0; side < 2 && !dataset_holds_out(variant, &info, k, 10); side++) {
            bitboard left = view[side].men[WHITE];
            men += bit_count(left);
            while (left) {
                int at = bit_to_square(rules, bit_pop(&left));
                int row = square_row(rules, at), column = square_column(rules, at);
                int half = rules->rows / 2;
                bool middle =
                    row >= half - 2 && row < half + 2 && column >= half - 2 && column < half + 2;
                for (int end = 0; end < 2; end++) {
                    double worth = fitted[2 * man.first + end] +
                                   fitted[2 * (square.first + at - 1) + end] +
                                   (middle ? fitted[2 * centre.first + end] : 0) +
                                   (row == rules->rows - 1 ? fitted[2 * back.first + end] : 0);
                    sum += worth * (end == 0 ? phase : full - phase) / full;
                }
            }
        }
    }
    assert_close(sum / men, 100, 0.5); /* rounding to whole hundredths */
    assert_close(result.scale * 100 / result.man, result.scale_before, 1e-9);
    free(data);
}

/* Data that allow no fit are refused, and the reason is told. */
static void expect_refusal(struct shard_row *rows, int count, const char *part)
{
    struct fit_settings settings = SETTINGS;
    static struct fit_result result;
    struct err err = {0};
    assert_false(run_fit(&variant_classic, rows, count, &settings, &result, &err));
    assert_int_equal(err.code, ERR_USAGE);
    if (!strstr(err.text, part)) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
    }
}

static void refusals(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    const struct variant *variant = &variant_classic;
    double theta[THETA_MAX];
    perturbed(variant, 0, theta);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 1);
    expect_refusal(rows, 0, "no position to fit to: of 0 rows");
    expect_refusal(rows, 1, "no position is held out");
    for (int k = 0; k < COUNT; k++) {
        rows[k].result = (int8_t)-rows[k].result;
    }
    expect_refusal(rows, COUNT, "do not predict the results");
    for (int k = 0; k < COUNT; k++) {
        int seen = variant->evaluate(&rows[k].position, &(struct weights){{100}, {100}});
        seen = rows[k].position.turn == WHITE ? seen : -seen;
        rows[k].result = (int8_t)((seen > 0) - (seen < 0));
        rows[k].position.kings[WHITE] = rows[k].position.kings[BLACK] = 0;
    }
    expect_refusal(rows, COUNT, "predict every result");
    for (int result = -1; result <= 1; result++) {
        static const char *const text[] = {"won by Black", "drawn", "won by White"};
        for (int k = 0; k < COUNT; k++) {
            rows[k].result = (int8_t)result;
        }
        expect_refusal(rows, COUNT, text[result + 1]);
    }
    free(rows);
}

static bool stop_after(void *context)
{
    int *left = context;
    return (*left)-- <= 0;
}

/* Asked to stop at any moment, the fit ends and says so. */
static void interruption(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    const struct variant *variant = &variant_classic;
    struct fit_settings settings = SETTINGS;
    static struct fit_result result;
    double theta[THETA_MAX];
    struct dataset dataset;
    struct weights start;
    perturbed(variant, 10, theta);
    weights_builtin(variant->rules, &start);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 1);
    dataset_init(&dataset, variant);
    add(&dataset, rows, 0, COUNT);
    int ends = 0;
    for (int calls = 0; ends < 1 && calls < 200; calls++) {
        int left = calls;
        bool interrupted;
        struct err err = {0};
        struct objective_team team = {.context = &left, .stopping = stop_after};
        bool ok = fit_run(&dataset, &start, &settings, &team, NULL, &result, &interrupted, &err);
        assert_true(ok != interrupted);
        assert_true(calls > 0 || result.passes == 1);
        ends += ok;
    }
    assert_int_equal(ends, 1);
    dataset_fini(&dataset);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_by_hand),        cmocka_unit_test(derivatives),
        cmocka_unit_test(order_independent),   cmocka_unit_test(known_scale),
        cmocka_unit_test(scale_is_stationary), cmocka_unit_test(known_truth),
        cmocka_unit_test(man_is_worth_100),    cmocka_unit_test(refusals),
        cmocka_unit_test(interruption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
