/* Requests as evhttp hands them over, replies as it sends them, and the way between. */
#include "daemon/service.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/desk.h"
#include "daemon/framing.h"
#include "daemon/headers.h"
#include "daemon/live.h"
#include "daemon/play.h"
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

/* Puts the body into the output; what it takes over is no longer the response's. */
static void add_body(struct evhttp_request *http, struct response *response)
{
    struct evbuffer *output = evhttp_request_get_output_buffer(http);
    char size[24];

    if (evhttp_request_get_command(http) == EVHTTP_REQ_HEAD) { /* evhttp forgets its length */
        if (response->body_size > 0) {
            snprintf(size, sizeof size, "%zu", response->body_size);
            evhttp_add_header(evhttp_request_get_output_headers(http), "Content-Length", size);
        }
    } else if (response->fixed != NULL) {
        evbuffer_add_reference(output, response->fixed, response->body_size, NULL, NULL);
    } else if (response->body != NULL &&
               evbuffer_add_reference(output, response->body, response->body_size, free_body,
                                      NULL) == 0) {
        response->body = NULL;
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
    headers_add(http, response, &service->date, close || service->draining);
    add_body(http, response);
    connection_unwatch(connection);
    connection_rearm(connection);
    connection->request = NULL;
    evhttp_send_reply(http, response->status, NULL, NULL);
    response_fini(response);
}

void service_reply(struct service *service, struct connection *connection,
                   struct response *response)
{
    reply(service, connection, connection->request, response, false);
}

/* Hands a task to the search threads; the request waits. */
static void start_search(struct service *service, struct connection *connection, struct task *task)
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
        connection->job = job;
        connection_rearm(connection);
        connection_watch(connection);
        return;
    }
    service_reply(service, connection, &refusal);
}

static const char *header_of(struct evhttp_request *http, const char *name)
{
    return evhttp_find_header(evhttp_request_get_input_headers(http), name);
}

/* HTTP/1.1 or later. */
static bool is_modern(const struct evhttp_request *http)
{
    return http->major > 1 || (http->major == 1 && http->minor >= 1);
}

struct api service_api(struct service *service)
{
    return (struct api){.artefacts = service->artefacts,
                        .metrics = &service->metrics,
                        .draining = service->draining,
                        .rooms = &service->rooms,
                        .now = (int64_t)time(NULL),
                        .claim_patience = service->claim_patience,
                        .expire_patience = service->expire_patience,
                        .analysis_seconds = service->analysis_seconds,
                        .lists = service->lists,
                        .echo = service->echo,
                        .names = service->names,
                        .quota = service->quota,
                        .all_levels = service->all_levels,
                        .session_seconds = service->session_seconds,
                        .signups_per_hour = service->signups_per_hour,
                        .logins_per_hour = service->logins_per_hour};
}

static struct answer handle(struct service *service, const struct connection *connection, bool last)
{
    struct evhttp_request *http = connection->request;
    struct evbuffer *input = evhttp_request_get_input_buffer(http);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
    const struct pool_load load = pool_load(service->pool);
    char *address = NULL;
    ev_uint16_t port;
    evhttp_connection_get_peer(connection->evhttp, &address, &port);
    const struct api api = service_api(service);
    struct request request = {
        .method = method_of(evhttp_request_get_command(http)),
        .path = path_of(http),
        .query = uri != NULL ? evhttp_uri_get_query(uri) : NULL,
        .content_type = header_of(http, "Content-Type"),
        .authorization = header_of(http, "Authorization"),
        .if_none_match = header_of(http, "If-None-Match"),
        .prefer = header_of(http, "Prefer"),
        .accept_encoding = header_of(http, "Accept-Encoding"),
        .host = header_of(http, "Host"),
        .origin = header_of(http, "Origin"),
        .upgrade = is_modern(http) ? header_of(http, "Upgrade") : NULL,
        .connection = header_of(http, "Connection"),
        .socket_key = header_of(http, "Sec-WebSocket-Key"),
        .socket_version = header_of(http, "Sec-WebSocket-Version"),
        .socket_protocol = header_of(http, "Sec-WebSocket-Protocol"),
        .body_size = evbuffer_get_length(input),
        .cookie = header_of(http, "Cookie"),
        .address = address,
        .hashed = connection->hashed,
        .last = last,
        .done = connection->done,
    };

