/* The numbers that people type, for flags, settings and protocols alike. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"

/* Each reads a decimal number in [min, max], nothing before or behind it, finite. ERR_USAGE says
 * what would be right; `what` names the number in it. */
bool number_integer(const char *text, const char *what, long long min, long long max,
                    long long *out, struct err *err);
bool number_real(const char *text, const char *what, double min, double max, double *out,
                 struct err *err);
