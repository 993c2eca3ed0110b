/* Ranks over MPI-3.1, from one thread.
 *
 * An MPI call that blocks spins. So every collective begins with a barrier that is waited for with
 * sleeps; once all ranks have arrived the blocking call behind it is short and uses the library's
 * best algorithm. Sends go through a buffer of our own (MPI_Bsend): they never wait. */
#include "selfplay/farm/comm.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/base/clock.h"

/* Waits that end within this many seconds are spun through, yielding the core: ranks that compute
 * in step (the tuner's) meet every few milliseconds. */
static const double SPIN_SECONDS = 2e-3;

enum {
    SLEEP_NANOSECONDS = 200000, /* between two looks of a longer wait */
    MESSAGES_UNDERWAY = 8192,
    BROADCAST_CHUNK = 1 << 30, /* bytes; MPI counts in int */
    SUM_CHUNK = 1 << 24,       /* values */
};

static void pause_since(double began)
{
    if (clock_seconds() - began < SPIN_SECONDS) {
        sched_yield();
    } else {
        const struct timespec nap = {0, SLEEP_NANOSECONDS};
        nanosleep(&nap, NULL);
    }
}

_Noreturn void comm_abort(const char *text)
{
    fprintf(stderr, "error: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, ERR_FAILED);
    abort(); /* MPI_Abort does not return */
}

struct comm comm_start(int *argc, char ***argv)
{
    struct comm comm = {.patience = 0};
    /* MPI's default is to end the job on any error, here and below. Other threads than the one that
     * calls this exist (the lock's), but none of them calls MPI. */
    int threads;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm.size);

    int size = COMM_UNDERWAY + MESSAGES_UNDERWAY * (MPI_BSEND_OVERHEAD + 128);
    void *buffer = malloc((size_t)size);
    if (buffer == NULL) {
        comm_abort("no memory for messages");
    }
    MPI_Buffer_attach(buffer, size);
    return comm;
}

bool comm_check(const struct comm *comm, struct err *err)
{
    const char *tasks = getenv("SLURM_NTASKS");
    return tasks == NULL || atoi(tasks) == comm->size ||
           err_set(
               err, ERR_USAGE,
               "Slurm has started %s tasks (SLURM_NTASKS), but MPI has made a job of %d: start "
               "it with srun --mpi=pmix or with mpirun; with other ranks than tasks on purpose, "
               "unset SLURM_NTASKS",
               tasks, comm->size);
}

void comm_finish(void)
{
    void *buffer = NULL;
    int size = 0;
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    MPI_Finalize();
}

_Noreturn static void end_impatiently(const struct comm *comm)
{
    char text[ERR_TEXT];
    snprintf(
        text, sizeof text,
        "rank %d has waited %.0f s for the others, of whom one is stuck (or needs longer, which "
        "run.patience allows); what was finished is kept, the same command goes on",
        comm->rank, comm->patience);
    comm_abort(text);
}

void comm_barrier(const struct comm *comm)
{
    if (comm->size == 1) {
        return;
    }
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    double began = clock_seconds();
    for (int arrived = 0;;) {
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
        if (arrived) {
            return;
        }
        if (comm->patience > 0 && clock_seconds() - began > comm->patience) {
            end_impatiently(comm);
        }
        pause_since(began);
    }
}

static void broadcast_from(const struct comm *comm, int root, void *data, size_t size)
{
    if (comm->size == 1) {
        return;
    }
    comm_barrier(comm);
    for (char *at = data; size > 0;) {
        int count = size < BROADCAST_CHUNK ? (int)size : BROADCAST_CHUNK;
        MPI_Bcast(at, count, MPI_BYTE, root, MPI_COMM_WORLD);
        at += count;
        size -= (size_t)count;
    }
}

void comm_broadcast(const struct comm *comm, void *data, size_t size)
{
    broadcast_from(comm, 0, data, size);
}

