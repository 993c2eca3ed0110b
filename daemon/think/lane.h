/* What waits for a search thread, in fair order: whoever waits has a turn before anybody has a
 * second one.
 *
 * A job's turn is the present one, or the one behind the last that its key has waiting. Jobs of one
 * turn go in the order in which they came. The pool's mutex guards it. */
#pragma once

#include "daemon/think/pool.h"

struct job_list {
    struct job *first, **last;
};

void job_list_init(struct job_list *list);
void job_list_append(struct job_list *list, struct job *job);

struct lane {
    struct job_list queue;
    int count;
    uint64_t turn;  /* of the job taken last */
    uint64_t nodes; /* that the waiting jobs may take */
};

void lane_init(struct lane *lane);

/* Adds a job. When `limit` wait already, the last one goes out for it, if its turn is later: *out,
 * else NULL. False: the lane is full of jobs whose turn is not later. */
bool lane_add(struct lane *lane, struct job *job, int limit, struct job **out);

/* Takes the job whose turn it is; NULL when none waits. */
struct job *lane_take(struct lane *lane);

/* Takes a job out; false when it does not wait here. */
bool lane_remove(struct lane *lane, struct job *job);
