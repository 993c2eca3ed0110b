/* Which rows are kept, in what form, and which games are held out. */
#include "tuner/fit/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tests/unit/close.h"

enum { GAMES = 300, PLIES = 12, ROWS = GAMES * PLIES, OPENING = 3, MARGIN = 50 };

struct fixture {
    const struct variant *variant;
    struct weights weights;
    struct shard_info info;
    struct shard_row rows[ROWS];
};

/* Rows of unrelated positions, PLIES to a game; every fifth score is far from the static one, every
 * seventh is missing. */
static struct fixture *make(const struct variant *variant)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->variant = variant;
    fixture->info =
        (struct shard_info){.generation = 2, .opening_plies = OPENING, .seed = 77, .rows = ROWS};
    weights_builtin(variant->rules, &fixture->weights);
    for (int k = 0; k < ROWS; k++) {
        struct shard_row *row = &fixture->rows[k];
        row->position = random_position(variant, (uint64_t)k, k % 3 == 0);
        row->game = 1000 + k / PLIES;
        row->ply = (uint16_t)(k % PLIES);
        int seen = variant->evaluate(&row->position, &fixture->weights);
        row->score = (int16_t)(k % 7 == 0 ? SCORE_NONE : seen + (k % 5 == 0 ? MARGIN + 1 : MARGIN));
        row->result = (int8_t)(row->game % 3 - 1);
    }
    return fixture;
}

static enum dataset_fate expected_fate(const struct fixture *fixture, int k, int margin)
{
    const struct shard_row *row = &fixture->rows[k];
    if (row->ply < OPENING) {
        return DATASET_OPENING;
    }
    if (fixture->variant->can_capture(&row->position, WHITE) ||
        fixture->variant->can_capture(&row->position, BLACK)) {
        return DATASET_NOT_QUIET;
    }
    if (may_be_held(fixture->variant->rules, &row->position)) {
        return DATASET_HELD;
    }
    return margin > 0 && k % 5 == 0 && k % 7 != 0 ? DATASET_SHOT : DATASET_KEPT;
}

static const struct team ALONE = {0};

static void add(struct dataset *dataset, const struct fixture *fixture, size_t first, size_t last)
{
    struct err err = {0};
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    if (!dataset_add(dataset, &source, fixture->rows + first, last - first, &err)) {
        fail_msg("%s", err.text);
    }
}

static void finish(struct dataset *dataset)
{
    struct err err = {0};
    if (!dataset_finish(dataset, &ALONE, &err)) {
        fail_msg("%s", err.text);
    }
}

/* All rows of the fixture. */
static void fill(struct dataset *dataset, const struct fixture *fixture,
                 const struct dataset_filter *filter)
{
    dataset_init(dataset, fixture->variant, filter);
    add(dataset, fixture, 0, ROWS);
    finish(dataset);
}

/* Whether the packed position is the row's: its men, target and all its features. */
static bool is_row(const struct fixture *fixture, enum dataset_part part,
                   const struct dataset_position *packed, int k)
{
    const struct rules *rules = fixture->variant->rules;
    const struct shard_row *row = &fixture->rows[k];
    struct feature_range squares = feature_range(rules, FEATURE_MAN_SQUARE);
    struct feature_list list;
    int entry = 0;
    fixture->variant->features(&row->position, &list);
    if (packed->men[WHITE] != row->position.men[WHITE] ||
        packed->men[BLACK] != row->position.men[BLACK] ||
        (packed->target & dataset_target_mask(part)) != (row->result + 1)
                                                            << (DATASET_TARGET_BITS - 1)) {
        return false;
    }
    for (int i = 0; i < list.count; i++) {
        int index = list.feature[i].index;
        if (index < squares.first || index >= squares.first + squares.count) {
            if (entry == packed->count || packed->entry[entry].index != index ||
                packed->entry[entry].value != list.feature[i].value) {
                return false;
            }
            entry++;
        }
    }
    for (int i = entry; i < packed->count; i++) {
        if (packed->entry[i].value != 0) {
            return false;
        }
    }
    return packed->count - entry < DATASET_STRIDE && packed->count % DATASET_STRIDE == 0;
}

