/* The exchange between evhttp, the API and the search threads: a request comes in, is answered at
 * once or waits for its search, and a reply goes out. On the event loop's thread. */
#pragma once

#include <stdint.h>

#include "daemon/artefacts.h"
#include "daemon/connection.h"
#include "daemon/metrics.h"
#include "daemon/pool.h"
#include "engine/base/log.h"

struct service {
    const struct log *log;       /* not owned */
    struct artefacts *artefacts; /* a reference; exchanged between requests */
    struct pool *pool;           /* owned by the server */
    struct connections connections;
    struct metrics metrics;
    double timeout; /* seconds a search may take, waiting included */
    int queue;      /* the pool's */
    bool draining;  /* replies close their connections */
};

/* Answers a complete request: evhttp's general callback, with the service as context. */
void service_request(struct evhttp_request *http, void *context);

/* Answers that the search of this connection takes too long. */
void service_late(struct service *service, struct connection *connection);

/* Parts a connection from its search, which is of no more use. */
void service_abandon(struct service *service, struct connection *connection);

/* Sends what the search threads have finished. */
void service_jobs(struct service *service);
