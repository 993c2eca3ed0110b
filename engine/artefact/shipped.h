/* Where the artefacts that ship with the program are: `data/` beside the source tree it was built
 * from, else where it was installed. */
#pragma once

#include <stdbool.h>

#include "engine/base/file.h"
#include "engine/rules/variant.h"

/* Finds the shipped artefact of a rule set. False when it is in neither place. */
bool shipped_find(const struct variant *variant, char out[FILE_PATH]);
