/* The minimiser on functions whose minimum is known, and each of its reasons to stop. */
#include "tuner/fit/lbfgs.h"

#include <math.h>

#include "tests/unit/close.h"

enum { N_MAX = 60, MEMORY = 8 };

struct counter {
    int calls, calls_max; /* evaluations allowed before an interruption; 0: any number */
    int accepted;
    double last; /* value accepted last */
};

static struct lbfgs_result run(struct lbfgs_problem problem, size_t n, double tolerance, int limit,
                               double *x)
{
    static double workspace[(2 * MEMORY + 5) * N_MAX + 1];
    const struct team alone = {0};
    struct lbfgs_settings settings = {MEMORY, limit, tolerance};
    struct spread spread;
    assert_true(spread_init(&spread, &alone, n));
    assert_true(lbfgs_workspace(n, MEMORY) <= sizeof workspace / sizeof *workspace);
    problem.spread = &spread;
    struct lbfgs_result result = lbfgs_minimise(&problem, &settings, x, workspace, NULL);
    spread_fini(&spread);
    return result;
}

static bool count(struct counter *counter)
{
    counter->calls++;
    return counter->calls_max == 0 || counter->calls <= counter->calls_max;
}

static bool rosenbrock(void *context, const double *x, double *value, double *gradient)
{
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    *value = a * a + 100 * b * b;
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    return count(context);
}

static bool accepted(void *context, const double *x, const struct lbfgs_point *point)
{
    struct counter *counter = context;
    (void)x;
    assert_int_equal(point->evaluations, counter->calls);
    if (counter->accepted > 0) {
        assert_true(point->value < counter->last);
    }
    counter->last = point->value;
    counter->accepted++;
    return true;
}

static void valley(void **state)
{
    (void)state;
    struct counter counter = {0};
    double x[2] = {-1.2, 1};
    struct lbfgs_problem problem = {
        .context = &counter, .evaluate = rosenbrock, .accepted = accepted};
    struct lbfgs_result result = run(problem, 2, 1e-14, 200, x);
    assert_int_equal(result.stop, LBFGS_CONVERGED);
    assert_close(x[0], 1, 1e-6);
    assert_close(x[1], 1, 1e-6);
    assert_close(result.point.value, 0, 1e-13);
    assert_int_equal(result.point.evaluations, counter.calls);
    assert_int_equal(result.point.iterations + 1, counter.accepted);
    assert_true(result.point.evaluations < 80);
}

/* sum of c_i (x_i - i)^2 / 2 with c_i = 1 .. 10^4. */
static double stiffness(size_t i)
{
    return pow(10, 4.0 * (double)i / (N_MAX - 1));
}

static bool quadratic(void *context, const double *x, double *value, double *gradient)
{
    *value = 0;
    for (size_t i = 0; i < N_MAX; i++) {
        double away = x[i] - (double)i;
        *value += stiffness(i) * away * away / 2;
        gradient[i] = stiffness(i) * away;
    }
    return count(context);
}

static void divide_by_stiffness(void *context, double *v)
{
    (void)context;
    for (size_t i = 0; i < N_MAX; i++) {
        v[i] /= stiffness(i);
    }
}

static void ill_conditioned(void **state)
{
    (void)state;
    struct counter plain = {0}, helped = {0};
    double x[N_MAX] = {0}, y[N_MAX] = {0};
    struct lbfgs_problem problem = {.context = &plain, .evaluate = quadratic};
    assert_int_equal(run(problem, N_MAX, 1e-9, 5000, x).stop, LBFGS_CONVERGED);
    problem.context = &helped;
    problem.precondition = divide_by_stiffness;
    assert_int_equal(run(problem, N_MAX, 1e-9, 5000, y).stop, LBFGS_CONVERGED);
    for (size_t i = 0; i < N_MAX; i++) {
        assert_close(x[i], (double)i, 1e-3);
        assert_close(y[i], (double)i, 1e-9);
    }
    assert_int_equal(helped.calls, 2); /* the exact inverse Hessian: one Newton step */
    assert_true(plain.calls > 20);
}

/* x - log(x), which is no number for x <= 0. Far to the right of the minimum it is nearly straight,
 * so that the second step, taken for Newton's, goes far beyond 0. */
struct barrier {
    int calls, outside;
};

static bool barrier(void *context, const double *x, double *value, double *gradient)
{
    struct barrier *seen = context;
    seen->calls++;
    seen->outside += x[0] <= 0;
    *value = x[0] > 0 ? x[0] - log(x[0]) : NAN;
    gradient[0] = x[0] > 0 ? 1 - 1 / x[0] : NAN;
    return true;
}

static void outside_the_domain(void **state)
{
    (void)state;
    struct barrier seen = {0};
    double x[1] = {5}, outside[1] = {-1};
    struct lbfgs_problem problem = {.context = &seen, .evaluate = barrier};
    struct lbfgs_result result = run(problem, 1, 1e-14, 100, x);
    assert_int_equal(result.stop, LBFGS_CONVERGED);
    assert_close(x[0], 1, 1e-6);
    assert_true(seen.outside > 0);
    assert_int_equal(run(problem, 1, 1e-14, 100, outside).stop, LBFGS_NOT_FINITE);
    assert_close(outside[0], -1, 0);
}

static void limits(void **state)
{
    (void)state;
    struct counter counter = {0};
    double x[2] = {-1.2, 1}, y[2] = {-1.2, 1};
    struct lbfgs_problem problem = {.context = &counter, .evaluate = rosenbrock};
    struct lbfgs_result result = run(problem, 2, 1e-14, 7, x);
    assert_int_equal(result.stop, LBFGS_EVALUATIONS);
    assert_int_equal(result.point.evaluations, 7);
    assert_true(result.point.value < 24.2);
    counter = (struct counter){.calls_max = 5};
    result = run(problem, 2, 1e-14, 100, y);
    assert_int_equal(result.stop, LBFGS_INTERRUPTED);
    assert_int_equal(result.point.evaluations, 6);
}

/* A gradient that points uphill leaves nothing to gain. */
static bool liar(void *context, const double *x, double *value, double *gradient)
{
    *value = x[0] * x[0];
    gradient[0] = -2 * x[0];
    return count(context);
}

static void no_decrease(void **state)
{
    (void)state;
    struct counter counter = {0};
    double x[1] = {1};
    struct lbfgs_problem problem = {.context = &counter, .evaluate = liar};
    assert_int_equal(run(problem, 1, 1e-14, 1000, x).stop, LBFGS_EXHAUSTED);
    assert_close(x[0], 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valley),
        cmocka_unit_test(ill_conditioned),
        cmocka_unit_test(outside_the_domain),
        cmocka_unit_test(limits),
        cmocka_unit_test(no_decrease),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