void comm_sum(const struct comm *comm, int64_t *values, size_t count)
{
    if (comm->size == 1) {
        return;
    }
    comm_barrier(comm);
    while (count > 0) {
        int chunk = count < SUM_CHUNK ? (int)count : SUM_CHUNK;
        MPI_Allreduce(MPI_IN_PLACE, values, chunk, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        values += chunk;
        count -= (size_t)chunk;
    }
}

/* Room for what MPI wants to know about each rank, in int: `lists` lists of comm->size numbers. */
static int *int_lists(const struct comm *comm, size_t lists)
{
    int *list = calloc(lists * (size_t)comm->size, sizeof *list);
    if (list == NULL) {
        comm_abort("no memory for a list of the ranks");
    }
    return list;
}

void comm_sum_parts(const struct comm *comm, int64_t *values, int64_t *part, const size_t *first)
{
    int *count = int_lists(comm, 1);
    for (int rank = 0; rank < comm->size; rank++) {
        assert(first[rank + 1] - first[rank] <= INT_MAX);
        count[rank] = (int)(first[rank + 1] - first[rank]);
    }
    comm_barrier(comm);
    MPI_Reduce_scatter(values, part, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    free(count);
}

void comm_gather(const struct comm *comm, void *data, const size_t *first)
{
    int *count = int_lists(comm, 2), *place = count + comm->size;
    assert(first[comm->size] <= INT_MAX);
    for (int rank = 0; rank < comm->size; rank++) {
        count[rank] = (int)(first[rank + 1] - first[rank]);
        place[rank] = (int)first[rank];
    }
    comm_barrier(comm);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, place, MPI_BYTE,
                   MPI_COMM_WORLD);
    free(count);
}

void comm_transpose(const struct comm *comm, const int64_t *out, int64_t *in)
{
    comm_barrier(comm);
    MPI_Alltoall(out, 1, MPI_INT64_T, in, 1, MPI_INT64_T, MPI_COMM_WORLD);
}

/* Counts and places in int of what lies in the order of the ranks. */
static void lay_out(const struct comm *comm, const int64_t *count, int *counts, int *places)
{
    int64_t place = 0;
    for (int rank = 0; rank < comm->size; rank++) {
        assert(place + count[rank] <= INT_MAX);
        counts[rank] = (int)count[rank];
        places[rank] = (int)place;
        place += count[rank];
    }
}

void comm_exchange(const struct comm *comm, size_t size, const void *out, const int64_t *out_count,
                   void *in, const int64_t *in_count)
{
    int *lists = int_lists(comm, 4), ranks = comm->size;
    int *sent = lists, *from = lists + ranks, *received = lists + 2 * ranks,
        *to = lists + 3 * ranks;
    MPI_Datatype item;
    lay_out(comm, out_count, sent, from);
    lay_out(comm, in_count, received, to);
    MPI_Type_contiguous((int)size, MPI_BYTE, &item);
    MPI_Type_commit(&item);
    comm_barrier(comm);
    MPI_Alltoallv(out, sent, from, item, in, received, to, item, MPI_COMM_WORLD);
    MPI_Type_free(&item);
    free(lists);
}

int64_t comm_max(const struct comm *comm, int64_t value)
{
    if (comm->size == 1) {
        return value;
    }
    comm_barrier(comm);
    int64_t largest = value;
    MPI_Allreduce(&value, &largest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return largest;
}

bool comm_agree(const struct comm *comm, bool ok, struct err *err)
{
    int failed = (int)-comm_max(comm, ok ? -comm->size : -comm->rank); /* lowest that failed */
    if (failed == comm->size) {
        return true;
    }
    struct err theirs = {.code = ERR_FAILED};
    if (failed == comm->rank && err != NULL) {
        theirs = *err;
    }
    broadcast_from(comm, failed, &theirs, sizeof theirs);
    if (failed != 0) {
        err_prefix(&theirs, "rank %d", failed);
    }
    if (err != NULL) {
        *err = theirs;
    }
    return false;
}

void comm_send(const struct comm *comm, int destination, int tag, const void *data, size_t size)
{
    (void)comm;
    MPI_Bsend(data, (int)size, MPI_BYTE, destination, tag, MPI_COMM_WORLD);
}

bool comm_probe(const struct comm *comm, struct comm_message *message)
{
    if (comm->size == 1) {
        return false;
    }
    int waits = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waits, &status);
    if (!waits) {
        return false;
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    *message = (struct comm_message){status.MPI_SOURCE, status.MPI_TAG, (size_t)size};
    return true;
}

bool comm_wait(const struct comm *comm, double seconds, struct comm_message *message)
{
    double began = clock_seconds();
    while (!comm_probe(comm, message)) {
        if (clock_seconds() - began >= seconds) {
            return false;
        }
        pause_since(began);
    }
    return true;
}

void comm_receive(const struct comm *comm, const struct comm_message *message, void *data)
{
    (void)comm;
    MPI_Recv(data, (int)message->size, MPI_BYTE, message->source, message->tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}
