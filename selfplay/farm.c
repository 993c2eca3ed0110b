/* The farm's conversation. Rank 0 sends TASK (a task's number) and END (no more; whether to give
 * up what is under way); the others send RESULT (number, whether it went well, bytes), STOP (a
 * signal came here) and, last of all, LEFT. As messages from one rank keep their order, nothing is
 * left in the air once every LEFT has been received. */
#include "selfplay/farm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"

enum tag { TAG_TASK, TAG_END, TAG_RESULT, TAG_STOP, TAG_LEFT };

enum { QUEUE = 2 }; /* tasks a rank other than 0 holds, the one it works on included */

/* farm_poll looks no more often: on a crowded machine a look can cost the core for a while. */
static const double POLL_SECONDS = 2e-3;

struct outcome_header {
    int64_t task;
    int64_t ok;
};

struct farm_seat {
    const struct comm *comm;
    const struct farm *farm;
    struct stop *stop;
    struct err *err;
    bool failed;               /* here: err says why */
    bool stopping;             /* a signal came, here or (rank 0) anywhere */
    bool ending;               /* no task is to be begun */
    bool give_up;              /* nor finished */
    double attended;           /* clock_seconds of the last look at messages and signals */
    uint8_t *message, *result; /* [sizeof (struct outcome_header) + FARM_RESULT_MAX] each */

    /* Rank 0: the list, the next to hand out, what each rank holds, what all others hold. */
    const int64_t *tasks;
    int64_t count, next, out;
    int *held;
    int left; /* ranks that have left */

    /* Other ranks: tasks to do, the one being done first. */
    int64_t queue[QUEUE];
    int queued;
};

/* Rank 0: tells everybody, once or, when give_up comes later, twice. */
static void end_all(struct farm_seat *seat, bool give_up)
{
    if (seat->ending && (seat->give_up || !give_up)) {
        return;
    }
    seat->ending = true;
    seat->give_up = give_up;
    for (int rank = 1; rank < seat->comm->size; rank++) {
        comm_send(seat->comm, rank, TAG_END, &(uint8_t){give_up}, 1);
    }
}

/* Rank 0: hands tasks to a rank until it holds enough. */
static void feed(struct farm_seat *seat, int rank)
{
    int64_t few = 2 * (int64_t)seat->comm->size;
    while (!seat->ending && seat->next < seat->count) {
        if (seat->held[rank] >= (seat->count - seat->next > few ? QUEUE : 1)) {
            return;
        }
        int64_t task = seat->tasks[seat->next++];
        comm_send(seat->comm, rank, TAG_TASK, &task, sizeof task);
        seat->held[rank]++;
        seat->out++;
    }
}

/* Rank 0: a finished task, from whichever rank; ok is false when it failed there. */
static void finish_task(struct farm_seat *seat, int64_t task, bool ok, const void *result,
                        size_t size)
{
    if (ok && size > 0 && !seat->failed &&
        !seat->farm->done(seat->farm->context, task, result, size, seat->err)) {
        seat->failed = true;
    }
    bool enough = ok && size > 0 && !seat->failed && seat->farm->enough &&
                  seat->farm->enough(seat->farm->context);
    if (!ok || seat->failed || enough) {
        end_all(seat, true);
    }
}

static void take_result(struct farm_seat *seat, const struct comm_message *message)
{
    struct outcome_header header;
    assert(message->size >= sizeof header);
    memcpy(&header, seat->message, sizeof header);
    seat->held[message->source]--;
    seat->out--;
    finish_task(seat, header.task, header.ok != 0, seat->message + sizeof header,
                message->size - sizeof header);
    feed(seat, message->source);
}

/* Any rank: receives the message described and does what it says. */
static void take_message(struct farm_seat *seat, const struct comm_message *message)
{
    assert(message->size <= sizeof(struct outcome_header) + FARM_RESULT_MAX);
    comm_receive(seat->comm, message, seat->message);
    switch ((enum tag)message->tag) {
    case TAG_TASK:
        assert(seat->queued < QUEUE);
        memcpy(&seat->queue[seat->queued++], seat->message, sizeof(int64_t));
        break;
    case TAG_END:
        seat->ending = true;
        seat->give_up = seat->give_up || seat->message[0] != 0;
        break;
    case TAG_RESULT:
        take_result(seat, message);
        break;
    case TAG_STOP:
        seat->stopping = true;
        end_all(seat, true);
        break;
    case TAG_LEFT:
        seat->left++;
        break;
    }
}

