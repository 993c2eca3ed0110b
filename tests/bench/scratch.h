/* A directory in which a benchmark writes. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"

/* Makes a fresh one under the system's place for temporary files. */
bool scratch_make(char out[64], struct err *err);

/* Removes it with all in it. */
bool scratch_remove(const char *directory, struct err *err);
