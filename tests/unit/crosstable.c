/* The table of a round robin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "standings_support.h"
#include "tuner/report/crosstable.h"

static void test_table(void **state)
{
    (void)state;
    static const char WANTED[] =
        "    depth: median over moves with a choice and no end in sight\n"
        "    points against      1      2      3     of games   drawn  plies  depth\n"
        "    1 a                 -    7.5    5.0      12.5/20  75.0 %   50.0    7.0  [0.25 ms a "
        "move]\n"
        "    2 b               2.5      -      -       2.5/10  50.0 %   50.0    4.0  [0.25 ms a "
        "move]\n"
        "    3 c               5.0      -      -       5.0/10 100.0 %   50.0      -  [0.25 ms a "
        "move]\n";
    struct standings standings = {0};

    add_player(&standings, "a");
    add_player(&standings, "b");
    add_player(&standings, "c");
    add_pairing(&standings, 0, 1, (const int64_t[]){0, 0, 0, 5, 0});
    add_pairing(&standings, 0, 2, (const int64_t[]){0, 0, 5, 0, 0});
    standings.pairing[1].effort[1].depths[4] = 0;
    char *text = written(crosstable_write, &standings);
    assert_string_equal(text, WANTED);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
