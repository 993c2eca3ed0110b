/* The part of a report on the weights that a generation was tuned to. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue_fit.h"

/* A table of the weights that are not by square, heat maps of those that are, one SVG drawn as
 * boards seen by the pieces' owner, and the strongest patterns. Standard errors are those of `fit`,
 * where it has terms. Reads the generation's file in the run; where there is none
 * nothing is written. */
bool report_weights(FILE *out, const char *directory, const struct variant *variant, int generation,
                    const struct catalogue_fit *fit, struct err *err);
