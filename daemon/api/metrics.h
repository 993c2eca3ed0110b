/* What the daemon counts of itself, and its Prometheus text. Kept by the event loop's thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "daemon/net/http.h"
#include "daemon/store/store_progress.h"

enum { METRICS_ROUTES = 64, METRICS_CLASSES = 6, METRICS_BUCKETS = 15 };

struct metrics {
    uint64_t requests[METRICS_ROUTES][METRICS_CLASSES]; /* by route and first digit of status */
    uint64_t latency[METRICS_ROUTES][METRICS_BUCKETS];  /* by how long they took */
    double latency_sum[METRICS_ROUTES];                 /* seconds */
    uint64_t searches, searches_cancelled, searches_refused;
    uint64_t search_nodes;
    double search_seconds;
    uint64_t reloads, reloads_failed;
    uint64_t turned_away, slowed; /* connections and requests over what an address may */
    int connections, websockets, queued, running; /* now; WebSockets are connections too */
};

/* Counts one answer, given after so many seconds. */
void metrics_count(struct metrics *metrics, size_t route, int status, double seconds);

/* The text format, version 0.0.4. route_name(route) labels a route; NULL behind the last one.
 * results[count] tell how people fare against the levels. */
struct response metrics_response(const struct metrics *metrics,
                                 const char *(*route_name)(size_t route),
                                 const struct level_results *results, int count);
