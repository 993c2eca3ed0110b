/* Comparison of doubles for cmocka tests, which lacks one that says what it compared. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* Fails the test at file:line unless actual is within tolerance of expected; NaN never is. */
static inline void assert_close_at(double actual, double expected, double tolerance,
                                   const char *file, int line)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        print_error("%.10g is not %.10g +- %g\n", actual, expected, tolerance);
        _fail(file, line);
    }
}

#define assert_close(actual, expected, tolerance)                                                  \
    assert_close_at((actual), (expected), (tolerance), __FILE__, __LINE__)
