/* The fit against known truth, and against data that allow none. */
#include "tuner/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"

#include "fit_support.h"
#include "support.h"
#include "tests/unit/close.h"

static const struct fit_settings SETTINGS = {.prior = 0.5, .tolerance = 1e-7, .passes_max = 200};

static bool run_fit(const struct variant *variant, const struct shard_row *rows, int count,
                    const struct fit_settings *settings, struct fit_result *result, struct err *err)
{
    struct dataset dataset;
    struct weights start;
    bool interrupted;
    weights_builtin(variant->rules, &start);
    add_rows(&dataset, variant, rows, 0, count);
    bool ok = fit_run(&dataset, &start, settings, &ALONE, NULL, NULL, result, &interrupted, err);
    assert_false(interrupted);
    dataset_fini(&dataset);
    return ok;
}

/* How many of a fit's weights of features lie within 1.96 of their standard errors of the truth,
 * which has K = 1 and is drawn from the prior itself. */
static int covered(const struct variant *variant, const double *truth,
                   const struct fit_result *result)
{
    double theta[THETA_MAX];
    int features = feature_count(variant->rules), count = 0;
    theta_of(&result->weights, features, theta);
    for (int i = 0; i < 2 * features; i++) {
        const double *error =
            i % 2 == 0 ? result->quality.opening_error : result->quality.ending_error;
        count += fabs(theta[i] * result->scale - truth[i]) < 1.96 * error[i / 2] * result->scale;
    }
    return count;
}

static void known_truth(void **state)
{
    (void)state;
    enum { COUNT = 20000, SPREAD = 15 };
    int weights = 0, within = 0;
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
        weights += 2 * feature_count(variant->rules);
        within += covered(variant, truth, &result);
        free(rows);
    }
    printf("%d of %d weights within 1.96 standard errors\n", within, weights);
    assert_close((double)within / weights, 0.95, 0.03);
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
    add_rows(&dataset, variant, rows, 0, COUNT);
    prepare(&objective, &dataset);
    assert_true(objective_scale(&objective, theta, &scale, &err));
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

/* How a position's score, from White's view, goes with the difference in men at equal kings: least
 * squares over the training rows, by the evaluation that plays. */
static double worth_of_a_man(const struct variant *variant, const struct shard_row *rows, int count,
                             const struct weights *weights)
{
    double men_men = 0, men_kings = 0, kings_kings = 0, men_score = 0, kings_score = 0;
    for (int k = 0; k < count; k++) {
        const struct shard_info info = {.seed = 1};
        const struct position *position = &rows[k].position;
        if (dataset_holds_out(variant, &info, k, 10)) {
            continue;
        }
        double score = variant->evaluate(position, weights);
        double men = bit_count(position->men[WHITE]) - bit_count(position->men[BLACK]);
        double kings = bit_count(position->kings[WHITE]) - bit_count(position->kings[BLACK]);
        score = position->turn == WHITE ? score : -score;
        men_men += men * men;
        men_kings += men * kings;
        kings_kings += kings * kings;
        men_score += men * score;
        kings_score += kings * score;
    }
    return (men_score * kings_kings - kings_score * men_kings) /
           (men_men * kings_kings - men_kings * men_kings);
}

/* Without patterns and with either set of them, which share what a man is worth with the features.
 */
static void man_is_worth_100(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static struct fit_result result;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        double truth[THETA_MAX], scale[PATTERN_SETS + 1];
        struct err err = {0};
        perturbed(variant, 20, truth);
        struct shard_row *rows = draw_rows(variant, COUNT, truth, 1);
        for (int set = 0; set <= PATTERN_SETS; set++) {
            struct fit_settings settings = SETTINGS;
            settings.windows = set > 0 ? variant->pattern_sets[set - 1] : NULL;
            settings.pattern_prior = 0.1;
            assert_true(run_fit(variant, rows, COUNT, &settings, &result, &err));
            /* the evaluation cuts what is behind the point */
            assert_close(worth_of_a_man(variant, rows, COUNT, &result.weights), 100, 1);
            assert_close(result.scale * 100 / result.man, result.scale_before, 1e-9);
            scale[set] = result.scale;
            weights_fini(&result.weights);
        }
        for (int set = 1; set <= PATTERN_SETS; set++) {
            assert_close(scale[set], scale[0], 0.1 * scale[0]);
        }
        free(rows);
    }
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
        int seen = variant->evaluate(&rows[k].position,
                                     &(struct weights){.opening = {100}, .ending = {100}});
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

