/* The exchange between evhttp, the API and the search threads: a request comes in, is answered at
 * once or waits for its search, and a reply goes out. On the event loop's thread. */
#pragma once

#include <stdint.h>

#include "daemon/api/api.h"
#include "daemon/api/metrics.h"
#include "daemon/api/room.h"
#include "daemon/base/random.h"
#include "daemon/loop/connection.h"
#include "daemon/loop/headers.h"
#include "daemon/loop/live.h"
#include "daemon/net/access_log.h"
#include "daemon/net/replay.h"
#include "daemon/people/visitors.h"
#include "daemon/store/writer.h"
#include "daemon/think/artefacts.h"
#include "daemon/think/pool.h"
#include "engine/base/log.h"

struct service {
    const struct log *log;       /* not owned */
    struct artefacts *artefacts; /* a reference; exchanged between requests */
    struct pool *pool;           /* owned by the server */
    struct writer *writer;       /* the same */
    struct rooms rooms;
    int64_t claim_patience, expire_patience; /* seconds */
    struct connections connections;
    struct metrics metrics;
    struct hasher *hasher;
    struct quota *quota;
    struct names *names;
    bool all_levels;
    int64_t session_seconds, signups_per_hour, logins_per_hour;
    /* Called behind a stored change that has ended sessions, which change_ends_session knows: what
     * is open for them is to be closed. NULL: nobody has any. */
    void (*sessions_ended)(struct service *service, const struct change *change);
    struct random_pool random;
    struct date date;
    double timeout;                /* seconds a search may take, waiting included */
    double analysis_seconds;       /* that an analysis may take of them */
    int queue;                     /* the pool's */
    struct access_log *access_log; /* the server's, as visitors are; NULL: none */
    struct visitors *visitors;
    struct replays *replays;
    double requests_per_second; /* what visitors allow, to be told */
    bool forwarded;             /* a proxy tells the client's address */
    int64_t keep_alive;         /* requests that one connection may send */
    bool draining;              /* replies close their connections */
    struct origin_lists lists;
    bool echo;
    struct live_limits live_limits;
    struct live *lives;      /* every open WebSocket */
    struct event *live_turn; /* active: messages of some wait for their turn */
};

/* Answers a complete request: evhttp's general callback, with the service as context. */
void service_request(struct evhttp_request *http, void *context);

/* Answers, in evhttp's place, what it could not read and has an error page for on the way; false:
 * there is none, it asks the client to go on. */
bool service_unread(struct service *service, struct connection *connection);

/* Answers a connection that has waited for as long as it may. */
void service_late(struct service *service, struct connection *connection);

/* What the API answers from at this moment. */
struct api service_api(struct service *service);

/* Parts a connection from what it waits for. */
void service_leave(struct service *service, struct connection *connection);

/* Sends a response, whose body it takes, to the request that waits on a connection. */
void service_reply(struct service *service, struct connection *connection,
                   struct response *response);

/* Handles the request that waits on a connection again. */
void service_again(struct service *service, struct connection *connection);

/* Sends what the search threads have finished. */
void service_jobs(struct service *service);
