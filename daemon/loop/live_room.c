/* Between the sockets of a game and its changes. Only one change of a game is under way at a time:
 * messages that come meanwhile wait in line with their socket. */
#include "daemon/loop/live_room.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/api/game_api.h"
#include "daemon/api/live_json.h"
#include "daemon/loop/desk.h"
#include "daemon/loop/live_parts.h"
#include "daemon/loop/play.h"
#include "daemon/net/problem.h"
#include "daemon/people/visitors.h"
#include "engine/base/clock.h"

enum { WAITING_MAX = 64, TURN_MAX = 4, SIDES = 4, PATH_SIZE = sizeof "/v1/games//moves" + GAME_ID };

/* --- telling --------------------------------------------------------------------------------- */

/* Sends a text from malloc to one and frees it. A client that cannot be told all is told nothing
 * more: it comes again and gets a snapshot. */
static void send_text(struct live *live, char *text)
{
    if (text != NULL) {
        websocket_send(live->socket, true, text, strlen(text));
        free(text);
    } else {
        websocket_close(live->socket, WEBSOCKET_INTERNAL, "out of memory");
    }
}

/* Sends a text from malloc to all and frees it. */
static void send_all(struct room *room, char *text)
{
    for (struct live *live = room->lives; live != NULL && text != NULL; live = live->next_in_room) {
        websocket_send(live->socket, true, text, strlen(text));
    }
    free(text);
}

static void send_problem(struct live *live, struct response *refusal)
{
    send_text(live, live_problem(live->room, refusal));
    response_fini(refusal);
}

/* An event is seen differently by who plays other sides; each view is written once. */
static void send_event(struct room *room, const struct event *event)
{
    char *views[SIDES] = {NULL};

    for (struct live *live = room->lives; live != NULL; live = live->next_in_room) {
        char **view = &views[hosted_sides(&room->hosted, live->who.person)];
        if (*view == NULL) {
            *view = live_event(room, live->who.person, event);
        }
        if (*view != NULL) {
            websocket_send(live->socket, true, *view, strlen(*view));
        } else {
            websocket_close(live->socket, WEBSOCKET_INTERNAL, "out of memory");
        }
    }
    for (int i = 0; i < SIDES; i++) {
        free(views[i]);
    }
}

/* The colours whose players are there; the computer always is. */
static unsigned count_present(const struct room *room)
{
    const struct hosted *hosted = &room->hosted;
    unsigned present =
        hosted->setup.opponent == OPPONENT_COMPUTER ? 1u << colour_other(hosted->setup.host) : 0;

    for (const struct live *live = room->lives; live != NULL; live = live->next_in_room) {
        present |= hosted_sides(hosted, live->who.person);
    }
    return present;
}

/* Tells who has come or gone, if anybody has. */
static void tell_presence(struct room *room)
{
    unsigned present = count_present(room);

    if (present != room->present) {
        room->present = present;
        send_all(room, live_presence(room));
    }
}

static void tell_change(struct room *room, const struct event *event)
{
    const struct hosted *hosted = &room->hosted;

    send_event(room, event);
    if (hosted_over(hosted)) {
        send_all(room, live_over(room));
    } else if (hosted_thinking(hosted) || hosted_judging(hosted)) {
        send_all(room, live_thinking(room));
    }
    tell_presence(room); /* a friend may have been there before he joined */
}

/* Tells those who are still at a game that the next one between the same two has been made. */
static void tell_rematch(struct service *service, const struct room *next)
{
    struct room *room = rooms_held(&service->rooms, next->rematch_of);

    if (room != NULL) {
        bool white = room->hosted.person[WHITE] == next->hosted.setup.host_person;
        send_all(room, live_rematch(room, white ? WHITE : BLACK));
    }
}

/* Shows the game, with the events behind the one that is known already; -1: none is. */
static void show(struct live *live, int since)
{
    struct room *room = live->room;
    const int count = since >= 0 && since < room->hosted.events ? room->hosted.events - since : 0;
    struct event *missed = since >= 0 ? calloc((size_t)count + 1, sizeof *missed) : NULL;
    int read = 0;
    struct err err;

    if (count > 0 && missed != NULL &&
        (!store_events(live->service->rooms.store, room->id, since, missed, count, &read, &err) ||
         read < count)) {
        free(missed);
        missed = NULL; /* the snapshot is all */
    }
    send_text(live, live_snapshot(room, live->who.person, missed, count));
    free(missed);
}

