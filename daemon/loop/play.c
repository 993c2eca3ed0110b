/* From a stored event to the next one. */
#include "daemon/loop/play.h"

#include <stdlib.h>
#include <time.h>

#include "daemon/api/game_api.h"
#include "daemon/game/decide.h"
#include "daemon/loop/desk.h"
#include "daemon/loop/live_room.h"
#include "engine/base/clock.h"

/* --- those who wait -------------------------------------------------------------------------- */

static void wait_in(struct connection *connection, struct room *room, bool asking)
{
    connection->room = room;
    connection->asking = asking;
    connection_watch(connection);
}

void play_wait(struct connection *connection, const struct answer *answer)
{
    struct room *room = answer->room;

    if (connection->wait_until <= 0.0) {
        connection->wait_until = clock_seconds() + answer->wait;
        connection_rearm_for(connection, answer->wait);
    }
    connection->next_waiter = room->waiters;
    room->waiters = connection;
    room->hint_wanted = room->hint_wanted || answer->hint;
    wait_in(connection, room, false);
}

void play_leave(struct connection *connection)
{
    struct room *room = connection->room;

    if (room == NULL) {
        return;
    }
    if (connection->asking) {
        room->asker = NULL;
    } else {
        struct connection **at = &room->waiters;
        while (*at != connection) {
            at = &(*at)->next_waiter;
        }
        *at = connection->next_waiter;
    }
    connection->room = NULL;
}

/* Handles the requests that wait in a room again. */
static void wake(struct service *service, struct room *room)
{
    struct connection *waiters = room->waiters;

    room->waiters = NULL;
    for (struct connection *at = waiters; at != NULL; at = at->next_waiter) {
        at->room = NULL;
    }
    while (waiters != NULL) {
        struct connection *connection = waiters;
        waiters = connection->next_waiter;
        service_again(service, connection);
    }
}

void play_wake_all(struct service *service)
{
    for (int i = 0; i < ROOM_BUCKETS; i++) {
        for (struct room *room = service->rooms.bucket[i]; room != NULL; room = room->next) {
            wake(service, room);
        }
    }
}

/* --- searches -------------------------------------------------------------------------------- */

static bool purpose_of(const struct room *room, enum purpose *purpose)
{
    const struct hosted *hosted = &room->hosted;

    if (!artefacts_of(room->artefacts, hosted->setup.variant)->loaded) {
        return false;
    }
    *purpose = hosted_judging(hosted)    ? PURPOSE_JUDGE
               : hosted_thinking(hosted) ? PURPOSE_REPLY
                                         : PURPOSE_HINT;
    return *purpose != PURPOSE_HINT || (room->hint_wanted && !hosted_over(hosted));
}

static void want(struct rooms *rooms, struct room *room)
{
    room->wanting = true;
    room->next_wanting = NULL;
    *rooms->wanting_last = room;
    rooms->wanting_last = &room->next_wanting;
}

void play_go_on(struct service *service, struct room *room)
{
    const struct hosted *hosted = &room->hosted;
    enum purpose purpose;

    if (room->job != NULL || room->change != NULL || room->wanting || !purpose_of(room, &purpose)) {
        return;
    }
    struct task *task = task_for_game(purpose, &hosted->game, &hosted->setup.level,
                                      hosted->setup.seed, room->artefacts);
    struct job *job = task != NULL ? job_create(task, room, (uint64_t)(uintptr_t)room) : NULL;
    if (job == NULL) {
        task_destroy(task); /* out of memory: the next request tries again */
    } else if (pool_submit(service->pool, job)) {
        room->job = job;
    } else {
        job_destroy(job);
        want(&service->rooms, room);
    }
}

void play_retry(struct service *service)
{
    struct rooms *rooms = &service->rooms;

    while (rooms->wanting != NULL) {
        struct room *room = rooms->wanting;
        rooms->wanting = room->next_wanting;
        if (rooms->wanting == NULL) {
            rooms->wanting_last = &rooms->wanting;
        }
        room->wanting = false;
        play_go_on(service, room);
        if (room->wanting) {
            return; /* no place yet */
        }
    }
}

/* Ends the search of a room: what it was for has changed. */
static void abandon(struct service *service, struct room *room)
{
    if (room->job != NULL) {
        room->job->owner = NULL;
        pool_cancel(service->pool, room->job);
        room->job = NULL;
    }
}

/* What a finished search makes happen. */
static struct verdict verdict_of(struct room *room, const struct task *task, int64_t now)
{
    const struct hosted *hosted = &room->hosted;
    const struct asking asking = {.person = hosted->setup.host_person, .now = now};

    if (task->purpose == PURPOSE_JUDGE) {
        return decide_answer(hosted, task->score, now);
    }
    if (!task->has_move) {
        return (struct verdict){.kind = VERDICT_OVER};
    }
    return task->purpose == PURPOSE_REPLY ? decide_reply(hosted, &task->best, now)
                                          : decide_hint(hosted, asking, &task->best);
}

