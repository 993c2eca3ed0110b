/* The farm's conversation. Rank 0 sends TASK (a farm_task) and END (no more; whether to give
 * up what is under way); the others send RESULT (number, whether it went well, bytes), STOP (a
 * signal came here) and, last of all, LEFT. As messages from one rank keep their order, nothing is
 * left in the air once every LEFT has been received, but perhaps an ALIVE, which says nothing to a
 * later farm either. Both sides send it now and then; what a lost rank says after all is not
 * listened to. */
#include "selfplay/farm/farm.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "selfplay/farm/farm_peer.h"

enum tag { TAG_TASK, TAG_END, TAG_RESULT, TAG_STOP, TAG_LEFT, TAG_ALIVE };

/* farm_poll looks no more often: on a crowded machine a look can cost the core for a while. */
static const double POLL_SECONDS = 2e-3;

/* A rank is heard of at least so many times within the silence after which it is lost. */
enum { SIGNS = 6 };

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

    double silence, told;   /* seconds; clock_seconds of the last sign of life */
    struct farm_peer *peer; /* [ranks] */

    /* Rank 0: what nobody has; before the list what is urgent and what lost ranks had. How many
     * tasks all others hold. */
    struct farm_tasks tasks;
    int64_t out;

    /* Other ranks: tasks to do, the one being done first. */
    struct farm_task queue[FARM_QUEUE];
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
        if (!seat->peer[rank].lost) {
            comm_send(seat->comm, rank, TAG_END, &(uint8_t){give_up}, 1);
        }
    }
}

/* Rank 0: this is to be done before the list. */
static void put_first(struct farm_seat *seat, const struct farm_task *task)
{
    if (!farm_tasks_put_first(&seat->tasks, task)) {
        seat->failed = true;
        err_set(seat->err, ERR_FAILED, "out of memory for urgent tasks");
        end_all(seat, true);
    }
}

/* Rank 0: asks what is urgent. */
static void ask_urgent(struct farm_seat *seat)
{
    struct farm_task task;
    while (seat->farm->urgent != NULL && !seat->ending &&
           seat->farm->urgent(seat->farm->context, &task)) {
        put_first(seat, &task);
    }
}

/* Rank 0: hands tasks to a rank until it holds enough. */
static void feed(struct farm_seat *seat, int rank)
{
    struct farm_peer *peer = &seat->peer[rank];
    int64_t few = 2 * (int64_t)seat->comm->size;
    for (int64_t left; !seat->ending && (left = farm_tasks_left(&seat->tasks)) > 0;) {
        if (peer->held >= (left > few && !peer->busy ? FARM_QUEUE : 1)) {
            return;
        }
        bool first = seat->tasks.first_count > 0;
        struct farm_task task = farm_tasks_take(&seat->tasks);
        comm_send(seat->comm, rank, TAG_TASK, &task, sizeof task);
        farm_peer_give(peer, &task, first);
        seat->out++;
    }
}

static void feed_all(struct farm_seat *seat)
{
    for (int rank = 1; rank < seat->comm->size; rank++) {
        if (!seat->peer[rank].lost && !seat->peer[rank].left) {
            feed(seat, rank);
        }
    }
}

/* Rank 0: takes a rank's tasks back, and gives them to ranks that have none. */
static void lose(struct farm_seat *seat, int lost)
{
    struct farm_peer *peer = &seat->peer[lost];
    peer->lost = true;
    for (int i = 0; i < peer->held; i++) {
        put_first(seat, &peer->task[i]);
    }
    seat->out -= peer->held;
    peer->held = 0;
    feed_all(seat);
}

/* Any rank: says that it lives, and looks who has not for long. `now` is the time of this look. */
static void watch_peers(struct farm_seat *seat, double now)
{
    const struct comm *comm = seat->comm;
    double stopped = now - seat->attended; /* all of it when nobody looked here */
    bool tell = now - seat->told >= seat->silence / SIGNS;
    if (!tell && stopped <= seat->silence / SIGNS) {
        return;
    }
    seat->told = tell ? now : seat->told;
    int first = comm->rank == 0 ? 1 : 0, end = comm->rank == 0 ? comm->size : 1;
    for (int rank = first; rank < end; rank++) {
        struct farm_peer *peer = &seat->peer[rank];
        if (peer->left || peer->lost) {
            continue;
        }
        if (stopped > seat->silence / SIGNS) {
            peer->heard += stopped;
        }
        if (tell) {
            comm_send(comm, rank, TAG_ALIVE, NULL, 0);
        }
        if (now - peer->heard > seat->silence && rank == 0) {
            comm_abort("rank 0 has fallen silent; finished games are kept, the same command "
                       "goes on");
        } else if (now - peer->heard > seat->silence) {
            lose(seat, rank);
        }
    }
}

