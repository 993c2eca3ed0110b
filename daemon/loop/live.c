/* From the handshake to the last frame. */
#include "daemon/loop/live.h"

#include <event2/buffer.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "daemon/loop/live_parts.h"
#include "daemon/loop/live_room.h"

enum {
    ECHO_MESSAGE = 16 << 20, /* bytes; what conformance suites send */
    ECHO_FRAGMENTS = 1 << 20,
    GAME_MESSAGE = BODY_MAX,
    GAME_FRAGMENTS = 1024,
    SEND_BUFFER = 65536,
};

static void on_message(void *context, bool text, const char *data, size_t size)
{
    struct live *live = context;

    if (live->room != NULL) {
        live_room_message(live, text, data, size);
    } else {
        websocket_send(live->socket, text, data, size);
    }
}

static void on_heard(void *context)
{
    struct live *live = context;

    if (live->room != NULL) {
        room_hear(live->room, live->who.person, (int64_t)time(NULL));
    }
}

/* Closes the connection, which ends in live_leave. */
static void on_gone(void *context)
{
    struct live *live = context;

    evhttp_connection_free(live->connection->evhttp);
}

/* Without memory for it the client gets frames where it wants this, and goes. */
static void write_handshake(struct bufferevent *transport, const struct opening *opening)
{
    (void)evbuffer_add_printf(
        bufferevent_get_output(transport),
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n",
        opening->accept,
        opening->protocol ? "Sec-WebSocket-Protocol: " HANDSHAKE_PROTOCOL "\r\n" : "");
}

static void enlist(struct live *live)
{
    struct live **first = &live->service->lives;

    live->next = *first;
    if (live->next != NULL) {
        live->next->previous = live;
    }
    *first = live;
    live->service->metrics.websockets++;
}

static void delist(struct live *live)
{
    if (live->previous != NULL) {
        live->previous->next = live->next;
    } else {
        live->service->lives = live->next;
    }
    if (live->next != NULL) {
        live->next->previous = live->previous;
    }
    live->service->metrics.websockets--;
}

/* Small messages go out at once, and do not wait for the last one's acknowledgement; a slow reader
 * fills only so much of the system's memory. Either failing costs only that. */
static void tune(const struct connection *connection, bool small)
{
    const int on = 1, size = SEND_BUFFER;

    (void)setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (small) {
        (void)setsockopt(connection->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
}

static void on_turn(evutil_socket_t fd, short what, void *context)
{
    struct service *service = context;

    (void)fd;
    (void)what;
    for (struct live *live = service->lives; live != NULL; live = live->next) {
        if (live->room != NULL) {
            live_room_turn(live);
        }
    }
}

bool live_init(struct service *service)
{
    service->live_turn = event_new(service->connections.base, -1, 0, on_turn, service);
    return service->live_turn != NULL;
}

void live_fini(struct service *service)
{
    if (service->live_turn != NULL) {
        event_free(service->live_turn);
    }
}

bool live_open(struct service *service, struct connection *connection, const struct answer *answer)
{
    const bool echo = answer->room == NULL;
    const struct websocket_limits limits = {
        .message = echo ? ECHO_MESSAGE : GAME_MESSAGE,
        .fragments = echo ? ECHO_FRAGMENTS : GAME_FRAGMENTS,
        .patience = echo ? 0.0 : service->timeout,
        .output = echo ? 0 : service->live_limits.output, /* an echo waits for its reader */
        .ping = service->live_limits.ping};
    struct live *live = calloc(1, sizeof *live);
    const struct websocket_owner owner = {
        .context = live, .message = on_message, .heard = on_heard, .gone = on_gone};

    if (live == NULL ||
        (live->socket = websocket_create(connection->transport, &limits, &owner)) == NULL) {
        free(live);
        return false;
    }
    write_handshake(connection->transport, &answer->opening);
    live->service = service;
    live->connection = connection;
    enlist(live);
    connection->live = live;
    tune(connection, !echo);
    connection_unarm(connection);
    evhttp_clear_headers(evhttp_request_get_input_headers(connection->request));
    if (!echo) {
        live_room_enter(live, answer);
    }
    return true;
}

void live_leave(struct connection *connection)
{
    struct live *live = connection->live;

    if (live != NULL) {
        connection->live = NULL;
        delist(live);
        if (live->room != NULL) {
            live_room_leave(live);
        }
        websocket_destroy(live->socket);
        free(live);
    }
}

void live_close_all(struct service *service, int code, const char *reason)
{
    for (struct live *live = service->lives; live != NULL; live = live->next) {
        websocket_close(live->socket, code, reason);
    }
}

/* Whether a socket's session is still one; yes when the store cannot tell. */
static bool session_stands(const struct service *service, const struct live *live, int64_t now)
{
    int64_t person;
    struct err err;

    return live->who.person == NOBODY || live->who.service != 0 ||
           !store_session(service->rooms.store, live->who.token, now, &person, &err) ||
           person != NOBODY;
}

void live_check_sessions(struct service *service, int64_t now)
{
    for (struct live *live = service->lives; live != NULL; live = live->next) {
        if (!session_stands(service, live, now)) {
            websocket_close(live->socket, WEBSOCKET_SESSION, "the session has ended");
        }
    }
}

void live_sessions_ended(struct service *service, const struct change *change)
{
    for (struct live *live = service->lives; live != NULL; live = live->next) {
        if (live->who.person != NOBODY &&
            change_ends_session(change, live->who.person, live->who.token)) {
            websocket_close(live->socket, WEBSOCKET_SESSION, "the session has ended");
        }
    }
}
