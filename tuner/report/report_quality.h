/* The part of a report on how good a fit is. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "selfplay/store/catalogue_fit.h"

/* Predicted against actual score as a plot and as tables by prediction, pieces and material; the
 * positions that surprise most; how many states of the windows of patterns occur. What the
 * catalogue does not have is left out. Errors as plot_svg's. */
bool report_quality(FILE *out, const struct catalogue_fit *fit, struct err *err);
