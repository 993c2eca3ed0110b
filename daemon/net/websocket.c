/* wslay between two buffers of libevent. */
#include "daemon/net/websocket.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <wslay/wslay.h>

#include "engine/base/clock.h"

enum {
    OUTPUT_HIGH = 65536, /* bytes in the transport's output from which wslay waits */
    LINGER_SECONDS = 2,  /* for the other end to close, and for an answer to a close */
};

enum state {
    OPEN,
    FAILED,    /* `gone` will be told by the event loop */
    FINISHING, /* all has been said, not all is sent */
    LINGERING, /* our half is closed; what comes is thrown away */
};

struct websocket {
    struct bufferevent *transport;
    wslay_event_context_ptr wslay;
    struct websocket_limits limits;
    struct websocket_owner owner;
    enum state state;
    bool held, pinged, closing;
    size_t fragments;    /* of the message that is coming; 0: none is */
    double coming_since; /* clock_seconds */
    double linger_until; /* clock_seconds */
};

static struct evbuffer *output_of(const struct websocket *socket)
{
    return bufferevent_get_output(socket->transport);
}

/* The owner hears of the end from the event loop, so that nobody loses a socket in his hands. */
static void fail(struct websocket *socket)
{
    if (socket->state != FAILED) {
        socket->state = FAILED;
        bufferevent_disable(socket->transport, EV_READ | EV_WRITE);
        bufferevent_trigger_event(socket->transport, BEV_EVENT_ERROR, BEV_TRIG_DEFER_CALLBACKS);
    }
}

/* --- sending --------------------------------------------------------------------------------- */