/* Whether a group has the row. */
static bool has_row(const struct fixture *fixture, const struct dataset *dataset,
                    enum dataset_part part, int phase, int k)
{
    const struct dataset_group *group = &dataset->group[part][phase];
    const unsigned char *at = group->packed.data;
    struct dataset_position position;
    for (int64_t n = 0; n < group->positions; n++) {
        at = dataset_next(at, &position);
        if (is_row(fixture, part, &position, k)) {
            return true;
        }
    }
    return false;
}

/* Every row's fate, and every kept position in its group. */
static void check_all(const struct fixture *fixture, const struct dataset *dataset, int margin)
{
    int64_t fates[DATASET_FATES] = {0}, kept[DATASET_PARTS] = {0}, packed[DATASET_PARTS] = {0};
    for (int k = 0; k < ROWS; k++) {
        enum dataset_fate fate = expected_fate(fixture, k, margin);
        fates[fate]++;
        if (fate == DATASET_KEPT) {
            int phase = bit_count(pieces_all(&fixture->rows[k].position));
            int part =
                dataset_holds_out(fixture->variant, &fixture->info, fixture->rows[k].game, 10);
            kept[part]++;
            assert_true(has_row(fixture, dataset, part, phase, k));
        }
    }
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            packed[part] += dataset->group[part][phase].positions;
        }
    }
    assert_memory_equal(fates, dataset->counts.fates, sizeof fates);
    assert_memory_equal(kept, dataset->counts.positions, sizeof kept);
    assert_memory_equal(packed, dataset->counts.positions, sizeof kept);
    assert_true(fates[DATASET_KEPT] > ROWS / 10 && fates[DATASET_NOT_QUIET] > ROWS / 10);
}

static void every_row(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct fixture *fixture = make(variant_at(v));
        for (int margin = 0; margin <= MARGIN; margin += MARGIN) {
            const struct dataset_filter filter = {.margin = margin,
                                                  .holdout = 10,
                                                  .scratch = margin == 0 ? NULL : ".",
                                                  .sampling = 32768};
            struct dataset dataset;
            fill(&dataset, fixture, &filter);
            check_all(fixture, &dataset, margin);
            assert_in_range(dataset_bytes(&dataset), 19 * dataset.counts.positions[0],
                            60 * dataset.counts.fates[DATASET_KEPT]);
            assert_close((double)dataset.counts.sampled,
                         (double)dataset.counts.positions[DATASET_TRAIN] / 2, 100);
            dataset_fini(&dataset);
        }
        free(fixture);
    }
}

/* However the rows of whole games are parted, the parts hold together what the whole holds. */
static void any_partition(void **state)
{
    (void)state;
    const struct dataset_filter filter = {
        .margin = MARGIN, .holdout = 10, .sampling = 32768, .per_game = 3};
    struct fixture *fixture = make(&variant_classic);
    struct dataset whole;
    fill(&whole, fixture, &filter);
    for (size_t cut = PLIES; cut < ROWS; cut += 33 * PLIES) {
        struct dataset part[2];
        int64_t sums[sizeof whole.counts / sizeof(int64_t)];
        for (int k = 0; k < 2; k++) {
            dataset_init(&part[k], fixture->variant, &filter);
            add(&part[k], fixture, k == 0 ? 0 : cut, k == 0 ? cut : ROWS);
            finish(&part[k]);
        }
        const int64_t *a = (int64_t *)&part[0].counts, *b = (int64_t *)&part[1].counts;
        for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
            sums[i] = a[i] + b[i];
        }
        assert_memory_equal(sums, &whole.counts, sizeof sums);
        dataset_fini(&part[0]);
        dataset_fini(&part[1]);
    }
    assert_int_equal(whole.counts.games[0] + whole.counts.games[1], GAMES);
    dataset_fini(&whole);
    free(fixture);
}

