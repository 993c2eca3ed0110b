/* One WebSocket (RFC 6455) over a transport whose opening handshake is done: frames and messages by
 * wslay; pings, bounds and an orderly end by this.
 *
 * Who is silent for `ping` seconds is sent a ping, and is gone when nothing comes for as long
 * again. Reading stops while much waits to be sent, so that who sends without reading fills his own
 * buffers and not ours. On the event loop's thread. */
#pragma once

#include <event2/bufferevent.h>
#include <stdbool.h>
#include <stddef.h>

enum websocket_code {
    WEBSOCKET_AWAY = 1001,     /* the daemon shuts down */
    WEBSOCKET_TYPE = 1003,     /* binary where text is wanted */
    WEBSOCKET_POLICY = 1008,   /* too much at once */
    WEBSOCKET_INTERNAL = 1011, /* memory is out */
    WEBSOCKET_SESSION = 4001,  /* the session that opened it has ended */
};

struct websocket;

struct websocket_limits {
    size_t message;      /* bytes of a message received; more: closed with 1009 */
    size_t fragments;    /* of one message; more: closed with 1008 */
    double patience;     /* seconds a message may take to arrive; more: closed with 1008; 0: any */
    size_t output;       /* bytes that may wait to be sent; more: dropped; 0: any */
    struct timeval ping; /* may come from event_base_init_common_timeout */
};

/* What happens, told to the owner. None may destroy the socket but `gone`, which is told last. */
struct websocket_owner {
    void *context;
    void (*message)(void *context, bool text, const char *data, size_t size);
    void (*heard)(void *context); /* something came, be it a pong */
    void (*gone)(void *context);  /* nothing can be sent or received any more */
};

/* Takes the callbacks of the transport over, but not the transport, which must outlive it. NULL
 * when memory is out. */
struct websocket *websocket_create(struct bufferevent *transport,
                                   const struct websocket_limits *limits,
                                   const struct websocket_owner *owner);

/* Lets go of the transport. Takes NULL. */
void websocket_destroy(struct websocket *socket);

/* Sends a message. When too much waits already, or memory is out, the socket is dropped, of which
 * `gone` tells later; a socket that is being closed sends no more. */
void websocket_send(struct websocket *socket, bool text, const char *data, size_t size);

/* Begins an orderly end: the reason is at most 120 bytes. `gone` tells when it is over. */
void websocket_close(struct websocket *socket, int code, const char *reason);

/* Stops reading, and goes on; a few messages that have been read may still come. */
void websocket_hold(struct websocket *socket, bool hold);
