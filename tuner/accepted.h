/* Which generation's weights a run stands by: the last ones that its gate did not reject. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"

/* The latest of generations 0..generation whose weights were accepted, or never had to pass a gate,
 * in *accepted; -1: none, the built-in weights stand. */
bool accepted_generation(struct catalogue *catalogue, const struct variant *variant, int generation,
                         int *accepted, struct err *err);