/* A fit from these weights is refused, with the reason. */
static void refuse_start(const struct weights *start, double scale, double prior, const char *part)
{
    enum { COUNT = 5000 };
    const struct variant *variant = &variant_classic;
    struct fit_settings settings = SETTINGS;
    static struct fit_result result;
    double theta[THETA_MAX];
    struct dataset dataset;
    bool interrupted;
    struct err err = {0};
    theta_of(start, feature_count(variant->rules), theta);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, scale);
    add_rows(&dataset, variant, rows, 0, COUNT);
    settings.prior = prior;
    assert_false(
        fit_run(&dataset, start, &settings, &ALONE, NULL, NULL, &result, &interrupted, &err));
    assert_false(interrupted);
    if (!strstr(err.text, part)) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
    }
    dataset_fini(&dataset);
    free(rows);
}

static void no_fit_from_there(void **state)
{
    (void)state;
    const struct rules *rules = variant_classic.rules;
    int man = feature_first(rules, FEATURE_MAN), king = feature_first(rules, FEATURE_KING);
    int far = feature_first(rules, FEATURE_MAN_SQUARE); /* where no man can stand */
    struct weights start = {0};
    /* a man is to be worth 100, which makes 64 000 of the far square */
    start.opening[man] = start.ending[man] = 50;
    start.opening[far] = start.ending[far] = 32000;
    refuse_start(&start, 0.01, 1e-5, "the weight of man_square.1 came out as");
    /* nothing tells a man from the mean of the men on all squares */
    weights_builtin(rules, &start);
    refuse_start(&start, 1, 1e12, "singular");
    /* a king's weight times K is beyond what the sums can hold */
    start.opening[man] = start.ending[man] = 1;
    start.opening[king] = start.ending[king] = 0;
    start.opening[feature_first(rules, FEATURE_BACK_ROW)] = 1;
    start.ending[king] = INT16_MAX;
    refuse_start(&start, 13, 1, "out of range");
}

static bool stop_after(void *context)
{
    int *left = context;
    return (*left)-- <= 0;
}

/* What a fit under way needs. */
struct journey {
    struct dataset dataset;
    struct weights start;
    struct fit_settings settings;
    struct checkpoint checkpoint;
    char path[64];
};

static void set_out(struct journey *journey, const struct variant *variant)
{
    enum { COUNT = 1000 };
    double theta[THETA_MAX];
    perturbed(variant, 10, theta);
    weights_builtin(variant->rules, &journey->start);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 1);
    add_rows(&journey->dataset, variant, rows, 0, COUNT);
    free(rows);
    journey->settings = SETTINGS;
    journey->settings.windows = variant->pattern_sets[0];
    journey->settings.pattern_prior = 1;
    journey->settings.pattern_rare = 10;
    snprintf(journey->path, sizeof journey->path, "test_fit.%d.state", (int)getpid());
    journey->checkpoint = (struct checkpoint){.path = journey->path};
}

static bool go(struct journey *journey, struct team *team, struct fit_result *result,
               bool *interrupted)
{
    struct err err = {0};
    bool ok = fit_run(&journey->dataset, &journey->start, &journey->settings, team, NULL,
                      &journey->checkpoint, result, interrupted, &err);
    if (!ok && !*interrupted) {
        fail_msg("%s", err.text);
    }
    return ok;
}

static void assert_same_result(const struct fit_result *a, const struct fit_result *b)
{
    assert_memory_equal(a->weights.opening, b->weights.opening, sizeof a->weights.opening);
    assert_memory_equal(a->weights.ending, b->weights.ending, sizeof a->weights.ending);
    assert_memory_equal(a->weights.patterns->weight, b->weights.patterns->weight,
                        (size_t)a->weights.patterns->count * sizeof(struct pattern_weight));
    assert_memory_equal(a->curve, b->curve, sizeof a->curve);
    assert_memory_equal(a->loss_after, b->loss_after, sizeof a->loss_after);
    assert_memory_equal(&a->scale, &b->scale, sizeof a->scale);
    assert_int_equal(a->points, b->points);
    assert_int_equal(a->passes, b->passes);
    assert_int_equal(a->stop, b->stop);
}