    service->metrics.connections = service->connections.count;
    service->metrics.queued = load.queued;
    service->metrics.running = load.running;
    request.body = (const char *)evbuffer_pullup(input, -1);
    if (!random_take(&service->random, &request.seed, sizeof request.seed) ||
        !random_take(&service->random, request.random, sizeof request.random)) {
        return (struct answer){.response = problem(PROBLEM_INTERNAL, NULL, "no random numbers"),
                               .route = api_route_other()};
    }
    return api_handle(&api, &request);
}

/* Makes a WebSocket of a connection. */
static void upgrade(struct service *service, struct connection *connection,
                    const struct answer *answer)
{
    if (live_open(service, connection, answer)) {
        metrics_count(&service->metrics, answer->route, 101);
        log_line(service->log, LOG_DEBUG, "%s opened", api_route_name(answer->route));
    } else {
        struct response refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
        service_reply(service, connection, &refusal);
    }
}

/* Handles the request of a connection; `last`: it is to wait no more. */
static void dispatch(struct service *service, struct connection *connection, bool last)
{
    struct answer answer = handle(service, connection, last);
    struct room *room = answer.room;

    connection->route = answer.route;
    if (answer.task != NULL) {
        start_search(service, connection, answer.task);
    } else if (answer.hashing != NULL) {
        desk_hash(service, connection, answer.hashing);
    } else if (answer.change != NULL && room == NULL) {
        desk_store(service, connection, answer.change);
    } else if (answer.change != NULL) {
        play_store(service, connection, &answer);
        return; /* a fresh room may be gone */
    } else if (answer.wait > 0.0) {
        play_wait(connection, &answer);
    } else if (answer.response.status == 101) {
        upgrade(service, connection, &answer);
    } else {
        service_reply(service, connection, &answer.response);
    }
    if (room != NULL) {
        play_go_on(service, room);
    }
}

void service_again(struct service *service, struct connection *connection)
{
    dispatch(service, connection,
             connection->wait_until > 0.0 && clock_seconds() >= connection->wait_until);
}

void service_request(struct evhttp_request *http, void *context)
{
    struct service *service = context;
    struct connection *connection = connection_of(&service->connections, http);
    struct response refusal;

    if (connection == NULL) {
        evhttp_send_error(http, HTTP_SERVUNAVAIL, NULL);
        return;
    }
    connection->started = clock_seconds();
    connection->route = api_route_other();
    connection->request = http;
    connection->done = false;
    connection->wait_until = 0.0;
    if (!framing_check(evhttp_request_get_input_headers(http), is_modern(http),
                       evhttp_request_get_command(http) == EVHTTP_REQ_POST, &refusal)) {
        reply(service, connection, http, &refusal, true);
        return;
    }
    dispatch(service, connection, false);
}

void service_leave(struct service *service, struct connection *connection)
{
    if (connection->job != NULL) {
        connection->job->owner = NULL;
        pool_cancel(service->pool, connection->job);
        connection->job = NULL;
    }
    desk_leave(connection);
    play_leave(connection);
    live_leave(connection);
}

void service_late(struct service *service, struct connection *connection)
{
    bool again = connection->room != NULL && !connection->asking;

    service_leave(service, connection);
    if (again) {
        dispatch(service, connection, true);
    } else {
        struct response refusal =
            problem(PROBLEM_TIMEOUT, NULL, "no answer within %g s", service->timeout);
        service_reply(service, connection, &refusal);
    }
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
        if (task_is_hosted(job->task)) {
            play_searched(service, job);
        } else if (connection != NULL) {
            connection->job = NULL;
            service_reply(service, connection, &job->response);
        }
        job_destroy(job);
    }
    play_retry(service);
}
