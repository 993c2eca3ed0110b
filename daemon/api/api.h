/* The API as a function: a request in, an answer out, or a search to be run for it.
 *
 * Nothing here blocks, waits or knows a socket. */
#pragma once

#include "daemon/api/identity.h"
#include "daemon/api/metrics.h"
#include "daemon/api/room.h"
#include "daemon/net/handshake.h"
#include "daemon/net/http.h"
#include "daemon/net/origin.h"
#include "daemon/people/hasher.h"
#include "daemon/people/quota.h"
#include "daemon/think/artefacts.h"
#include "daemon/think/task.h"

/* What answers are made from. */
struct api {
    struct artefacts *artefacts;
    const struct metrics *metrics;
    bool draining; /* shutting down: not ready for more */
    struct rooms *rooms;
    int64_t now;                             /* seconds since 1970 */
    int64_t claim_patience, expire_patience; /* seconds */
    double analysis_seconds;                 /* that an analysis may take */
    struct origin_lists lists;
    bool echo; /* /v1/echo is there */
    const struct names *names;
    struct quota *quota;
    bool all_levels; /* every level is open to everybody */
    int64_t session_seconds;
    int64_t signups_per_hour, logins_per_hour; /* an address; 0: any number */
};

/* What a response of status 101 makes of its connection. */
struct opening {
    char accept[HANDSHAKE_ACCEPT];
    bool protocol;       /* HANDSHAKE_PROTOCOL was offered */
    struct identity who; /* looks at the answer's room */
    int since;           /* the number of the last event that he knows; -1: none */
};

/* What is to be done for a request, the first of these that is there: run the task, whose response
 * is the request's; have the password hashed and handle the request again; store the change; wait
 * for the room's next change and handle the request again; send the response. Task, work, change
 * and fresh room belong to the caller. */
struct answer {
    struct response response;
    struct task *task;
    struct hash_work *hashing;
    struct change *change; /* without a room: about no game */
    double wait;           /* seconds; above 0: wait in the room */
    struct room *room;     /* the hosted game that this is about; NULL: none */
    struct room *fresh;    /* the same, made by the change, to be added with it */
    bool again;            /* handle the request again behind the change */
    bool hint;             /* a hint is to be searched for in the room */
    size_t route;          /* for metrics_count */
    struct opening opening;
};

struct answer api_handle(const struct api *api, const struct request *request);

/* A path served, as OpenAPI writes it, by route number; behind the last one "other", then NULL. */
const char *api_route_name(size_t route);

/* The route of a path that is not served. */
size_t api_route_other(void);

/* The methods of a path as bits of enum method; 0 for "other". */
unsigned api_route_methods(size_t route);
