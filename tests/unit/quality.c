/* What is said of a fit's quality, against a count by hand and against data of known truth. */
#include "tuner/fit/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/rng.h"
#include "fit_support.h"
#include "support.h"
#include "tests/unit/close.h"
#include "tuner/fit/penalised.h"

enum { GAMES = 3000, PLIES = 10 };

static const struct fit_settings SETTINGS = {.prior = 0.5};

/* Games that stay at one position, so that all their predictions are that of the truth and all
 * their results the same. */
struct experiment {
    const struct variant *variant;
    double truth[THETA_MAX];
    struct shard_row *rows; /* [GAMES], one of each game; owned */
    struct dataset dataset;
    struct penalised penalised;
    struct quality quality;
};

static bool held_out(const struct experiment *experiment, int game)
{
    const struct shard_info info = {.seed = 1};
    return dataset_holds_out(experiment->variant, &info, game, 90);
}

static double predicted(const struct experiment *experiment, int game)
{
    double x =
        logit_of(experiment->variant, &experiment->rows[game].position, experiment->truth, 1);
    return 1 / (1 + exp(-x));
}

static void measure(struct experiment *experiment, const struct variant *variant)
{
    const struct shard_info info = {.seed = 1};
    struct weights weights = {0};
    struct err err = {0};
    const struct dataset_filter filter = {.holdout = 90, .sampling = 65536};
    const struct dataset_source source = {.info = &info, .weights = &weights};
    experiment->variant = variant;
    perturbed(variant, 15, experiment->truth);
    experiment->rows = draw_rows(variant, GAMES, experiment->truth, 1);
    dataset_init(&experiment->dataset, variant, &filter);
    for (int game = 0; game < GAMES; game++) {
        for (int ply = 0; ply < PLIES; ply++) {
            experiment->rows[game].ply = (uint16_t)ply;
            assert_true(
                dataset_add(&experiment->dataset, &source, &experiment->rows[game], 1, &err));
        }
    }
    assert_true(dataset_finish(&experiment->dataset, &ALONE, &err));
    assert_true(
        penalised_init(&experiment->penalised, &experiment->dataset, &SETTINGS, &ALONE, &err));
    if (!quality_measure(&experiment->penalised, experiment->truth, 1, &experiment->quality,
                         &err)) {
        fail_msg("%s", err.text);
    }
}

static void tear_down(struct experiment *experiment)
{
    penalised_fini(&experiment->penalised);
    dataset_fini(&experiment->dataset);
    free(experiment->rows);
}

/* The cells that a game's positions belong to. */
static void cells_of(const struct experiment *experiment, int game, int cell[3])
{
    const struct position *position = &experiment->rows[game].position;
    const struct rules *rules = experiment->variant->rules;
    int pieces = bit_count(pieces_all(position)), band = 0;
    int balance =
        bit_count(position->men[WHITE]) - bit_count(position->men[BLACK]) +
        QUALITY_KING * (bit_count(position->kings[WHITE]) - bit_count(position->kings[BLACK]));
    while (quality_band_first(rules, band + 1) <= pieces) {
        band++;
    }
    balance = balance < -4 ? -4 : balance > 4 ? 4 : balance;
    cell[0] = band;
    cell[1] = QUALITY_FIRST_MATERIAL + 4 + balance;
    cell[2] = QUALITY_FIRST_PREDICTED + (int)(predicted(experiment, game) * QUALITY_PREDICTED);
}

static void check_cells(const struct experiment *experiment)
{
    struct quality_cell sum[QUALITY_CELLS] = {0};
    for (int game = 0; game < GAMES; game++) {
        int cell[3];
        double p = predicted(experiment, game);
        bool white = experiment->rows[game].result > 0;
        cells_of(experiment, game, cell);
        for (int k = 0; held_out(experiment, game) && k < 3; k++) {
            struct quality_cell *of = &sum[cell[k]];
            of->positions += PLIES;
            of->predicted += PLIES * p;
            of->scored += white ? PLIES : 0;
            of->favoured += white == (p > 0.5) ? PLIES : 0;
            of->loss -= PLIES * log(white ? p : 1 - p);
        }
    }
    for (int k = 0; k < QUALITY_CELLS; k++) {
        const struct quality_cell *cell = &experiment->quality.cell[k];
        double positions = (double)sum[k].positions;
        assert_int_equal(cell->positions, sum[k].positions);
        assert_int_equal(cell->decided, sum[k].positions);
        assert_close(cell->predicted * positions, sum[k].predicted, 1e-6 * positions);
        assert_close(cell->scored * positions, sum[k].scored, 1e-6 * positions);
        assert_close(cell->favoured * positions, sum[k].favoured, 1e-6);
        assert_close(cell->loss * positions, sum[k].loss, 1e-6 * positions);
    }
}

