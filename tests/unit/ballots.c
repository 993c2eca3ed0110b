/* Lists of openings: every position once, balanced, and the same again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/search/search.h"
#include "selfplay/game/opening_file.h"
#include "tuner/ballots.h"

/* The list; the caller frees it. */
static char *list(const struct ballots *ballots)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct err err = {0};

    assert_non_null(out);
    if (!ballots_write(out, NULL, ballots, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

static void read_list(const struct ballots *ballots, struct opening_file *file)
{
    char *text = list(ballots);

    assert_true(opening_file_read(file, ballots->variant, "list", text, strlen(text), NULL));
    free(text);
}

static void assert_different(const struct opening_file *file)
{
    for (int64_t i = 0; i < file->count; i++) {
        for (int64_t j = 0; j < i; j++) {
            assert_false(
                position_equal(&file->opening[i].positions[0], &file->opening[j].positions[0]));
        }
    }
}

/* All positions after two plies of classic draughts, 7 times 7; and the balanced ones after three.
 */
static void test_all(void **state)
{
    (void)state;
    struct weights weights;
    struct opening_file file;
    struct ballots ballots = {.variant = &variant_classic,
                              .plies = 2,
                              .bound = SCORE_WON,
                              .nodes = 1,
                              .weights = &weights};

    weights_builtin(variant_classic.rules, &weights);
    read_list(&ballots, &file);
    assert_int_equal(file.count, 49);
    assert_different(&file);
    opening_file_fini(&file);
    ballots.bound = 10;
    ballots.nodes = 1000;
    ballots.plies = 3;
    read_list(&ballots, &file);
    assert_in_range(file.count, 10, 200);
    assert_different(&file);
    struct search *search = search_create(ballots.variant, &weights, 16, NULL);
    for (int64_t i = 0; i < file.count; i++) {
        const struct search_limits limits = {.nodes = 1000};
        search_clear(search);
        assert_in_range(abs(search_run(search, &file.opening[i], &limits, NULL, NULL).score), 0,
                        10);
    }
    search_destroy(search);
    opening_file_fini(&file);
}

static void test_random(void **state)
{
    (void)state;
    struct weights weights;
    struct opening_file file;
    struct ballots ballots = {.variant = &variant_international,
                              .plies = 6,
                              .count = 20,
                              .bound = 50,
                              .nodes = 200,
                              .seed = 1,
                              .weights = &weights};

    weights_builtin(variant_international.rules, &weights);
    char *one = list(&ballots), *again = list(&ballots);
    ballots.seed = 2;
    char *other = list(&ballots);
    assert_string_equal(one, again);
    assert_string_not_equal(strchr(strchr(one, '\n') + 1, '\n'),
                            strchr(strchr(other, '\n') + 1, '\n'));
    read_list(&ballots, &file);
    assert_int_equal(file.count, 20);
    assert_different(&file);
    opening_file_fini(&file);
    free(one);
    free(again);
    free(other);
}

/* More than there are: an error and no endless search. */
static void test_too_many(void **state)
{
    (void)state;
    struct weights weights;
    const struct ballots ballots = {.variant = &variant_classic,
                                    .plies = 1,
                                    .count = 8,
                                    .bound = SCORE_WON,
                                    .nodes = 1,
                                    .weights = &weights};
    struct err err = {0};
    FILE *out = fopen("/dev/null", "w");

    weights_builtin(variant_classic.rules, &weights);
    assert_non_null(out);
    assert_false(ballots_write(out, NULL, &ballots, &err));
    assert_non_null(strstr(err.text, "only 7 of 800"));
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
