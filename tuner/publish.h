/* The artefacts of a run handed on. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"

/* Copies each RULES.h5 of the run into `target` (made if need be), after reading it whole; each
 * file is replaced atomically. One line a file on `out`. ERR_USAGE when there is none. */
bool publish(FILE *out, const char *directory, const char *target, struct err *err);
