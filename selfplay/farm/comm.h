/* The ranks of a job. The only place that knows MPI: everything above passes values through here,
 * so that a stage can be read, and tested, without it.
 *
 * All functions marked collective must be called by every rank in the same order; a rank that
 * waits in one for the others sleeps, but no longer than its patience: then the job ends, since one
 * of them is stuck. It also ends when MPI itself fails: nothing can be agreed upon after that. Only
 * the thread that called comm_start may call any of this. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct comm {
    int rank, size;
    double patience; /* seconds that it waits for the others; 0: for ever */
};

/* Starts MPI (collective; once a process); patience is 0. */
struct comm comm_start(int *argc, char ***argv);

/* Whether the batch system's tasks have all become ranks of this job; true where there is none.
 * When MPI and Slurm do not understand each other each task is a job of one rank. ERR_USAGE says
 * how to start it. */
bool comm_check(const struct comm *comm, struct err *err);

/* Ends the job on all ranks at once, with exit status ERR_FAILED, for when not all can be waited
 * for any more. Any rank. */
_Noreturn void comm_abort(const char *text);

/* Ends MPI (collective). */
void comm_finish(void);

/* Collective: rank 0's bytes to everybody. */
void comm_broadcast(const struct comm *comm, void *data, size_t size);

/* Collective: element-wise sum over ranks, in place, on every rank. Integer sums are exact, so the
 * result does not depend on the number of ranks. */
void comm_sum(const struct comm *comm, int64_t *values, size_t count);

/* Collective: the same sum, of which rank r receives part[0 .. first[r + 1] - first[r]): the sums
 * of values[first[r] .. first[r + 1]). The values are spoilt. first[size + 1] is the same on every
 * rank. */
void comm_sum_parts(const struct comm *comm, int64_t *values, int64_t *part, const size_t *first);

/* Collective: bytes [first[r], first[r + 1]) of rank r's data into everybody's data, where they
 * have the same place. */
void comm_gather(const struct comm *comm, void *data, const size_t *first);

/* Collective: one value to and from each rank: in[r] is what rank r has in its out[own rank]. */
void comm_transpose(const struct comm *comm, const int64_t *out, int64_t *in);

/* Collective: items of `size` bytes, out_count[r] of them to rank r, those for rank 0 first; they
 * come in in the order of the ranks, in_count[r] of them from rank r (comm_transpose tells). No
 * rank may send or receive 2^31 items. */
void comm_exchange(const struct comm *comm, size_t size, const void *out, const int64_t *out_count,
                   void *in, const int64_t *in_count);

/* Collective: the largest value of any rank. */
int64_t comm_max(const struct comm *comm, int64_t value);

/* Collective: waits for everybody. */
void comm_barrier(const struct comm *comm);

/* Collective: true when every rank's `ok` is true. Otherwise false everywhere, and *err on every
 * rank is that of the lowest rank that failed ("rank N: " before its text when N is not 0). */
bool comm_agree(const struct comm *comm, bool ok, struct err *err);

/* Point to point, for the farm: messages of bytes with a small tag >= 0. A send returns when the
 * bytes may be reused and does not wait for the receiver's attention; at most COMM_UNDERWAY bytes
 * (and 128 for each message) may be on their way from one rank. Messages from one rank arrive in
 * the order in which they were sent. */
enum { COMM_UNDERWAY = 1 << 22 };
struct comm_message {
    int source, tag;
    size_t size;
};
void comm_send(const struct comm *comm, int destination, int tag, const void *data, size_t size);

/* Whether a message waits; does not block. */
bool comm_probe(const struct comm *comm, struct comm_message *message);

/* Waits at most `seconds` for a message, sleeping between looks; false when none came. */
bool comm_wait(const struct comm *comm, double seconds, struct comm_message *message);

/* Receives the message that comm_probe or comm_wait described into data[message->size]. */
void comm_receive(const struct comm *comm, const struct comm_message *message, void *data);
