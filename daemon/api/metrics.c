/* Counters in the Prometheus text format. */
#include "daemon/api/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Upper ends of the buckets but the last, seconds. */
static const double BOUNDS[METRICS_BUCKETS - 1] = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                   0.1,    0.25,  0.5,    1.0,   2.5,  5.0,   10.0};

void metrics_count(struct metrics *metrics, size_t route, int status, double seconds)
{
    int bucket = 0;

    assert(route < METRICS_ROUTES);
    while (bucket < METRICS_BUCKETS - 1 && seconds > BOUNDS[bucket]) {
        bucket++;
    }
    metrics->requests[route][status / 100 % METRICS_CLASSES]++;
    metrics->latency[route][bucket]++;
    metrics->latency_sum[route] += seconds;
}

static void write_latency(const struct metrics *metrics, const char *(*route_name)(size_t route),
                          FILE *out)
{
    static const char NAME[] = "draughtsd_request_seconds";

    fprintf(out, "# HELP %s Seconds from a complete request to its answer, by path.\n", NAME);
    fprintf(out, "# TYPE %s histogram\n", NAME);
    for (size_t route = 0; route_name(route) != NULL; route++) {
        uint64_t count = 0;
        for (int i = 0; i < METRICS_BUCKETS; i++) {
            count += metrics->latency[route][i];
        }
        if (count == 0) {
            continue;
        }
        count = 0;
        for (int i = 0; i < METRICS_BUCKETS - 1; i++) {
            count += metrics->latency[route][i];
            fprintf(out, "%s_bucket{path=\"%s\",le=\"%g\"} %" PRIu64 "\n", NAME, route_name(route),
                    BOUNDS[i], count);
        }
        count += metrics->latency[route][METRICS_BUCKETS - 1];
        fprintf(out, "%s_bucket{path=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", NAME, route_name(route),
                count);
        fprintf(out, "%s_sum{path=\"%s\"} %.9g\n", NAME, route_name(route),
                metrics->latency_sum[route]);
        fprintf(out, "%s_count{path=\"%s\"} %" PRIu64 "\n", NAME, route_name(route), count);
    }
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
    write_latency(metrics, route_name, out);
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
    write_value(out, "connections_refused_total", "counter",
                "Connections over what one address may have.", (double)metrics->turned_away);
    write_value(out, "requests_refused_total", "counter", "Requests over what one address may ask.",
                (double)metrics->slowed);
    write_value(out, "connections", "gauge", "Open connections.", metrics->connections);
    write_value(out, "websockets", "gauge", "Those of them that are WebSockets.",
                metrics->websockets);
    write_value(out, "searches_queued", "gauge", "Searches waiting for a thread.", metrics->queued);
    write_value(out, "searches_running", "gauge", "Searches running.", metrics->running);
}

static void write_results(const struct level_results *results, int count, FILE *out)
{
    static const struct {
        const char *name, *help;
        size_t offset;
    } ROWS[] = {
        {"people", "People who have finished a game against the level.",
         offsetof(struct level_results, people)},
        {"cleared", "People who have won one without help.",
         offsetof(struct level_results, cleared)},
        {"games", "Games of people against the level.", offsetof(struct level_results, games)},
        {"wins", "Games that people have won.", offsetof(struct level_results, wins)},
        {"draws", "Games drawn.", offsetof(struct level_results, draws)},
        {"games_to_clear", "Games up to and with the first win without help.",
         offsetof(struct level_results, games_to_clear)},
    };

    for (size_t row = 0; row < sizeof ROWS / sizeof ROWS[0]; row++) {
        fprintf(out,
                "# HELP draughtsd_level_%s_total %s\n# TYPE draughtsd_level_%s_total counter\n",
                ROWS[row].name, ROWS[row].help, ROWS[row].name);
        for (int i = 0; i < count; i++) {
            int64_t value;
            memcpy(&value, (const char *)&results[i] + ROWS[row].offset, sizeof value);
            fprintf(out, "draughtsd_level_%s_total{rules=\"%s\",level=\"%d\"} %" PRId64 "\n",
                    ROWS[row].name, results[i].rules, results[i].level, value);
        }
    }
}

struct response metrics_response(const struct metrics *metrics,
                                 const char *(*route_name)(size_t route),
                                 const struct level_results *results, int count)
{
    struct response response = {.status = 500};
    FILE *out = open_memstream(&response.body, &response.body_size);

    if (out == NULL) {
        return response;
    }
    write_all(metrics, route_name, out);
    write_results(results, count, out);
    if (fclose(out) != 0) {
        response_fini(&response);
        return response;
    }
    response.status = 200;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return response;
}
