/* The artefacts of a run handed on. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/base/log.h"

/* Copies each RULES.h5 of the run into `target`, after reading it whole; each file is replaced
 * atomically. One line a file on `out`. The log hears of a target that had to be made, and of rule
 * sets and generations that the run has begun and not finished. ERR_USAGE when there is no file to
 * copy; nothing is made then. */
bool publish(FILE *out, const struct log *log, const char *directory, const char *target,
             struct err *err);
