/* Which rows are kept, in what form, and which games are held out. */
#include "tuner/dataset.h"

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
    return margin > 0 && k % 5 == 0 && k % 7 != 0 ? DATASET_SHOT : DATASET_KEPT;
}

static void add(struct dataset *dataset, const struct fixture *fixture, int margin, size_t first,
                size_t last)
{
    struct err err = {0};
    struct dataset_filter filter = {.margin = margin, .holdout = 10, .sampling = 32768};
    struct dataset_source source = {.info = &fixture->info, .weights = &fixture->weights};
    if (!dataset_add(dataset, &filter, &source, fixture->rows, first, last, &err)) {
        fail_msg("%s", err.text);
    }
}

/* The next position of a group must be this row's. */
static void check_position(const struct fixture *fixture, const struct dataset_group *group,
                           int64_t *position, int64_t *entry, int k)
{
    const struct shard_row *row = &fixture->rows[k];
    struct feature_list list;
    fixture->variant->features(&row->position, &list);
    assert_true(*position < group->positions);
    assert_int_equal(group->label[*position] & DATASET_RESULT, row->result + 1);
    assert_int_equal(group->count[*position], list.count);
    for (int i = 0; i < list.count; i++, (*entry)++) {
        assert_int_equal(group->entry[*entry].index, list.feature[i].index);
        assert_int_equal(group->entry[*entry].value, list.feature[i].value);
    }
    (*position)++;
}

/* Every row's fate, and every kept position in its group, in order. */
static void check_all(const struct fixture *fixture, const struct dataset *dataset, int margin)
{
    static int64_t position[DATASET_PARTS][DATASET_PHASES], entry[DATASET_PARTS][DATASET_PHASES];
    int64_t fates[DATASET_FATES] = {0}, kept[DATASET_PARTS] = {0};
    memset(position, 0, sizeof position);
    memset(entry, 0, sizeof entry);
    for (int k = 0; k < ROWS; k++) {
        enum dataset_fate fate = expected_fate(fixture, k, margin);
        fates[fate]++;
        if (fate == DATASET_KEPT) {
            int phase = bit_count(pieces_all(&fixture->rows[k].position));
            int part =
                dataset_holds_out(fixture->variant, &fixture->info, fixture->rows[k].game, 10);
            kept[part]++;
            check_position(fixture, &dataset->group[part][phase], &position[part][phase],
                           &entry[part][phase], k);
        }
    }
    assert_memory_equal(fates, dataset->counts.fates, sizeof fates);
    assert_memory_equal(kept, dataset->counts.positions, sizeof kept);
    assert_true(fates[DATASET_KEPT] > ROWS / 10 && fates[DATASET_NOT_QUIET] > ROWS / 10);
}

static void every_row(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct fixture *fixture = make(variant_at(v));
        for (int margin = 0; margin <= MARGIN; margin += MARGIN) {
            struct dataset dataset;
            dataset_init(&dataset, fixture->variant);
            add(&dataset, fixture, margin, 0, ROWS);
            check_all(fixture, &dataset, margin);
            int64_t loose = dataset_bytes(&dataset);
            dataset_trim(&dataset);
            assert_true(dataset_bytes(&dataset) < loose);
            check_all(fixture, &dataset, margin);
            dataset_fini(&dataset);
        }
        free(fixture);
    }
}

/* Cut anywhere, in the middle of a game too, the parts hold together what the whole holds. */
static void any_partition(void **state)
{
    (void)state;
    struct fixture *fixture = make(&variant_classic);
    struct dataset whole;
    dataset_init(&whole, fixture->variant);
    add(&whole, fixture, MARGIN, 0, ROWS);
    for (size_t cut = 1; cut < ROWS; cut += 397) {
        struct dataset part[2];
        int64_t sums[sizeof whole.counts / sizeof(int64_t)];
        for (int k = 0; k < 2; k++) {
            dataset_init(&part[k], fixture->variant);
            add(&part[k], fixture, MARGIN, k == 0 ? 0 : cut, k == 0 ? cut : ROWS);
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

/* A white man on square 31 and a black man on square 3 stand where their owners see square 31 and
 * square 30 of 32. */
static void men_by_square(void **state)
{
    (void)state;
    struct fixture *fixture = make(&variant_classic);
    fixture->rows[0] =
        (struct shard_row){.position = position_of(&variant_classic, "W:W31,K20:B3,K9"),
                           .ply = 9,
                           .score = SCORE_NONE};
    while (dataset_holds_out(&variant_classic, &fixture->info, fixture->rows[0].game, 10)) {
        fixture->rows[0].game++;
    }
    struct dataset dataset;
    dataset_init(&dataset, &variant_classic);
    add(&dataset, fixture, MARGIN, 0, 1);
    assert_int_equal(dataset.counts.positions[DATASET_TRAIN], 1);
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        for (int square = 1; square <= 32; square++) {
            bool there = phase == 4 && (square == 31 || square == 30);
            assert_int_equal(dataset.counts.men[phase][square - 1], there);
        }
    }
    dataset_fini(&dataset);
    free(fixture);
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
    dataset_init(&dataset, fixture->variant);
    assert_false(dataset_add(&dataset, &filter, &source, fixture->rows, 0, ROWS, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "game 1001, ply 8: result 2 is not -1, 0 or 1");
    dataset_fini(&dataset);
    free(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),      cmocka_unit_test(any_partition),
        cmocka_unit_test(held_out_games), cmocka_unit_test(men_by_square),
        cmocka_unit_test(bad_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
