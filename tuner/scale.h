/* The scale K between scores and results: P(White wins) = 1 / (1 + exp(-K * score / 100)), score in
 * hundredths of a man. K is what a man is worth in units of the logistic function. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "tuner/objective.h"

/* Collective. K that minimises the training loss of the given weights (theta as in
 * pass_table_fill), to about 1e-5 of itself; the loss is convex in K, so there is one. ERR_USAGE
 * when it is not within 1/1024 to 64, with what that means; false also when interrupted. */
bool fit_scale(struct objective *objective, const double *theta, double *scale, struct err *err);