/* Results drawn from the predictions differ from them by as much as the errors say, although each
 * game counts ten times. */
static double mean_square_deviation(const struct experiment *experiment, int *cells)
{
    double sum = 0;
    for (int k = 0; k < QUALITY_CELLS; k++) {
        const struct quality_cell *cell = &experiment->quality.cell[k];
        if (cell->positions > 50 * PLIES) {
            double deviation = (cell->scored - cell->predicted) / cell->error;
            sum += deviation * deviation;
            ++*cells;
        }
    }
    return sum;
}

/* No position held out is worse than the first of the list, and the list descends. */
static void check_surprises(const struct experiment *experiment)
{
    const struct quality *quality = &experiment->quality;
    const struct surprise *first = &quality->surprise[0];
    double most = 0;
    int place = -1;
    for (int game = 0; game < GAMES; game++) {
        double p = predicted(experiment, game);
        double loss = -log(experiment->rows[game].result > 0 ? p : 1 - p);
        if (held_out(experiment, game) && loss > most) {
            most = loss;
            place = game;
        }
    }
    const struct shard_row *row = &experiment->rows[place];
    assert_int_equal(quality->surprises, QUALITY_SURPRISES);
    assert_close((double)first->loss * 0x1p-26, most, 1e-6);
    assert_close((double)first->predicted * 0x1p-26, predicted(experiment, place), 1e-6);
    assert_int_equal(first->result, row->result);
    assert_memory_equal(first->men, row->position.men, sizeof first->men);
    assert_memory_equal(first->kings, row->position.kings, sizeof first->kings);
    assert_int_equal(first->black_to_move, row->position.turn == BLACK);
    for (int k = 1; k < quality->surprises; k++) {
        assert_true(surprise_is_worse(&quality->surprise[k - 1], &quality->surprise[k]));
    }
}

static void counts_and_errors(void **state)
{
    (void)state;
    static struct experiment experiment;
    double sum = 0;
    int cells = 0;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        measure(&experiment, variant_at(v));
        check_cells(&experiment);
        check_surprises(&experiment);
        sum += mean_square_deviation(&experiment, &cells);
        tear_down(&experiment);
    }
    printf("%d cells, mean square deviation %.2f\n", cells, sum / cells);
    assert_true(cells > 60);
    assert_close(sum / cells, 1, 0.4);
}

/* A window at both far rows: of each of its squares there one state of three is not possible. */
static void windows_are_counted(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    const struct variant *variant = &variant_classic;
    const struct pattern_set *set = variant->pattern_sets[0];
    static struct penalised penalised;
    static struct quality quality;
    static bool seen[1 << 18];
    struct fit_settings settings = {
        .prior = 0.5, .windows = set, .pattern_prior = 0.5, .pattern_least = 3};
    double theta[THETA_MAX];
    struct dataset dataset;
    struct err err = {0};
    int windows = pattern_windows(variant->rules, set), states = pattern_states(set);
    perturbed(variant, 0, theta);
    struct shard_row *rows = draw_rows(variant, COUNT, theta, 1);
    add_rows(&dataset, variant, rows, 0, COUNT);
    assert_true(penalised_init(&penalised, &dataset, &settings, &ALONE, &err));
    memcpy(penalised.start, theta, sizeof theta);
    assert_true(penalised_prepare(&penalised, &err));
    double *whole = calloc((size_t)penalised.objective.dimensions, sizeof *whole);
    assert_non_null(whole);
    assert_true(quality_measure(&penalised, whole, 1, &quality, &err));
    for (int k = 0; k < COUNT; k++) {
        const struct shard_info info = {.seed = 1};
        uint32_t index[PATTERN_ACTIVE_MAX];
        set->indices(rows[k].position.men, index);
        for (int n = 0; n < 2 * windows && !dataset_holds_out(variant, &info, k, 10); n++) {
            seen[index[n]] = true;
        }
    }
    assert_int_equal(quality.windows, windows);
    int fitted = 0;
    for (int window = 0; window < windows; window++) {
        int count = 0;
        for (int state_of = 0; state_of < states; state_of++) {
            count += seen[window * states + state_of];
        }
        fitted += quality.window[window].fitted;
        assert_int_equal(quality.window[window].states, 6561);
        assert_int_equal(quality.window[window].seen, count);
        assert_in_range(quality.window[window].fitted, 1, count - 1);
        assert_int_equal(quality.window[window].possible, window < 3 ? 4 * 729 : 6561);
    }
    assert_int_equal(fitted, penalised.objective.patterns);
    free(whole);
    penalised_fini(&penalised);
    dataset_fini(&dataset);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_errors),
        cmocka_unit_test(windows_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
