/* One run of a program: what it wrote and what it cost. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"

enum { SAMPLE_OUTPUT = 1 << 18, SAMPLE_CALL = 512 };

struct sample {
    double seconds; /* of processor, user and system: what else the machine does counts little */
    char output[SAMPLE_OUTPUT]; /* standard output */
};

/* Runs `program` with the arguments of `call`, which blanks separate, standard error left as it is.
 * ERR_FAILED names the call: it cannot be started, ends with another status than 0, writes too
 * much. */
bool sample_run(const char *program, const char *call, struct sample *out, struct err *err);

/* Whether instructions can be counted here: valgrind is on the PATH. */
bool sample_counts(void);

/* The instructions that the run takes, counted by callgrind, some 50 times slower. */
bool sample_instructions(const char *program, const char *call, uint64_t *out, struct err *err);