void live_room_enter(struct live *live, const struct answer *answer)
{
    struct room *room = answer->room;

    live->room = room;
    live->who = answer->opening.who;
    live->last = &live->first;
    tell_presence(room); /* to those who are there, as it was */
    live->next_in_room = room->lives;
    room->lives = live;
    unsigned before = room->present;
    room->present = count_present(room);
    show(live, answer->opening.since);
    for (struct live *at = live->next_in_room; at != NULL && before != room->present;
         at = at->next_in_room) {
        send_text(at, live_presence(room));
    }
}

static void forget_messages(struct live *live)
{
    while (live->first != NULL) {
        struct live_message *message = live->first;
        live->first = message->next;
        free(message);
    }
    live->last = &live->first;
    live->waiting = 0;
}

void live_room_leave(struct live *live)
{
    struct room *room = live->room;
    struct live **at = &room->lives;

    while (*at != live) {
        at = &(*at)->next_in_room;
    }
    *at = live->next_in_room;
    if (room->live_asker == live) {
        room->live_asker = NULL;
    }
    forget_messages(live);
    live->room = NULL;
    tell_presence(room);
}

/* --- moves ----------------------------------------------------------------------------------- */

static struct answer decide(struct live *live, const struct live_message *message)
{
    const struct api api = service_api(live->service);
    char path[PATH_SIZE];
    const struct request request = {.method = METHOD_POST,
                                    .path = path,
                                    .content_type = "application/json",
                                    .body = message->data,
                                    .body_size = message->size,
                                    .person = live->who.person};

    snprintf(path, sizeof path, "/v1/games/%s/moves", live->room->id);
    return game_post_move(&api, &request, live->room->id);
}

/* Takes a message. False: it is to be taken again behind the change that is now under way. */
static bool take(struct live *live, const struct live_message *message)
{
    struct answer answer = decide(live, message);
    const bool again = answer.again;

    if (answer.change == NULL) {
        if (answer.response.status == 200) { /* it was sent twice */
            response_fini(&answer.response);
            show(live, -1);
        } else {
            send_problem(live, &answer.response);
        }
        return true;
    }
    live->room->live_asker = live;
    if (!play_store(live->service, NULL, &answer)) {
        struct response refusal = desk_full();
        live->room->live_asker = NULL;
        send_problem(live, &refusal);
        return true;
    }
    return !again;
}

/* Takes what waits, as long as the game is free, but not so much at a time that others wait for
 * it. */
static void take_waiting(struct live *live)
{
    int taken = 0;

    while (live->first != NULL && live->room->change == NULL && taken++ < TURN_MAX) {
        struct live_message *message = live->first;
        if (!take(live, message)) {
            break;
        }
        live->first = message->next;
        if (live->first == NULL) {
            live->last = &live->first;
        }
        live->waiting--;
        free(message);
    }
    websocket_hold(live->socket, live->first != NULL);
    if (live->first != NULL && live->room->change == NULL) {
        const struct timeval soon = {.tv_sec = 0}; /* behind what else is ready */
        event_add(live->service->live_turn, &soon);
    }
}

void live_room_turn(struct live *live)
{
    if (live->first != NULL) {
        take_waiting(live);
    }
}

void live_room_message(struct live *live, bool text, const char *data, size_t size)
{
    if (!text) {
        websocket_close(live->socket, WEBSOCKET_TYPE, "JSON is text");
        return;
    }
    int wait = visitors_ask(live->service->visitors, live->connection->address, clock_seconds());
    if (wait > 0) {
        struct response refusal =
            problem(PROBLEM_TOO_MANY, NULL, "the next message may come in %d s", wait);
        send_problem(live, &refusal);
        return;
    }
    struct live_message *message = malloc(sizeof *message + size);
    if (message == NULL || live->waiting >= WAITING_MAX) {
        free(message);
        websocket_close(live->socket, WEBSOCKET_POLICY, "too many messages at once");
        return;
    }
    message->next = NULL;
    message->size = size;
    memcpy(message->data, data, size);
    *live->last = message;
    live->last = &message->next;
    live->waiting++;
    take_waiting(live);
}

void live_changed(struct service *service, struct room *room, const struct change *change)
{
    struct live *asker = room->live_asker;

    room->live_asker = NULL;
    if (change->status == CHANGE_STORED) {
        if (change->parts & CHANGE_EVENT) {
            tell_change(room, &change->event);
        }
        if ((change->parts & CHANGE_GAME) && room->rematch_of[0] != '\0') {
            tell_rematch(service, room);
        }
    } else if (asker != NULL) {
        struct response refusal = game_changed(room, change);
        send_problem(asker, &refusal);
    }
    for (struct live *live = room->lives; live != NULL; live = live->next_in_room) {
        live_room_turn(live);
    }
}
