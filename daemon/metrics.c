/* Counters in the Prometheus text format. */
#include "daemon/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void metrics_count(struct metrics *metrics, size_t route, int status)
{
    assert(route < METRICS_ROUTES);
    metrics->requests[route][status / 100 % METRICS_CLASSES]++;
}

static void write_requests(const struct metrics *metrics, const char *(*route_name)(size_t route),
                           FILE *out)
{
    fprintf(out, "# HELP draughtsd_requests_total Requests answered, by path and status class.\n"
                 "# TYPE draughtsd_requests_total counter\n");
    for (size_t route = 0; route_name(route) != NULL; route++) {
        for (int digit = 1; digit < METRICS_CLASSES; digit++) {
            if (metrics->requests[route][digit] > 0) {
                fprintf(out, "draughtsd_requests_total{path=\"%s\",status=\"%dxx\"} %" PRIu64 "\n",
                        route_name(route), digit, metrics->requests[route][digit]);
            }
        }
    }
}

static void write_value(FILE *out, const char *name, const char *type, const char *help,
                        double value)
{
    fprintf(out, "# HELP draughtsd_%s %s\n# TYPE draughtsd_%s %s\ndraughtsd_%s %.15g\n", name, help,
            name, type, name, value);
}

static void write_all(const struct metrics *metrics, const char *(*route_name)(size_t route),
                      FILE *out)
{
    write_requests(metrics, route_name, out);
    write_value(out, "searches_total", "counter", "Searches finished.", (double)metrics->searches);
    write_value(out, "searches_cancelled_total", "counter",
                "Searches ended early: the client left or time was up.",
                (double)metrics->searches_cancelled);
    write_value(out, "searches_refused_total", "counter", "Searches refused: the queue was full.",
                (double)metrics->searches_refused);
    write_value(out, "search_seconds_total", "counter", "Time spent in finished searches.",
                metrics->search_seconds);
    write_value(out, "search_nodes_total", "counter", "Nodes of finished searches.",
                (double)metrics->search_nodes);
    write_value(out, "reloads_total", "counter", "Weights and levels reloaded.",
                (double)metrics->reloads);
    write_value(out, "reloads_failed_total", "counter", "Reloads refused, the old ones kept.",
                (double)metrics->reloads_failed);
    write_value(out, "connections", "gauge", "Open connections.", metrics->connections);
    write_value(out, "searches_queued", "gauge", "Searches waiting for a thread.", metrics->queued);
    write_value(out, "searches_running", "gauge", "Searches running.", metrics->running);
}

struct response metrics_response(const struct metrics *metrics,
                                 const char *(*route_name)(size_t route))
{
    struct response response = {.status = 500};
    FILE *out = open_memstream(&response.body, &response.body_size);

    if (out == NULL) {
        return response;
    }
    write_all(metrics, route_name, out);
    if (fclose(out) != 0) {
        response_fini(&response);
        return response;
    }
    response.status = 200;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return response;
}
