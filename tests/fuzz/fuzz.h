/* What the fuzz targets share.
 *
 * A target is one function that takes any bytes and complains when a property does not hold: not
 * only does the program live, what it reads is right. libFuzzer calls it with bytes that it makes
 * up (preset `fuzz`); replay.c calls it with the files of corpus/TARGET, in every build. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"

/* The target. Always 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says on stderr what does not hold, and aborts. */
_Noreturn void fuzz_fail(const char *what);

/* Fails unless it holds, whatever the build. */
static inline void fuzz_require(bool holds, const char *what)
{
    if (!holds) {
        fuzz_fail(what);
    }
}

/* A copy with a NUL behind it and of exact size, so that the sanitizers see a step beyond it; a NUL
 * byte inside becomes '?'. To be freed by the caller. */
char *fuzz_text(const uint8_t *data, size_t size);

/* A new file in the temporary directory with these bytes, for readers that take a path or a
 * descriptor. To be removed by the caller. */
enum { FUZZ_PATH = 64 };
void fuzz_file(const void *data, size_t size, char path[FUZZ_PATH]);

/* The rule set that an input's first byte chooses: '0' international, '1' classic, '2' flying. */
const struct variant *fuzz_variant(uint8_t byte);

/* A message for people: not empty, no control character. */
void fuzz_require_line(const char *text);

/* The error of a refused input: the user's to mend, and a message for people. */
void fuzz_require_refusal(const struct err *err);

/* Sets that are disjoint and on the board, and no man on its far row. */
void fuzz_require_position(const struct rules *rules, const struct position *position);

/* One of the position's legal moves. */
void fuzz_require_legal(const struct variant *variant, const struct position *position,
                        const struct move *move);