void play_searched(struct service *service, struct job *job)
{
    struct room *room = job->owner;

    if (room == NULL) {
        return;
    }
    room->job = NULL;
    if (job->refused) {
        want(&service->rooms, room); /* it had to make room for others */
        return;
    }
    if (job->cancelled || room->change != NULL) {
        return; /* it is searched again behind the change, if it is still wanted */
    }
    struct verdict verdict = verdict_of(room, job->task, (int64_t)time(NULL));
    room->hint_wanted = room->hint_wanted && job->task->purpose != PURPOSE_HINT;
    if (verdict.kind == VERDICT_EVENT) {
        play_store_event(service, room, &verdict.event);
    }
}

/* --- storing --------------------------------------------------------------------------------- */

bool play_store(struct service *service, struct connection *connection, struct answer *answer)
{
    struct room *room = answer->room;

    answer->change->owner = room;
    if (!writer_submit(service->writer, answer->change)) {
        struct response refusal = desk_full();
        change_destroy(answer->change);
        room_destroy(answer->fresh);
        if (connection != NULL) {
            service_reply(service, connection, &refusal);
        } else {
            response_fini(&refusal);
        }
        return false;
    }
    if (answer->fresh != NULL) {
        rooms_add(&service->rooms, room);
    }
    room->change = answer->change;
    room->asker = connection;
    room->again = answer->again;
    if (connection != NULL) {
        connection_rearm(connection);
        wait_in(connection, room, true);
    }
    return true;
}

void play_store_event(struct service *service, struct room *room, const struct event *event)
{
    struct answer answer = {.change = change_of_event(room, event, room->hosted.setup.host_person),
                            .room = room};

    if (answer.change != NULL) {
        play_store(service, NULL, &answer);
    }
}

/* Adds a stored change to its room. */
static void apply(struct service *service, struct room *room, const struct change *change)
{
    struct err err;

    if (change->parts & CHANGE_GAME) {
        rooms_name(&service->rooms, room);
    }
    if ((change->parts & CHANGE_EVENT) && !hosted_apply(&room->hosted, &change->event, &err)) {
        log_line(service->log, LOG_ERROR, "game %s: %s", room->id, err.text);
    }
    if (change->parts & CHANGE_EVENT && change->event.kind == EVENT_JOIN) {
        room->heard[change->event.side] = change->event.at;
        rooms_name(&service->rooms, room);
    }
    if (change->event.kind != EVENT_STEP) {
        abandon(service, room);
    }
}

/* Keeps the answer for an asker who has gone and may ask again with the same key. A game that had
 * to end for its age first is none: what was asked is still to be decided. */
static void keep(struct room *room, const struct change *change)
{
    if (change->replay == NULL) {
        return;
    }
    if (change->status == CHANGE_STORED && change->event.kind == EVENT_EXPIRE) {
        replay_forget(change->replay);
    } else {
        struct response response = game_changed(room, change);
        replay_finish(change->replay, &response);
        response_fini(&response);
    }
}

/* Answers who asked for a change. */
static void tell(struct service *service, struct room *room, const struct change *change)
{
    struct connection *asker = room->asker;

    room->asker = NULL;
    if (asker == NULL) {
        keep(room, change);
        return;
    }
    asker->room = NULL;
    if (room->again && change->status == CHANGE_STORED) {
        asker->done = change->event.kind != EVENT_EXPIRE;
        service_again(service, asker);
    } else {
        struct response response = game_changed(room, change);
        service_reply(service, asker, &response);
    }
}

static void finish(struct service *service, struct change *change)
{
    struct room *room = change->owner;
    bool stored = change->status == CHANGE_STORED;

    room->change = NULL;
    if (stored) {
        apply(service, room, change);
    } else {
        log_line(service->log, LOG_ERROR, "not stored: %s", change->detail);
    }
    tell(service, room, change);
    if (!stored && (change->parts & CHANGE_GAME)) {
        rooms_remove(&service->rooms, room);
        wake(service, room);
        room_destroy(room);
        return;
    }
    live_changed(service, room, change);
    if (stored) { /* else the next request tries again, and not we at once */
        play_go_on(service, room);
    }
    wake(service, room); /* which may make room for other games */
}

void play_stored(struct service *service)
{
    struct change *next;

    for (struct change *change = writer_take(service->writer); change != NULL; change = next) {
        next = change->next;
        if (change->owner != NULL) {
            finish(service, change);
        } else {
            desk_stored(service, change);
        }
        change_destroy(change);
    }
}

void play_end(struct service *service)
{
    writer_destroy(service->writer);
    service->writer = NULL;
    rooms_fini(&service->rooms);
}
