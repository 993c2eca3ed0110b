/* What server.c and server_events.c share: the server, and the events that it waits for. */
#pragma once

#include <event2/event.h>

#include "daemon/loop/dxp_server.h"
#include "daemon/loop/server.h"
#include "daemon/loop/service.h"

enum { SERVER_SIGNALS = 3 };

struct server {
    const struct settings *settings;
    const struct log *log;
    struct service service;
    struct event_base *base;
    struct dxp_server *dxp; /* NULL: none is wanted */
    struct evhttp *http;
    struct evhttp_bound_socket *port; /* NULL once closed */
    struct event *jobs, *stored, *hashed, *sweeps, *signals[SERVER_SIGNALS], *drain, *deadline,
        *watchdog;
};

/* Behind service_open: what other threads have finished, signals, the watchdog and the sweep are
 * heard from now on. When it fails, server_close_events frees what there is. */
bool server_open_events(struct server *server, struct err *err);
void server_close_events(struct server *server);
