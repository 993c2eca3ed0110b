/* The results of a rule set and generation as lines for people, from the catalogue: what `run`
 * prints and what `status` prints. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"

/* Writes what is there; a stage that is not finished is said to be so. */
bool summary_write(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                   int generation, struct err *err);
