/* The standard streams, which whoever starts a program may have closed, filled or broken. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"

/* First in main: takes the numbers of those of stdin, stdout and stderr that are closed, so that no
 * file or socket opened later gets one and is written to by printf or the log. Reading from and
 * writing to a stream that was closed go on failing. */
bool streams_reserve(struct err *err);

/* Last in main: hands everything written to stdout over to the system; the error says why it was
 * not taken. */
bool output_flush(struct err *err);
