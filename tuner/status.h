/* Where a run stands, as lines for people. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"

/* Writes what is under way (rate and time left included) and the results so far. Works while a
 * run is under way. ERR_USAGE when the directory is no run. */
bool status_write(FILE *out, const char *directory, struct err *err);
