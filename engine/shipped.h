/* Where the files that ship with the program are: `data/` beside the source tree it was built
 * from, else where it was installed. */
#pragma once

#include <stdbool.h>

#include "engine/base/file.h"

/* Finds a shipped file by its name in data/ ("classic.h5"). False when it is in neither place. */
bool shipped_find(const char *name, char out[FILE_PATH]);