/* Asked to stop at any moment, the fit ends and says so; gone on with, it comes to the same bits.
 */
static void interruption(void **state)
{
    (void)state;
    static struct fit_result straight, stopped, resumed;
    struct journey journey;
    struct team alone = ALONE;
    bool interrupted;
    int ends = 0, late = 0;
    set_out(&journey, &variant_classic);
    assert_true(go(&journey, &alone, &straight, &interrupted));
    for (int calls = 0; ends < 1 && calls < 200; calls++) {
        int left = calls;
        struct team team = {.context = &left, .stopping = stop_after};
        bool ok = go(&journey, &team, &stopped, &interrupted);
        assert_true(ok != interrupted);
        assert_true(calls > 0 || stopped.passes <= 1);
        ends += ok;
        if (!ok) {
            assert_true(go(&journey, &alone, &resumed, &interrupted));
            late += resumed.resumed > 1;
            assert_same_result(&resumed, &straight);
            weights_fini(&resumed.weights);
        } else {
            weights_fini(&stopped.weights);
        }
        remove(journey.path);
    }
    assert_int_equal(ends, 1);
    assert_true(late > 5);
    weights_fini(&straight.weights);
    dataset_fini(&journey.dataset);
}

/* A checkpoint that is damaged, cut short or of other settings is not gone on from. */
static void spoilt_checkpoints(void **state)
{
    (void)state;
    static struct fit_result straight, after;
    struct journey journey;
    struct team alone = ALONE;
    bool interrupted;
    char *bytes;
    size_t size;
    set_out(&journey, &variant_flying);
    assert_true(go(&journey, &alone, &straight, &interrupted));
    int left = 15;
    struct team team = {.context = &left, .stopping = stop_after};
    assert_false(go(&journey, &team, &after, &interrupted));
    bytes = file_read(journey.path, 1 << 28, &size, NULL);
    assert_non_null(bytes);
    for (size_t k = 0; k < 6; k++) {
        size_t at = k * (size - 1) / 5, length = k == 3 ? size - 1 : size;
        bytes[at] ^= 16;
        assert_true(file_replace(journey.path, bytes, length, NULL));
        bytes[at] ^= 16;
        assert_true(go(&journey, &alone, &after, &interrupted));
        assert_int_equal(after.resumed, 0);
        assert_same_result(&after, &straight);
        weights_fini(&after.weights);
    }
    assert_true(file_replace(journey.path, bytes, size, NULL));
    journey.settings.pattern_rare = 11;
    assert_true(go(&journey, &alone, &after, &interrupted));
    assert_int_equal(after.resumed, 0);
    weights_fini(&after.weights);
    journey.settings.pattern_rare = 10;
    assert_true(go(&journey, &alone, &after, &interrupted));
    assert_true(after.resumed > 1);
    assert_same_result(&after, &straight);
    weights_fini(&after.weights);
    weights_fini(&straight.weights);
    free(bytes);
    remove(journey.path);
    dataset_fini(&journey.dataset);
}

/* Where it cannot be written, the fit ends and says so. */
static void checkpoint_without_room(void **state)
{
    (void)state;
    static struct fit_result result;
    struct journey journey;
    bool interrupted;
    int left = 15;
    struct err err = {0};
    struct team team = {.context = &left, .stopping = stop_after};
    set_out(&journey, &variant_flying);
    journey.checkpoint.path = "/no-such-directory/fit.state";
    assert_false(fit_run(&journey.dataset, &journey.start, &journey.settings, &team, NULL,
                         &journey.checkpoint, &result, &interrupted, &err));
    assert_false(interrupted);
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "/no-such-directory/fit.state"));
    dataset_fini(&journey.dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_scale),
        cmocka_unit_test(known_truth),
        cmocka_unit_test(scale_is_stationary),
        cmocka_unit_test(man_is_worth_100),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_fit_from_there),
        cmocka_unit_test(interruption),
        cmocka_unit_test(spoilt_checkpoints),
        cmocka_unit_test(checkpoint_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
