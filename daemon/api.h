/* The API as a function: a request in, an answer out, or a search to be run for it.
 *
 * Nothing here blocks, waits or knows a socket. */
#pragma once

#include "daemon/artefacts.h"
#include "daemon/http.h"
#include "daemon/metrics.h"
#include "daemon/task.h"

/* What answers are made from. */
struct api {
    struct artefacts *artefacts;
    const struct metrics *metrics;
    bool draining; /* shutting down: not ready for more */
};

/* Either a response (task is NULL), or a task whose response is that of the request; both belong
 * to the caller. */
struct answer {
    struct response response;
    struct task *task;
    size_t route; /* for metrics_count */
};

struct answer api_handle(const struct api *api, const struct request *request);

/* A path served, as OpenAPI writes it, by route number; behind the last one "other", then NULL. */
const char *api_route_name(size_t route);

/* The route of a path that is not served. */
size_t api_route_other(void);

/* The methods of a path as bits of enum method; 0 for "other". */
unsigned api_route_methods(size_t route);
