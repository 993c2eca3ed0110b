/* Cholesky factors of small dense symmetric matrices, row-major, n x n, only the lower triangle
 * read and written. All functions are pure. */
#pragma once

#include <stdbool.h>

/* Replaces the matrix by L with L L^T equal to it. False, with the matrix spoilt, when it is not
 * positive definite to working precision. */
bool cholesky_factor(int n, double *matrix);

/* Replaces the right-hand side by the solution of L L^T x = right. */
void cholesky_solve(int n, const double *factor, double *right);

/* right^T (L L^T)^-1 right, which for an information matrix is the variance of right^T x. Spoils
 * `right`. */
double cholesky_inverse_form(int n, const double *factor, double *right);
