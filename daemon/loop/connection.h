/* What evhttp leaves to its user: a cap on connections, a total time for each request to arrive
 * and to be answered, and word of a client that leaves while its answer is being made.
 *
 * All of it on the event loop's thread. */
#pragma once

#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#include "daemon/net/linger.h"
#include "daemon/think/pool.h"
#include "engine/base/err.h"

struct connections;

enum {
    ADDRESS_TEXT = 46, /* characters of an IPv6 address with the NUL */
    REQUEST_ID = 65,
};

struct connection {
    struct connections *all;
    struct evhttp_connection *evhttp; /* not owned: tells when it is freed */
    struct bufferevent *transport;
    struct event *timer, *leaving;
    int fd;
    char peer[ADDRESS_TEXT]; /* whose, as numbers; "": not known */
    bool counted;            /* `enter` has let it in */
    bool refusing;           /* evhttp has answered by itself, which is looked at soon */
    bool refused;            /* and the client may still be sending */
    /* The server's: the request that waits for a search. */
    struct evhttp_request *request; /* NULL: nothing is asked */
    struct job *job;                /* the search that it waits for; NULL: none */
    struct hash_work *hashing;      /* the password that it waits for; NULL: none */
    const struct hash_work *hashed; /* which has been hashed; NULL: none */
    struct change *change;          /* about no game, that it waits for; NULL: none */
    struct room *room;              /* the game in which it waits; NULL: none */
    bool asking;                    /* there for its own change, not for the next of anybody */
    bool done;                      /* what it asked for has been stored */
    double wait_until;              /* clock_seconds; 0: no end but the timeout */
    struct connection *next_waiter; /* in the room */
    struct live *live;              /* the WebSocket that it has become; NULL: none */
    double started;                 /* clock_seconds when the request was complete */
    size_t route;
    int64_t requests;           /* so far */
    char address[ADDRESS_TEXT]; /* whose the request is: a proxy's client's, or `peer` */
    char id[REQUEST_ID];        /* of the request */
    bool replayed;              /* its answer is that of an earlier request */
    struct replay *replay;      /* what its answer is kept for; NULL: nothing */
};

struct connections {
    struct event_base *base;
    struct evconnlistener *listener; /* not owned; NULL once the port is closed */
    struct connection **by_fd;
    int by_fd_size;
    int count, max;
    struct timeval timeout;
    struct lingerers lingerers;
    void *context;
    bool (*enter)(void *context, struct connection *); /* false: 429, and it is closed */
    void (*late)(void *context, struct connection *);  /* time is up while it waits */
    /* evhttp answers by itself, what it has read is no request for us; nothing is sent yet. True
     * for a refusal, behind which it closes */
    bool (*unread)(void *context, struct connection *);
    void (*gone)(void *context, struct connection *); /* the connection is closed, *count is down */
};

/* Makes `http` report its connections here. The fields base, listener, max, timeout, context and
 * the callbacks are the caller's to set before. */
void connections_attach(struct connections *connections, struct evhttp *http);

/* After the last connection is closed. */
void connections_fini(struct connections *connections);

/* The connection of a request; NULL when memory was out as it was accepted. */
struct connection *connection_of(const struct connections *connections,
                                 struct evhttp_request *request);

/* Gives the connection `timeout` from now for what it does next. */
void connection_rearm(struct connection *connection);

/* Gives it `seconds` from now. */
void connection_rearm_for(struct connection *connection, double seconds);

/* Takes its time limit away. */
void connection_unarm(struct connection *connection);

/* Starts and ends the watch for a client that leaves (it closes its end); then the connection is
 * closed. */
void connection_watch(struct connection *connection);
void connection_unwatch(struct connection *connection);

/* Closes the connections on which no answer is being made or sent. */
void connections_close_idle(struct connections *connections);
