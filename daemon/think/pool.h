/* The search threads: a bounded queue in, finished jobs out.
 *
 * The event loop submits jobs, is told by a file descriptor when some are done, and takes them
 * back. Each thread keeps one searcher for each rule set.
 *
 * Two lanes keep long searches (analyses) from standing before the quick ones: with several threads
 * one is never given to a long search, with one thread the lanes take turns. In each lane everybody
 * who waits has a turn before anybody has a second one; when it is full, the newest job of whoever
 * has most waiting makes room for somebody with fewer. */
#pragma once

#include "daemon/think/task.h"
#include "engine/base/err.h"

struct pool;

/* A task on its way through the pool. The fields belong to the event loop before pool_submit and
 * after pool_take, to the pool in between. */
struct job {
    struct task *task;
    void *owner;              /* always the submitter's; the pool does not look at it */
    uint64_t key;             /* whose turn it takes: a game's or an address's; the submitter's */
    bool cancelled;           /* by pool_cancel: `response` is empty */
    bool refused;             /* it had to make room: `response` is empty */
    struct response response; /* by the search thread */
    uint64_t nodes;
    double seconds; /* of search */
    struct job *next;
    uint64_t turn; /* the pool's */
};

enum { LONG_NODES = 100000 }; /* what takes so many is a long search */

/* What the pool is doing. */
struct pool_load {
    int queued, running;
    double seconds; /* that what is queued may take, by the rate of the searches so far */
};

/* Starts `threads` threads; at most `queue` jobs wait in each lane. NULL when the system refuses.
 */
struct pool *pool_create(int threads, int queue, struct err *err);

/* Stops the searches, ends the threads and frees the jobs still inside. Takes NULL. */
void pool_destroy(struct pool *pool);

/* Readable when finished jobs wait; pool_take makes it quiet again. */
int pool_fd(const struct pool *pool);

/* Queues a job. False when its lane is full of others' jobs that come before it: the job stays the
 * caller's. */
bool pool_submit(struct pool *pool, struct job *job);

/* Asks for an early end of a job submitted and not yet taken back; it comes back as cancelled,
 * soon, unless it has ended already. */
void pool_cancel(struct pool *pool, struct job *job);

/* The jobs finished since the last call, oldest first, linked by `next`; NULL when there is none.
 * They are the caller's, each to be freed with job_destroy. */
struct job *pool_take(struct pool *pool);

struct pool_load pool_load(struct pool *pool);

/* A job for a task, which it then owns, in the turns of a key. NULL when memory is out. */
struct job *job_create(struct task *task, void *owner, uint64_t key);
/* Takes NULL. */
void job_destroy(struct job *job);
