/* The last steps of a fit: weights whose unit is a hundredth of a man, as whole numbers. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/penalised.h"

/* Collective. Rescales all weights, the same on every rank, so that a man is worth 100 (step 3 of
 * tuner/fit/fit.h), and rounds them. Sets result->weights, man and scale. ERR_USAGE when the data
 * do not value a man, or a weight does not fit int16, which is named; ERR_FAILED when memory is out
 * on any rank. The patterns of result->weights are the caller's in any case. */
bool normalise(struct penalised *penalised, double *whole, struct fit_result *result,
               struct err *err);