/* At most three positions of a training game are kept, all of a game that is held out. */
static void so_many_a_game(void **state)
{
    (void)state;
    enum { MOST = 3 };
    const struct dataset_filter filter = {.margin = MARGIN, .holdout = 10, .per_game = MOST};
    struct fixture *fixture = make(&variant_flying);
    struct dataset dataset;
    int64_t expected[DATASET_PARTS] = {0}, surplus = 0;
    for (int game = 0; game < GAMES; game++) {
        int kept = 0;
        for (int k = game * PLIES; k < (game + 1) * PLIES; k++) {
            kept += expected_fate(fixture, k, MARGIN) == DATASET_KEPT;
        }
        bool held = dataset_holds_out(fixture->variant, &fixture->info, 1000 + game, 10);
        int most = held || kept < MOST ? kept : MOST;
        expected[held] += most;
        surplus += kept - most;
    }
    fill(&dataset, fixture, &filter);
    assert_memory_equal(expected, dataset.counts.positions, sizeof expected);
    assert_int_equal(dataset.counts.fates[DATASET_SURPLUS], surplus);
    assert_true(surplus > 50);
    dataset_fini(&dataset);
    free(fixture);
}

/* Five games of one and the same position: won, lost, won, drawn, won by White. */
static struct shard_row *same_position(const struct fixture *fixture, int result[5])
{
    static const int RESULTS[] = {1, -1, 1, 0, 1};
    struct shard_row *rows = calloc(5, sizeof *rows);
    int64_t game = 0;
    assert_non_null(rows);
    for (int k = 0; k < 5; k++, game++) {
        while (dataset_holds_out(fixture->variant, &fixture->info, game, 10)) {
            game++;
        }
        result[k] = RESULTS[k];
        rows[k] = (struct shard_row){.position = position_of(fixture->variant, "W:W31,32:B1,2"),
                                     .game = game,
                                     .ply = OPENING,
                                     .score = 200,
                                     .result = (int8_t)RESULTS[k]};
    }
    return rows;
}

/* Equal positions become one whose target is the mean; those held out stay apart. */
static void equals_merge(void **state)
{
    (void)state;
    const struct dataset_filter filter = {.holdout = 10, .merge = true};
    struct fixture *fixture = make(&variant_classic);
    int result[5];
    struct shard_row *rows = same_position(fixture, result);
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    struct dataset dataset;
    struct dataset_position position;
    struct err err = {0};
    dataset_init(&dataset, fixture->variant, &filter);
    assert_true(dataset_add(&dataset, &source, rows, 5, &err));
    while (!dataset_holds_out(fixture->variant, &fixture->info, rows[0].game, 10)) {
        rows[0].game++;
    }
    rows[1].game = rows[0].game;
    assert_true(dataset_add(&dataset, &source, rows, 2, &err));
    finish(&dataset);
    assert_int_equal(dataset.counts.positions[DATASET_TRAIN], 1);
    assert_int_equal(dataset.counts.positions[DATASET_HELD_OUT], 2);
    assert_int_equal(dataset.counts.results[DATASET_TRAIN][2], 3);
    dataset_next(dataset.group[DATASET_TRAIN][4].packed.data, &position);
    assert_close(position.target & ~DATASET_SAMPLED, 0.7 * (1 << DATASET_TARGET_BITS), 0.51);
    dataset_fini(&dataset);
    free(rows);
    free(fixture);
}

/* A position scored 200 for White in three games of five won and one drawn: K is where
 * 1 / (1 + exp(-2 K)) is 0.7, so any share of the score leaves the mean target at 0.7. */
