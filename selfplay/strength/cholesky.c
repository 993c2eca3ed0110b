/* Cholesky factorisation, column by column, and triangular solves. */
#include "selfplay/strength/cholesky.h"

#include <math.h>
#include <stddef.h>

static size_t at(int n, int row, int column)
{
    return (size_t)row * (size_t)n + (size_t)column;
}

bool cholesky_factor(int n, double *matrix)
{
    for (int j = 0; j < n; j++) {
        const double scale = matrix[at(n, j, j)];
        for (int i = j; i < n; i++) {
            double sum = matrix[at(n, i, j)];
            for (int k = 0; k < j; k++) {
                sum -= matrix[at(n, i, k)] * matrix[at(n, j, k)];
            }
            if (i == j && !(sum > 1e-14 * scale && isfinite(sum))) {
                return false;
            }
            matrix[at(n, i, j)] = i == j ? sqrt(sum) : sum / matrix[at(n, j, j)];
        }
    }
    return true;
}

static void solve_lower(int n, const double *factor, double *right)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            right[i] -= factor[at(n, i, k)] * right[k];
        }
        right[i] /= factor[at(n, i, i)];
    }
}

void cholesky_solve(int n, const double *factor, double *right)
{
    solve_lower(n, factor, right);
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            right[i] -= factor[at(n, k, i)] * right[k];
        }
        right[i] /= factor[at(n, i, i)];
    }
}

double cholesky_inverse_form(int n, const double *factor, double *right)
{
    double sum = 0.0;

    solve_lower(n, factor, right);
    for (int i = 0; i < n; i++) {
        sum += right[i] * right[i];
    }
    return sum;
}
