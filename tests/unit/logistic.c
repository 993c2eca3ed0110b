/* The table against the C library. */
#include "tuner/fit/logistic.h"

#include <math.h>

#include "tests/unit/close.h"

static void against_libm(void **state)
{
    (void)state;
    static struct logistic table;
    logistic_init(&table);
    for (double x = -30; x <= 30; x += 0.00137) {
        double p, l;
        logistic_at(&table, x, &p, &l);
        assert_close(p, 1 / (1 + exp(-x)), 1e-9);
        assert_close(l, log1p(exp(-fabs(x))), 1e-9);
    }
}

static void extremes(void **state)
{
    (void)state;
    static struct logistic table;
    logistic_init(&table);
    double p, l;
    logistic_at(&table, 0, &p, &l);
    assert_close(p, 0.5, 0);
    assert_close(l, log(2), 1e-15);
    logistic_at(&table, 1e300, &p, &l);
    assert_true(p == 1 && l == 0);
    logistic_at(&table, -1e300, &p, &l);
    assert_true(p == 0 && l == 0);
    logistic_at(&table, nextafter(LOGISTIC_REACH, 0), &p, &l);
    assert_close(p, 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_libm),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
