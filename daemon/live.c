/* From the handshake to the last frame. */
#include "daemon/live.h"

#include <event2/buffer.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "daemon/service.h"

enum {
    ECHO_MESSAGE = 16 << 20, /* bytes; what conformance suites send */
    ECHO_FRAGMENTS = 1 << 20,
};

struct live {
    struct service *service;
    struct connection *connection;
    struct websocket *socket;
    struct live *previous, *next; /* of all */
};

static void on_message(void *context, bool text, const char *data, size_t size)
{
    struct live *live = context;

    websocket_send(live->socket, text, data, size);
}

static void on_heard(void *context)
{
    (void)context;
}

/* Closes the connection, which ends in live_leave. */
static void on_gone(void *context)
{
    struct live *live = context;

    evhttp_connection_free(live->connection->evhttp);
}

static bool write_handshake(struct bufferevent *transport, const struct opening *opening)
{
    return evbuffer_add_printf(
               bufferevent_get_output(transport),
               "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
               "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n",
               opening->accept,
               opening->protocol ? "Sec-WebSocket-Protocol: " HANDSHAKE_PROTOCOL "\r\n" : "") >= 0;
}

static void enlist(struct live *live)
{
    struct live **first = &live->service->lives;

    live->next = *first;
    if (live->next != NULL) {
        live->next->previous = live;
    }
    *first = live;
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
}

/* Small messages go out at once, and do not wait for the last one's acknowledgement. */
static void hurry(const struct connection *connection)
{
    const int on = 1;

    (void)setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* else it waits */
}

bool live_open(struct service *service, struct connection *connection, const struct answer *answer)
{
    const struct websocket_limits limits = {
        .message = ECHO_MESSAGE, .fragments = ECHO_FRAGMENTS, .ping = service->live_limits.ping};
    struct live *live = calloc(1, sizeof *live);
    const struct websocket_owner owner = {
        .context = live, .message = on_message, .heard = on_heard, .gone = on_gone};

    if (live == NULL || !write_handshake(connection->transport, &answer->opening) ||
        (live->socket = websocket_create(connection->transport, &limits, &owner)) == NULL) {
        free(live);
        return false;
    }
    live->service = service;
    live->connection = connection;
    enlist(live);
    connection->live = live;
    hurry(connection);
    connection_unarm(connection);
    evhttp_clear_headers(evhttp_request_get_input_headers(connection->request));
    return true;
}

void live_leave(struct connection *connection)
{
    struct live *live = connection->live;

    if (live != NULL) {
        connection->live = NULL;
        delist(live);
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