/* Rank 0: ends the job when there are lost ranks: nothing can be agreed upon with them. */
static void end_without_lost(const struct farm_seat *seat)
{
    int first, lost = farm_peers_lost(seat->peer, seat->comm->size, &first);
    char text[ERR_TEXT];
    snprintf(text, sizeof text,
             "%d ranks have fallen silent, rank %d first; the others have finished what was to be "
             "done, the same command goes on from there",
             lost, first);
    if (lost > 0) {
        comm_abort(text);
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
    ask_urgent(seat);
}

static void take_result(struct farm_seat *seat, const struct comm_message *message)
{
    struct outcome_header header;
    assert(message->size >= sizeof header);
    memcpy(&header, seat->message, sizeof header);
    struct farm_peer *peer = &seat->peer[message->source];
    seat->out -= farm_peer_return(peer, header.task);
    finish_task(seat, header.task, header.ok != 0, seat->message + sizeof header,
                message->size - sizeof header);
    feed(seat, message->source);
}

/* Any rank: receives the message described and does what it says. */
static void take_message(struct farm_seat *seat, const struct comm_message *message)
{
    assert(message->size <= sizeof(struct outcome_header) + FARM_RESULT_MAX);
    comm_receive(seat->comm, message, seat->message);
    struct farm_peer *peer = &seat->peer[message->source];
    if (peer->lost) {
        return;
    }
    peer->heard = clock_seconds();
    switch ((enum tag)message->tag) {
    case TAG_TASK:
        assert(seat->queued < FARM_QUEUE);
        memcpy(&seat->queue[seat->queued++], seat->message, sizeof seat->queue[0]);
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
        peer->left = true;
        break;
    case TAG_ALIVE:
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
    double now = clock_seconds();
    watch_peers(seat, now);
    seat->attended = now;
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
    return attend(seat);
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
static bool do_task(struct farm_seat *seat, const struct farm_task *task, uint8_t *result,
                    size_t *size)
{
    *size = 0;
    bool ok = seat->farm->work(seat->farm->context, seat, task, result, size, seat->err);
    assert(*size <= FARM_RESULT_MAX);
    if (!ok) {
        seat->failed = true;
    }
    return ok;
}

/* Rank 0: whether a rank that is not lost has yet to leave. */
static bool some_stay(const struct farm_seat *seat)
{
    for (int rank = 1; rank < seat->comm->size; rank++) {
        if (!seat->peer[rank].left && !seat->peer[rank].lost) {
            return true;
        }
    }
    return false;
}

/* Rank 0: does a task of the list, or, alone, what goes before it; false when there is none. */
static bool work_here(struct farm_seat *seat)
{
    bool alone = !some_stay(seat), listed = seat->tasks.next < seat->tasks.count;
    if (seat->ending || !(listed || (alone && seat->tasks.first_count > 0))) {
        return false;
    }
    struct farm_task task =
        alone ? farm_tasks_take(&seat->tasks) : farm_tasks_take_listed(&seat->tasks);
    size_t size;
    bool ok = do_task(seat, &task, seat->result, &size);
    finish_task(seat, task.number, ok, seat->result, ok ? size : 0);
    if (seat->tasks.first_count > 0) {
        feed_all(seat);
    }
    return true;
}

static void run_first_rank(struct farm_seat *seat)
{
    ask_urgent(seat);
    feed_all(seat);
    while (attend(seat) && (farm_tasks_left(&seat->tasks) > 0 || seat->out > 0)) {
        if (!work_here(seat)) {
            rest(seat);
        }
    }
    end_all(seat, false);
    while (some_stay(seat)) {
        rest(seat);
    }
    end_without_lost(seat);
}

static void run_other_rank(struct farm_seat *seat)
{
    while (attend(seat), !seat->ending) {
        if (seat->queued == 0 || seat->failed || seat->stopping) {
            rest(seat);
            continue;
        }
        struct outcome_header header = {.task = seat->queue[0].number};
        size_t size;
        header.ok = do_task(seat, &seat->queue[0], seat->result + sizeof header, &size);
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
    struct farm_seat seat = {.comm = comm,
                             .farm = farm,
                             .stop = stop,
                             .err = err,
                             .tasks = {.list = tasks, .count = count},
                             .silence = farm->silence > 0 ? farm->silence : FARM_SILENCE};
    size_t room = sizeof(struct outcome_header) + FARM_RESULT_MAX;
    seat.message = malloc(room);
    seat.result = malloc(room);
    seat.peer = calloc((size_t)comm->size, sizeof *seat.peer);
    bool ok = seat.message != NULL && seat.result != NULL && seat.peer != NULL;
    if (!ok) {
        err_set(err, ERR_FAILED, "out of memory for the farm");
    }
    ok = comm_agree(comm, ok, err) && ok;
    seat.attended = seat.told = clock_seconds();
    for (int rank = 0; ok && rank < comm->size; rank++) {
        seat.peer[rank].heard = seat.told;
    }
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
    free(seat.peer);
    farm_tasks_fini(&seat.tasks);
    *stopped = comm_max(comm, seat.stopping) != 0;
    return ok;
}
