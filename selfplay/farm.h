/* Tasks farmed out over the ranks: self-play games, match pairs, calibration pairs.
 *
 * Rank 0 hands out task numbers and plays too; each other rank always holds one task more than it
 * works on, so that it need not wait for an answer. What a task does must be a pure function of
 * its number: it does not matter who does it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/comm.h"

enum { FARM_RESULT_MAX = 1 << 16 };

struct farm {
    void *context;

    /* Does one task, on any rank, and writes its result, at most FARM_RESULT_MAX bytes, to
     * `result` (*size bytes). False ends the farm on all ranks. It may call farm_stopping now and
     * then and give up with *size = 0 and true: the task then counts as not done. */
    bool (*work)(void *context, int64_t task, void *result, size_t *size, struct err *err);

    /* Takes a finished task's result, on rank 0 only, in the order in which tasks finish. */
    bool (*done)(void *context, int64_t task, const void *result, size_t size, struct err *err);
};

/* Collective. Does tasks[0..count) (rank 0's list; others pass NULL and 0). Returns on all ranks
 * alike: true when the work ended without an error; *stopped tells whether it was cut short by
 * farm_stop, on every rank. */
bool farm_run(const struct comm *comm, const struct farm *farm, const int64_t *tasks, int64_t count,
              bool *stopped, struct err *err);

/* Asks for a clean stop: no new task is begun, tasks under way are given up, what is finished is
 * kept. SIGINT, SIGTERM and SIGUSR1 on any rank do the same once farm_catch_signals was called. A
 * second SIGINT ends the program at once. */
void farm_catch_signals(void);
bool farm_stopping(void);