static void scores_count(void **state)
{
    (void)state;
    struct fixture *fixture = make(&variant_classic);
    int result[5];
    struct shard_row *rows = same_position(fixture, result);
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    for (int step = 1; step <= 4; step++) {
        const struct dataset_filter filter = {.holdout = 10, .share = step / 4.0};
        struct dataset dataset;
        struct err err = {0};
        dataset_init(&dataset, fixture->variant, &filter);
        assert_true(dataset_add(&dataset, &source, rows, 5, &err));
        finish(&dataset);
        assert_close(dataset.score_scale, log(0.7 / 0.3) / 2, 1e-4);
        const unsigned char *at = dataset.group[DATASET_TRAIN][4].packed.data;
        double seen = 0, expected = 0;
        for (int k = 0; k < 5; k++) {
            struct dataset_position position;
            at = dataset_next(at, &position);
            double target = (position.target & ~DATASET_SAMPLED) * 0x1p-14;
            double mixed = (1 - filter.share) * (result[k] + 1) / 2.0 + filter.share * 0.7;
            seen += target * target;
            expected += mixed * mixed;
        }
        assert_close(seen, expected, 1e-3);
        dataset_fini(&dataset);
    }
    free(rows);
    free(fixture);
}

/* Scores that say the opposite of the results are not taken for a target. */
static void scores_that_mislead(void **state)
{
    (void)state;
    const struct dataset_filter filter = {.holdout = 10, .share = 0.5};
    struct fixture *fixture = make(&variant_classic);
    int result[5];
    struct shard_row *rows = same_position(fixture, result);
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    struct dataset dataset;
    struct err err = {0};
    for (int k = 0; k < 5; k++) {
        rows[k].score = (int16_t)-rows[k].score;
    }
    dataset_init(&dataset, fixture->variant, &filter);
    assert_true(dataset_add(&dataset, &source, rows, 5, &err));
    assert_false(dataset_finish(&dataset, &ALONE, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "the search's scores do not predict the results"));
    dataset_fini(&dataset);
    free(rows);
    free(fixture);
}

/* About a tenth of the games; another tenth for another generation, seed and rule set. */
static void held_out_games(void **state)
{
    (void)state;
    const struct variant *classic = &variant_classic, *flying = &variant_flying;
    struct shard_info a = {.generation = 1, .seed = 1}, b = {.generation = 2, .seed = 1},
                      c = {.generation = 1, .seed = 2};
    int held = 0, both[3] = {0};
    for (int64_t game = 0; game < 100000; game++) {
        bool out = dataset_holds_out(classic, &a, game, 10);
        held += out;
        both[0] += out && dataset_holds_out(classic, &b, game, 10);
        both[1] += out && dataset_holds_out(classic, &c, game, 10);
        both[2] += out && dataset_holds_out(flying, &a, game, 10);
        assert_true(!out || dataset_holds_out(classic, &a, game, 20));
        assert_false(dataset_holds_out(classic, &a, game, 0));
    }
    assert_close(held, 10000, 400);
    for (int k = 0; k < 3; k++) {
        assert_close(both[k], 1000, 150);
    }
}

static void bad_result(void **state)
{
    (void)state;
    struct fixture *fixture = make(&variant_classic);
    struct dataset dataset;
    struct err err = {0};
    struct dataset_filter filter = {.holdout = 10};
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    fixture->rows[20].result = 2;
    dataset_init(&dataset, fixture->variant, &filter);
    assert_false(dataset_add(&dataset, &source, fixture->rows, ROWS, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "game 1001, ply 8: result 2 is not -1, 0 or 1");
    dataset_fini(&dataset);
    free(fixture);
}

/* Where there is no such directory, it is said that the disk has no room. */
static void no_room(void **state)
{
    (void)state;
    const struct dataset_filter filter = {.scratch = "/no-such-directory"};
    struct fixture *fixture = make(&variant_classic);
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    struct dataset dataset;
    struct err err = {0};
    dataset_init(&dataset, fixture->variant, &filter);
    assert_false(dataset_add(&dataset, &source, fixture->rows, ROWS, &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "no room on the disk"));
    dataset_fini(&dataset);
    free(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(any_partition),
        cmocka_unit_test(held_out_games),
        cmocka_unit_test(bad_result),
        cmocka_unit_test(no_room),
        cmocka_unit_test(so_many_a_game),
        cmocka_unit_test(equals_merge),
        cmocka_unit_test(scores_count),
        cmocka_unit_test(scores_that_mislead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
