/* Openings of which no two are alike: as long as there are any, whoever asks, and the same for a
 * part of the games as for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "selfplay/game/opening_count.h"
#include "selfplay/game/opening_plan.h"

enum { SEED = 3, GENERATION = 1, GAMES = 3000 };

static const struct comm ALONE = {.rank = 0, .size = 1};
static const struct variant *const VARIANT = &variant_classic;

static struct opening_plan make_unique(int plies, int64_t end, bool unique)
{
    const struct opening_settings opening = {.plies = plies};
    const struct opening_plan_settings settings = {.opening = &opening,
                                                   .variant = VARIANT,
                                                   .seed = SEED,
                                                   .generation = GENERATION,
                                                   .end = end,
                                                   .unique = unique};
    struct opening_plan plan;
    struct err err = {0};
    bool stopped;

    if (!opening_plan_make(&plan, &ALONE, &settings, NULL, NULL, &stopped, &err)) {
        fail_msg("%s", err.text);
    }
    assert_false(stopped);
    return plan;
}

static struct opening_plan make(int plies, int64_t end)
{
    return make_unique(plies, end, false);
}

/* The key of the position that a game begins with under the plan; NULL: under none. */
static uint64_t key_of(const struct opening_plan *plan, int plies, int64_t number)
{
    struct opening_settings settings = {.plies = plies, .skip = opening_plan_attempt(plan, number)};
    struct position start = position_start(VARIANT->rules);
    uint64_t stream = opening_stream(VARIANT, OPENING_SELFPLAY, GENERATION, number);
    struct game game;

    assert_true(game_init(&game, VARIANT, &start));
    assert_true(opening_play(&settings, SEED, stream, NULL, &game, NULL));
    uint64_t key = position_key(game_now(&game));
    game_fini(&game);
    return key;
}

static int compare(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

/* How many of the games begin as one before. */
static int64_t count_alike(const struct opening_plan *plan, int plies)
{
    uint64_t *keys = malloc(GAMES * sizeof *keys);
    int64_t alike = 0;

    assert_non_null(keys);
    for (int64_t number = 0; number < GAMES; number++) {
        keys[number] = key_of(plan, plies, number);
    }
    qsort(keys, GAMES, sizeof *keys, compare);
    for (int i = 1; i < GAMES; i++) {
        alike += keys[i] == keys[i - 1];
    }
    free(keys);
    return alike;
}

static void test_no_two_alike(void **state)
{
    (void)state;
    struct opening_plan plan = make(7, GAMES);

    assert_true(count_alike(NULL, 7) > GAMES / 100);
    assert_int_equal(plan.repeats, 0);
    assert_true(plan.count > 0);
    assert_int_equal(count_alike(&plan, 7), 0);
    opening_plan_fini(&plan);
}

static void test_part(void **state)
{
    (void)state;
    struct opening_plan all = make(7, GAMES), part = make(7, GAMES / 3);

    for (int64_t number = 0; number < GAMES / 3; number++) {
        assert_int_equal(opening_plan_attempt(&all, number), opening_plan_attempt(&part, number));
    }
    opening_plan_fini(&all);
    opening_plan_fini(&part);
}

/* After two half-moves there are 49 sequences, and fewer positions than games. */
static void test_too_few(void **state)
{
    (void)state;
    struct opening_plan plan = make(2, GAMES), none = make(0, GAMES);

    assert_int_equal(GAMES - plan.repeats, 49);
    assert_int_equal(count_alike(&plan, 2), plan.repeats);
    assert_int_equal(none.repeats, GAMES - 1);
    opening_plan_fini(&plan);
    opening_plan_fini(&none);
}

/* Appends the keys of the positions at the ends of all lines of `plies` half-moves. */
static void walk(const struct variant *variant, const struct position *position, int plies,
                 uint64_t *keys, int64_t *count)
{
    struct move_list list;

    variant->moves(position, &list);
    if (plies == 0 && list.count > 0) {
        keys[(*count)++] = position_key(position);
    }
    for (int i = 0; plies > 0 && i < list.count; i++) {
        struct position after = position_after(variant->rules, position, &list.move[i]);
        walk(variant, &after, plies - 1, keys, count);
    }
}

/* Each position once, however many lines lead to it. */
static void test_counted(void **state)
{
    (void)state;
    enum { LINES = 4265, PLIES = 4 }; /* of international; the others have fewer */
    uint64_t *keys = malloc(LINES * sizeof *keys);

    assert_non_null(keys);
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct variant *variant = variant_at(i);
        struct position start = position_start(variant->rules);
        for (int plies = 0; plies <= PLIES; plies++) {
            int64_t count = 0, different = 0;
            walk(variant, &start, plies, keys, &count);
            qsort(keys, (size_t)count, sizeof *keys, compare);
            for (int64_t k = 0; k < count; k++) {
                different += k == 0 || keys[k] != keys[k - 1];
            }
            assert_int_equal(opening_count(variant, plies, LINES), different);
            assert_true(plies < 3 || different < count);
        }
        assert_int_equal(opening_count(variant, PLIES, 100), 100);
        assert_int_equal(opening_count(variant, 30, 1000), 1000);
    }
    free(keys);
}

/* Where counting shows that there are too few nothing is planned, and the figure is the least that
 * it can be. */
static void test_told_at_once(void **state)
{
    (void)state;
    struct opening_plan few = make_unique(2, GAMES, true), enough = make_unique(7, GAMES, true);
    struct opening_plan planned = make(7, GAMES);

    assert_int_equal(few.repeats, GAMES - 49);
    assert_int_equal(few.count, 0);
    assert_int_equal(enough.repeats, 0);
    assert_int_equal(enough.count, planned.count);
    assert_memory_equal(enough.entry, planned.entry, (size_t)planned.count * sizeof *planned.entry);
    opening_plan_fini(&few);
    opening_plan_fini(&enough);
    opening_plan_fini(&planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_two_alike), cmocka_unit_test(test_part),
        cmocka_unit_test(test_too_few),      cmocka_unit_test(test_counted),
        cmocka_unit_test(test_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
