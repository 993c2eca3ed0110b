/* The small dense solver, on a matrix whose factor is known, and its refusal of others. */
#include "selfplay/strength/cholesky.h"

#include "tests/unit/close.h"

/* L = [2 0 0; 6 1 0; -8 5 3] */
static void fill(double matrix[9])
{
    const double values[9] = {4, 0, 0, 12, 37, 0, -16, -43, 98};

    for (int i = 0; i < 9; i++) {
        matrix[i] = values[i];
    }
}

static void known_factor(void **state)
{
    (void)state;
    const double expected[9] = {2, 0, 0, 6, 1, 0, -8, 5, 3};
    double matrix[9];

    fill(matrix);
    assert_true(cholesky_factor(3, matrix));
    for (int i = 0; i < 9; i++) {
        assert_close(matrix[i], expected[i], 1e-12);
    }
}

static void known_solution(void **state)
{
    (void)state;
    double matrix[9];
    double right[3] = {4 * 1 + 12 * 2 - 16 * 3, 12 * 1 + 37 * 2 - 43 * 3,
                       -16 * 1 - 43 * 2 + 98 * 3};
    double copy[3] = {right[0], right[1], right[2]};

    fill(matrix);
    assert_true(cholesky_factor(3, matrix));
    cholesky_solve(3, matrix, right);
    for (int i = 0; i < 3; i++) {
        assert_close(right[i], i + 1.0, 1e-9);
    }
    const double form = copy[0] * 1 + copy[1] * 2 + copy[2] * 3;
    assert_close(cholesky_inverse_form(3, matrix, copy), form, 1e-9);
}

static void indefinite_and_singular_are_refused(void **state)
{
    (void)state;
    double indefinite[4] = {1, 0, 2, 1};
    double singular[4] = {1, 0, 1, 1};
    double nothing[4] = {NAN, 0, 0, 1};

    assert_false(cholesky_factor(2, indefinite));
    assert_false(cholesky_factor(2, singular));
    assert_false(cholesky_factor(2, nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_factor),
        cmocka_unit_test(known_solution),
        cmocka_unit_test(indefinite_and_singular_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
