/* Tasks farmed out over the ranks: self-play games, match pairs, calibration pairs.
 *
 * Rank 0 hands out task numbers and works too; each other rank holds one task more than it works
 * on, so that it need not wait for an answer (but for the last few tasks, which are handed out one
 * by one so that no rank sits on work another could do). What a task does must be a pure function
 * of its number: it does not matter who does it.
 *
 * A rank that is silent for long, dead or stuck, loses its tasks to the others, who go on (Open MPI
 * lets them with mpirun --enable-recovery). MPI cannot agree on anything without it, so the job
 * ends when all tasks are done, on all ranks, with a message that says so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/farm_tasks.h"
#include "selfplay/farm/stop.h"
#include "selfplay/farm/watch.h"

/* A pair of the longest games that the rules allow fits: 22 500 plies of 10 bytes each. */
enum { FARM_RESULT_MAX = 1 << 19 };

/* Seconds. Time during which this rank itself was stopped does not count. */
enum { FARM_SILENCE = 120 };

struct farm_seat; /* a rank's place in a running farm */

/* To be called by `work` every few milliseconds, or more often, else the rank counts as silent: a
 * look that comes too soon costs next to nothing. Rank 0 answers the others meanwhile, and every
 * rank looks for a stop. False: give up the task. */
bool farm_poll(struct farm_seat *seat);

/* A watch that polls the farm; without a seat (NULL) the game goes on to its end. */
struct play_watch farm_watch(struct farm_seat *seat);

struct farm {
    void *context;
    double silence; /* seconds after which a rank that says nothing is lost; 0: FARM_SILENCE */

    /* Does one task, on any rank, and writes its result, at most FARM_RESULT_MAX bytes, to
     * `result` (*size bytes, at least 1). False ends the farm on all ranks. When farm_poll says
     * so it gives up with *size = 0 and true: the task then counts as not done. */
    bool (*work)(void *context, struct farm_seat *seat, const struct farm_task *task, void *result,
                 size_t *size, struct err *err);

    /* Takes a finished task's result, on rank 0 only, in the order in which tasks finish. False
     * ends the farm on all ranks. */
    bool (*done)(void *context, int64_t task, const void *result, size_t size, struct err *err);

    /* Whether the tasks done are enough; asked on rank 0 after each `done`. The rest is then given
     * up, which is no stop. NULL: all are wanted. */
    bool (*enough)(void *context);

    /* A task that has come up and is to be done before the rest of the list, by another rank than
     * rank 0 if there is one: it may take long, and its rank is given nothing else meanwhile. Asked
     * on rank 0 at the start and after each `done` until it says no. NULL: there are none. */
    bool (*urgent)(void *context, struct farm_task *task);
};

/* Collective. Does tasks[0..count) (rank 0's list; others pass NULL and 0) and
 * what is urgent. Returns on all ranks
 * alike: false with the error of the lowest rank that failed; otherwise true, and *stopped tells,
 * on every rank, whether a stop on any rank cut the work short. */
bool farm_run(const struct comm *comm, const struct farm *farm, struct stop *stop,
              const int64_t *tasks, int64_t count, bool *stopped, struct err *err);
