/* What the programs are given to do: calls of `draughts` whose last word is a depth.
 *
 * A piece of work is one row of the result: a perft, the bench's positions, or the fixed positions
 * each searched to its depth. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "tests/bench/sample.h"

enum work_kind { WORK_PERFT, WORK_SEARCH, WORK_DEPTH, WORK_KINDS };

enum { WORK_POSITIONS = 50 };

struct work {
    enum work_kind kind;
    const struct variant *variant;
    uint64_t expected; /* nodes of every correct program; 0: not known */
    int count;         /* calls */
    char call[WORK_POSITIONS][SAMPLE_CALL];
    char counted[SAMPLE_CALL]; /* a shorter call, to count its instructions; "": none */
};

/* "perft", "search", "depth". */
const char *work_name(enum work_kind kind);

/* Prepares the work. `positions` is the content of positions.tsv, used by WORK_DEPTH. ERR_USAGE
 * when it has no such positions. */
bool work_make(struct work *work, enum work_kind kind, const struct variant *variant,
               const char *positions, struct err *err);

/* What one build made of a piece of work. */
struct deed {
    double seconds;                  /* of processor, the programs' start taken off */
    uint64_t nodes;                  /* over all calls */
    uint64_t answer[WORK_POSITIONS]; /* of each call: equal when nodes and move are */
    uint64_t move[WORK_POSITIONS];   /* of each call: equal when the best move is; perft: 0 */
};

/* Does the work once; each call is made again with depth 1, and the time of that taken off.
 * ERR_FAILED: a call fails, writes what cannot be read, or finds another number than expected. */
bool work_do(const struct work *work, const char *program, struct deed *out, struct err *err);

/* The instructions of the shorter call, the program's start taken off. */
bool work_instructions(const struct work *work, const char *program, uint64_t *out,
                       struct err *err);
