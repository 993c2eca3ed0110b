/* Connections that have become WebSockets. On the event loop's thread. */
#pragma once

#include <sys/time.h>

#include "daemon/api/api.h"
#include "daemon/loop/connection.h"
#include "daemon/net/websocket.h"

struct live;
struct service;

struct live_limits {
    struct timeval ping; /* may come from event_base_init_common_timeout */
    size_t output;       /* bytes that may wait for a slow reader */
};

/* Before the first WebSocket; false when memory is out. */
bool live_init(struct service *service);
/* Behind the last one. */
void live_fini(struct service *service);

/* Answers the handshake that a connection waits in and makes it a WebSocket, which lives until the
 * connection is closed. False when memory is out: the connection is as before. */
bool live_open(struct service *service, struct connection *connection, const struct answer *answer);

/* Parts a connection that is being closed from its WebSocket, if it is one. */
void live_leave(struct connection *connection);

/* Closes the sockets whose sessions are over, by time or by an operator. */
void live_check_sessions(struct service *service, int64_t now);

/* Begins an orderly end of those whose session a stored change has ended. */
void live_sessions_ended(struct service *service, const struct change *change);

/* Begins an orderly end of all. */
void live_close_all(struct service *service, int code, const char *reason);
