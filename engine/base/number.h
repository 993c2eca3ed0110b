/* Numbers as text: those that people type, for flags, settings and protocols alike, and those that
 * are written so often that printf would be felt. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

/* Each reads a decimal number in [min, max], nothing before or behind it, finite. ERR_USAGE says
 * what would be right; `what` names the number in it. */
bool number_integer(const char *text, const char *what, long long min, long long max,
                    long long *out, struct err *err);
bool number_real(const char *text, const char *what, double min, double max, double *out,
                 struct err *err);

enum { NUMBER_TEXT = 20 }; /* characters of the longest */

/* Writes a number in decimal, without a NUL. Returns how many characters that took. */
size_t number_write(char *out, int64_t number);
