/* The bench's node counts are those on record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/search/bench.h"
#include "support.h"

static void check_line(char **field, int line, void *context)
{
    struct err err = {0};
    const struct variant *variant = variant_by_name(field[0], &err);
    struct bench_result result;

    (void)line;
    (void)context;
    assert_non_null(variant);
    assert_true(bench_run(variant, BENCH_DEPTH, &result, &err));
    printf("%s\t%llu\n", field[0], (unsigned long long)result.nodes);
    assert_int_equal(result.nodes, strtoull(field[1], NULL, 10));
}

static void test_signature(void **state)
{
    (void)state;
    assert_int_equal(each_line("bench.txt", 2, check_line, NULL), VARIANT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
