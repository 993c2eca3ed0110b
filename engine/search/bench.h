/* The bench: fixed positions searched to a fixed depth with the built-in weights. Its node counts
 * are the signature of the search: they change when, and only when, what it does changes. */
#pragma once

#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"

enum {
    BENCH_DEPTH = 13,      /* of the signature in tests/data/bench.txt */
    BENCH_TABLE_BITS = 18, /* of the table, cleared before each position */
};

struct bench_result {
    int positions;
    uint64_t nodes; /* over all positions; the same on every machine */
    double seconds;
};

/* Searches the rule set's positions (openings, middle games, endings with kings), one thread. False
 * only when memory is out. */
bool bench_run(const struct variant *variant, int depth, struct bench_result *out, struct err *err);
