/* Openings of which no two are alike: as long as there are any, whoever asks, and the same for a
 * part of the games as for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "selfplay/opening_plan.h"

enum { SEED = 3, GENERATION = 1, GAMES = 3000 };

static const struct comm ALONE = {.rank = 0, .size = 1};
static const struct variant *const VARIANT = &variant_classic;

static struct opening_plan make(int plies, int64_t end)
{
    const struct opening_settings settings = {.plies = plies};
    struct opening_plan plan;
    struct err err = {0};

    if (!opening_plan_make(&plan, &ALONE, &settings, VARIANT, SEED, GENERATION, end, &err)) {
        fail_msg("%s", err.text);
    }
    return plan;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_two_alike),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