/* Takes all messages that wait, and notices a signal. */
static bool attend(struct farm_seat *seat)
{
    struct comm_message message;
    while (comm_probe(seat->comm, &message)) {
        take_message(seat, &message);
    }
    if (!seat->stopping && stop_requested(seat->stop)) {
        seat->stopping = true;
        if (seat->comm->rank == 0) {
            end_all(seat, true);
        } else if (!seat->ending) {
            comm_send(seat->comm, 0, TAG_STOP, NULL, 0);
        }
    }
    return !seat->give_up && !seat->stopping;
}

bool farm_poll(struct farm_seat *seat)
{
    double now = clock_seconds();
    if (now - seat->attended < POLL_SECONDS) {
        return !seat->give_up && !seat->stopping;
    }
    bool go_on = attend(seat);
    seat->attended = clock_seconds();
    return go_on;
}

static bool poll_seat(void *seat)
{
    return farm_poll(seat);
}

struct play_watch farm_watch(struct farm_seat *seat)
{
    return (struct play_watch){seat != NULL ? poll_seat : NULL, seat};
}

/* Sleeps until a message comes, but no longer than a signal may wait. */
static void rest(struct farm_seat *seat)
{
    struct comm_message message;
    if (comm_wait(seat->comm, 0.02, &message)) {
        take_message(seat, &message);
    }
    attend(seat);
}

/* Does a task here; true and *size as the farm's work says. */
static bool do_task(struct farm_seat *seat, int64_t task, uint8_t *result, size_t *size)
{
    *size = 0;
    bool ok = seat->farm->work(seat->farm->context, seat, task, result, size, seat->err);
    assert(*size <= FARM_RESULT_MAX);
    if (!ok) {
        seat->failed = true;
    }
    return ok;
}

static void run_first_rank(struct farm_seat *seat)
{
    for (int rank = 1; rank < seat->comm->size; rank++) {
        feed(seat, rank);
    }
    while (attend(seat) && (seat->next < seat->count || seat->out > 0)) {
        if (seat->ending || seat->next == seat->count) {
            rest(seat);
            continue;
        }
        int64_t task = seat->tasks[seat->next++];
        size_t size;
        bool ok = do_task(seat, task, seat->result, &size);
        finish_task(seat, task, ok, seat->result, ok ? size : 0);
    }
    end_all(seat, false);
    while (seat->left < seat->comm->size - 1) {
        rest(seat);
    }
}

static void run_other_rank(struct farm_seat *seat)
{
    while (attend(seat), !seat->ending) {
        if (seat->queued == 0 || seat->failed || seat->stopping) {
            rest(seat);
            continue;
        }
        int64_t task = seat->queue[0];
        struct outcome_header header = {.task = task};
        size_t size;
        header.ok = do_task(seat, task, seat->result + sizeof header, &size);
        memmove(&seat->queue[0], &seat->queue[1], sizeof seat->queue - sizeof seat->queue[0]);
        seat->queued--;
        if (header.ok && size == 0) {
            continue; /* given up */
        }
        memcpy(seat->result, &header, sizeof header);
        comm_send(seat->comm, 0, TAG_RESULT, seat->result, sizeof header + (header.ok ? size : 0));
    }
    comm_send(seat->comm, 0, TAG_LEFT, NULL, 0);
}

bool farm_run(const struct comm *comm, const struct farm *farm, struct stop *stop,
              const int64_t *tasks, int64_t count, bool *stopped, struct err *err)
{
    struct farm_seat seat = {
        .comm = comm, .farm = farm, .stop = stop, .err = err, .tasks = tasks, .count = count};
    size_t room = sizeof(struct outcome_header) + FARM_RESULT_MAX;
    seat.message = malloc(room);
    seat.result = malloc(room);
    seat.held = calloc((size_t)comm->size, sizeof *seat.held);
    bool ok = seat.message != NULL && seat.result != NULL && seat.held != NULL;
    if (!ok) {
        err_set(err, ERR_FAILED, "out of memory for the farm");
    }
    ok = comm_agree(comm, ok, err) && ok;
    if (ok) {
        if (comm->rank == 0) {
            run_first_rank(&seat);
        } else {
            run_other_rank(&seat);
        }
        ok = comm_agree(comm, !seat.failed, err);
    }
    free(seat.message);
    free(seat.result);
    free(seat.held);
    *stopped = comm_max(comm, seat.stopping) != 0;
    return ok;
}
