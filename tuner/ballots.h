/* Lists of balanced openings, made from the rules: every sequence of a few plies, or random ones.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "engine/rules/variant.h"

enum { BALLOTS_ALL = 0, BALLOTS_ALL_PLIES = 5 };

struct ballots {
    const struct variant *variant;
    int plies;      /* 1..OPENING_PLIES_MAX; at most BALLOTS_ALL_PLIES for all sequences */
    int64_t count;  /* this many random ones; BALLOTS_ALL: all sequences */
    int bound;      /* |score| of a search at most this, hundredths of a man */
    uint64_t nodes; /* of that search, at least 1 */
    uint64_t seed;  /* of the random ones */
    const struct weights *weights; /* of that search; not owned */
};

/* Writes a FEN a line, each position once, in a fixed order; comments before them say how they
 * were made. Shows progress on `log`. ERR_FAILED when there are not as many random ones as are
 * wanted. Write errors are for the caller to look for in `out`. */
bool ballots_write(FILE *out, const struct log *log, const struct ballots *ballots,
                   struct err *err);
