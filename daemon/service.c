/* Requests as evhttp hands them over, replies as it sends them, and the way between. */
#include "daemon/service.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "daemon/api.h"
#include "daemon/framing.h"
#include "daemon/problem.h"
#include "engine/base/clock.h"

static enum method method_of(enum evhttp_cmd_type type)
{
    switch (type) {
    case EVHTTP_REQ_GET:
        return METHOD_GET;
    case EVHTTP_REQ_HEAD:
        return METHOD_HEAD;
    case EVHTTP_REQ_POST:
        return METHOD_POST;
    case EVHTTP_REQ_PUT:
        return METHOD_PUT;
    case EVHTTP_REQ_PATCH:
        return METHOD_PATCH;
    case EVHTTP_REQ_DELETE:
        return METHOD_DELETE;
    case EVHTTP_REQ_OPTIONS:
        return METHOD_OPTIONS;
    default:
        return METHOD_OTHER;
    }
}

static const char *path_of(struct evhttp_request *http)
{
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
    const char *path = uri != NULL ? evhttp_uri_get_path(uri) : NULL;

    return path != NULL && *path != '\0' ? path : "/";
}

static void free_body(const void *data, size_t size, void *context)
{
    (void)size;
    (void)context;
    free((void *)(uintptr_t)data);
}

static void add_headers(struct service *service, struct evhttp_request *http,
                        const struct response *response, bool close)
{
    struct evkeyvalq *headers = evhttp_request_get_output_headers(http);
    char seconds[16];

    if (response->content_type != NULL) {
        evhttp_add_header(headers, "Content-Type", response->content_type);
        evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
    }
    evhttp_add_header(headers, "Cache-Control", "no-store");
    if (response->allow[0] != '\0') {
        evhttp_add_header(headers, "Allow", response->allow);
    }
    if (response->retry_after > 0) {
        snprintf(seconds, sizeof seconds, "%d", response->retry_after);
        evhttp_add_header(headers, "Retry-After", seconds);
    }
    if (close || service->draining) {
        evhttp_add_header(headers, "Connection", "close");
    }
}

/* Sends a response, whose body it takes, and counts and logs it. */
static void reply(struct service *service, struct connection *connection,
                  struct evhttp_request *http, struct response *response, bool close)
{
    metrics_count(&service->metrics, connection->route, response->status);
    log_line(service->log, LOG_DEBUG, "%s %s %d %zu bytes %.1f ms",
             method_name(method_of(evhttp_request_get_command(http))), path_of(http),
             response->status, response->body_size, (clock_seconds() - connection->started) * 1e3);
    add_headers(service, http, response, close);
    if (response->body != NULL &&
        evbuffer_add_reference(evhttp_request_get_output_buffer(http), response->body,
                               response->body_size, free_body, NULL) == 0) {
        response->body = NULL;
    }
    connection_rearm(connection);
    evhttp_send_reply(http, response->status, NULL, NULL);
    response_fini(response);
}

/* Hands a task to the search threads; the request waits. */
static void start_search(struct service *service, struct connection *connection,
                         struct evhttp_request *http, struct task *task)
{
    struct response refusal;
    struct job *job = job_create(task, connection);

    if (job == NULL) {
        task_destroy(task);
        refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
    } else if (!pool_submit(service->pool, job)) {
        job_destroy(job);
        service->metrics.searches_refused++;
        refusal =
            problem(PROBLEM_OVERLOADED, NULL, "%d searches are waiting already", service->queue);
    } else {
        connection->request = http;
        connection->job = job;
        connection_rearm(connection);
        connection_watch(connection);
        return;
    }
    reply(service, connection, http, &refusal, false);
}

static struct answer answer_request(struct service *service, struct evhttp_request *http)
{
    struct evbuffer *input = evhttp_request_get_input_buffer(http);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
    const struct pool_load load = pool_load(service->pool);
    const struct api api = {.artefacts = service->artefacts,
                            .metrics = &service->metrics,
                            .draining = service->draining};
    struct request request = {
        .method = method_of(evhttp_request_get_command(http)),
        .path = path_of(http),
        .query = uri != NULL ? evhttp_uri_get_query(uri) : NULL,
        .content_type = evhttp_find_header(evhttp_request_get_input_headers(http), "Content-Type"),
        .body_size = evbuffer_get_length(input),
    };

    service->metrics.connections = service->connections.count;
    service->metrics.queued = load.queued;
    service->metrics.running = load.running;
    request.body = (const char *)evbuffer_pullup(input, -1);
    if (getrandom(&request.seed, sizeof request.seed, 0) != sizeof request.seed) {
        return (struct answer){.response = problem(PROBLEM_INTERNAL, NULL, "no random numbers"),
                               .route = api_route_other()};
    }
    return api_handle(&api, &request);
}

void service_request(struct evhttp_request *http, void *context)
{
    struct service *service = context;
    struct connection *connection = connection_of(&service->connections, http);
    struct response refusal;
    bool modern = http->major > 1 || (http->major == 1 && http->minor >= 1);

    if (connection == NULL) {
        evhttp_send_error(http, HTTP_SERVUNAVAIL, NULL);
        return;
    }
    connection->started = clock_seconds();
    connection->route = api_route_other();
    if (!framing_check(evhttp_request_get_input_headers(http), modern,
                       evhttp_request_get_command(http) == EVHTTP_REQ_POST, &refusal)) {
        reply(service, connection, http, &refusal, true);
        return;
    }
    struct answer answer = answer_request(service, http);
    connection->route = answer.route;
    if (answer.task != NULL) {
        start_search(service, connection, http, answer.task);
    } else {
        reply(service, connection, http, &answer.response, false);
    }
}

void service_abandon(struct service *service, struct connection *connection)
{
    connection->job->owner = NULL;
    pool_cancel(service->pool, connection->job);
    connection->job = NULL;
}

void service_late(struct service *service, struct connection *connection)
{
    struct response refusal =
        problem(PROBLEM_TIMEOUT, NULL, "no answer within %g s", service->timeout);

    service_abandon(service, connection);
    connection_unwatch(connection);
    reply(service, connection, connection->request, &refusal, false);
}

void service_jobs(struct service *service)
{
    struct job *next;

    for (struct job *job = pool_take(service->pool); job != NULL; job = next) {
        struct connection *connection = job->owner;
        next = job->next;
        if (job->cancelled) {
            service->metrics.searches_cancelled++;
        } else {
            service->metrics.searches++;
            service->metrics.search_nodes += job->nodes;
            service->metrics.search_seconds += job->seconds;
        }
        if (connection != NULL) {
            connection->job = NULL;
            connection_unwatch(connection);
            reply(service, connection, connection->request, &job->response, false);
        }
        job_destroy(job);
    }
}