static ssize_t on_send(wslay_event_context_ptr wslay, const uint8_t *data, size_t size, int flags,
                       void *context)
{
    struct websocket *socket = context;

    (void)flags;
    if (evbuffer_get_length(output_of(socket)) >= OUTPUT_HIGH) {
        wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    if (evbuffer_add(output_of(socket), data, size) != 0) {
        wslay_event_set_error(wslay, WSLAY_ERR_CALLBACK_FAILURE);
        return -1;
    }
    return (ssize_t)size;
}

/* Everything is sent: closes our half and waits for the other, since closing at once would make the
 * system throw away what the peer has not read yet. */
static void linger(struct websocket *socket)
{
    const struct timeval patience = {.tv_sec = LINGER_SECONDS};

    socket->state = LINGERING;
    socket->linger_until = clock_seconds() + LINGER_SECONDS;
    if (shutdown(bufferevent_getfd(socket->transport), SHUT_WR) != 0) {
        fail(socket);
        return;
    }
    bufferevent_set_timeouts(socket->transport, &patience, NULL);
    bufferevent_enable(socket->transport, EV_READ);
}

/* Moves what wslay has into the transport's output, as far as it goes. */
static void pump(struct websocket *socket)
{
    if (socket->state != OPEN) {
        return;
    }
    if (wslay_event_want_write(socket->wslay) && wslay_event_send(socket->wslay) != 0) {
        fail(socket);
    } else if (!wslay_event_want_write(socket->wslay) && !wslay_event_want_read(socket->wslay)) {
        socket->state = FINISHING;
        bufferevent_disable(socket->transport, EV_READ);
        if (evbuffer_get_length(output_of(socket)) == 0) {
            linger(socket);
        }
    }
}

static bool may_read(const struct websocket *socket)
{
    return !socket->held && !wslay_event_want_write(socket->wslay);
}

/* Starts or stops reading. What has been read meanwhile is looked at from the event loop. */
static void regulate(struct websocket *socket)
{
    if (socket->state != OPEN) {
        return;
    }
    if (!may_read(socket)) {
        bufferevent_disable(socket->transport, EV_READ);
    } else if (!(bufferevent_get_enabled(socket->transport) & EV_READ)) {
        bufferevent_enable(socket->transport, EV_READ);
        if (evbuffer_get_length(bufferevent_get_input(socket->transport)) > 0) {
            bufferevent_trigger(socket->transport, EV_READ,
                                BEV_TRIG_IGNORE_WATERMARKS | BEV_TRIG_DEFER_CALLBACKS);
        }
    }
}

static void queue(struct websocket *socket, uint8_t opcode, const char *data, size_t size)
{
    const struct wslay_event_msg message = {
        .opcode = opcode, .msg = (const uint8_t *)data, .msg_length = size};
    int refused = wslay_event_queue_msg(socket->wslay, &message);

    if (refused != 0 && refused != WSLAY_ERR_NO_MORE_MSG) {
        fail(socket);
        return;
    }
    pump(socket);
    regulate(socket);
}

void websocket_send(struct websocket *socket, bool text, const char *data, size_t size)
{
    size_t waiting =
        wslay_event_get_queued_msg_length(socket->wslay) + evbuffer_get_length(output_of(socket));

    if (socket->state != OPEN || socket->closing) {
        return;
    }
    if (socket->limits.output > 0 && waiting > socket->limits.output) {
        fail(socket);
        return;
    }
    queue(socket, text ? WSLAY_TEXT_FRAME : WSLAY_BINARY_FRAME, data, size);
}

void websocket_close(struct websocket *socket, int code, const char *reason)
{
    const struct timeval patience = {.tv_sec = LINGER_SECONDS};

    if (socket->state != OPEN || socket->closing) {
        return;
    }
    socket->closing = true;
    socket->held = false;
    socket->linger_until = clock_seconds() + LINGER_SECONDS;
    if (wslay_event_queue_close(socket->wslay, (uint16_t)code, (const uint8_t *)reason,
                                strlen(reason)) == WSLAY_ERR_NOMEM) {
        fail(socket);
        return;
    }
    bufferevent_set_timeouts(socket->transport, &patience, &patience);
    pump(socket);
    regulate(socket);
}

void websocket_hold(struct websocket *socket, bool hold)
{
    socket->held = hold && !socket->closing;
    regulate(socket);
}

/* --- receiving ------------------------------------------------------------------------------- */

static ssize_t on_receive(wslay_event_context_ptr wslay, uint8_t *data, size_t size, int flags,
                          void *context)
{
    struct websocket *socket = context;
    int got = 0;

    (void)flags;
    pump(socket);
    if (socket->state == OPEN && may_read(socket)) {
        got = evbuffer_remove(bufferevent_get_input(socket->transport), data, size);
    }
    if (got <= 0) {
        wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    return got;
}

static void on_frame(wslay_event_context_ptr wslay,
                     const struct wslay_event_on_frame_recv_start_arg *frame, void *context)
{
    struct websocket *socket = context;

    if (frame->opcode == WSLAY_CONNECTION_CLOSE && frame->payload_length == 1) {
        websocket_close(socket, WSLAY_CODE_PROTOCOL_ERROR, "half a code"); /* wslay takes it */
    }
    if (wslay_is_ctrl_frame(frame->opcode)) {
        return;
    }
    if (frame->opcode != WSLAY_CONTINUATION_FRAME) {
        socket->fragments = 0;
        socket->coming_since = clock_seconds();
    }
    socket->fragments++;
    if (socket->fragments > socket->limits.fragments) {
        websocket_close(socket, WEBSOCKET_POLICY, "too many fragments");
        wslay_event_shutdown_read(wslay);
    }
}

static void on_message(wslay_event_context_ptr wslay,
                       const struct wslay_event_on_msg_recv_arg *message, void *context)
{
    struct websocket *socket = context;

    (void)wslay;
    if (wslay_is_ctrl_frame(message->opcode)) {
        return;
    }
    socket->fragments = 0;
    if (!socket->closing && socket->state == OPEN) {
        socket->owner.message(socket->owner.context, message->opcode == WSLAY_TEXT_FRAME,
                              (const char *)message->msg, message->msg_length);
    }
}

static void throw_away(struct websocket *socket)
{
    struct evbuffer *input = bufferevent_get_input(socket->transport);

    evbuffer_drain(input, evbuffer_get_length(input));
    if (socket->state == LINGERING && clock_seconds() > socket->linger_until) {
        fail(socket);
    }
}

/* A message that arrives in drips. */
static bool is_late(const struct websocket *socket)
{
    return socket->limits.patience > 0.0 && socket->fragments > 0 && !socket->closing &&
           clock_seconds() - socket->coming_since > socket->limits.patience;
}

static void on_readable(struct bufferevent *transport, void *context)
{
    struct websocket *socket = context;

    (void)transport;
    if (socket->state != OPEN) {
        throw_away(socket);
        return;
    }
    socket->pinged = false;
    socket->owner.heard(socket->owner.context);
    if (wslay_event_recv(socket->wslay) != 0) {
        fail(socket);
    }
    if (is_late(socket)) {
        websocket_close(socket, WEBSOCKET_POLICY, "a message takes too long");
        wslay_event_shutdown_read(socket->wslay);
    }
    if (socket->closing && clock_seconds() > socket->linger_until) {
        fail(socket);
    }
    pump(socket);
    regulate(socket);
}

/* The transport's output is empty. */
static void on_writable(struct bufferevent *transport, void *context)
{
    struct websocket *socket = context;

    (void)transport;
    if (socket->state == FINISHING) {
        linger(socket);
        return;
    }
    pump(socket);
    regulate(socket);
}

static void on_event(struct bufferevent *transport, short what, void *context)
{
    struct websocket *socket = context;
    const short silent = BEV_EVENT_TIMEOUT | BEV_EVENT_READING;

    if (what == silent && socket->state == OPEN && !socket->pinged && !socket->closing) {
        socket->pinged = true;
        bufferevent_enable(transport, EV_READ);
        queue(socket, WSLAY_PING, "", 0);
        return;
    }
    socket->state = FAILED;
    socket->owner.gone(socket->owner.context);
}

/* --- life ------------------------------------------------------------------------------------ */

struct websocket *websocket_create(struct bufferevent *transport,
                                   const struct websocket_limits *limits,
                                   const struct websocket_owner *owner)
{
    const struct wslay_event_callbacks callbacks = {.recv_callback = on_receive,
                                                    .send_callback = on_send,
                                                    .on_frame_recv_start_callback = on_frame,
                                                    .on_msg_recv_callback = on_message};
    struct websocket *socket = calloc(1, sizeof *socket);

    if (socket == NULL ||
        wslay_event_context_server_init(&socket->wslay, &callbacks, socket) != 0) {
        free(socket);
        return NULL;
    }
    wslay_event_config_set_max_recv_msg_length(socket->wslay, limits->message);
    socket->transport = transport;
    socket->limits = *limits;
    socket->owner = *owner;
    bufferevent_setcb(transport, on_readable, on_writable, on_event, socket);
    bufferevent_set_timeouts(transport, &limits->ping, &limits->ping);
    bufferevent_enable(transport, EV_READ | EV_WRITE);
    if (evbuffer_get_length(bufferevent_get_input(transport)) > 0) {
        bufferevent_trigger(transport, EV_READ,
                            BEV_TRIG_IGNORE_WATERMARKS | BEV_TRIG_DEFER_CALLBACKS);
    }
    return socket;
}

void websocket_destroy(struct websocket *socket)
{
    if (socket != NULL) {
        bufferevent_setcb(socket->transport, NULL, NULL, NULL, NULL);
        bufferevent_disable(socket->transport, EV_READ | EV_WRITE);
        wslay_event_context_free(socket->wslay);
        free(socket);
    }
}
