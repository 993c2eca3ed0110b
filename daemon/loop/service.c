/* Requests as evhttp hands them over, replies as it sends them, and the way between. */
#include "daemon/loop/service.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/loop/desk.h"
#include "daemon/loop/dxp_server.h"
#include "daemon/loop/headers.h"
#include "daemon/loop/live.h"
#include "daemon/loop/play.h"
#include "daemon/loop/service_parts.h"
#include "daemon/net/inbound.h"
#include "daemon/net/problem.h"
#include "engine/base/clock.h"

enum { RETRY_MOST = 60 }; /* seconds */

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

/* Counts and logs an answer. */
static void record(struct service *service, const struct connection *connection,
                   struct evhttp_request *http, int status, size_t body_size)
{
    const double seconds = clock_seconds() - connection->started;
    const struct access_line line = {.address = connection->address,
                                     .method = method_name(inbound_method(http)),
                                     .target = evhttp_request_get_uri(http),
                                     .major = http->major,
                                     .minor = http->minor,
                                     .status = status,
                                     .bytes = body_size,
                                     .id = connection->id,
                                     .seconds = seconds};

    metrics_count(&service->metrics, connection->route, status, seconds);
    access_log_write(service->access_log, &line);
    log_line(service->log, LOG_DEBUG, "%s %s %d %zu bytes %.1f ms", line.method, inbound_path(http),
             status, body_size, seconds * 1e3);
}

void service_send(struct service *service, struct connection *connection, struct response *response,
                  bool close)
{
    struct evhttp_request *http = connection->request;
    const struct sending sending = {
        .date = &service->date,
        .origins = service->lists.origins,
        .id = connection->id,
        .close = close || service->draining || connection->requests >= service->keep_alive,
        .replayed = connection->replayed,
    };

    if (connection->replay != NULL) {
        replay_finish(connection->replay, response);
        connection->replay = NULL;
    }
    record(service, connection, http, response->status, response->body_size);
    headers_add(http, response, &sending);
    add_body(http, response);
    connection_unwatch(connection);
    connection_rearm(connection);
    evhttp_send_reply(http, response->status, NULL, NULL);
    connection->request = NULL;
    response_fini(response);
}

void service_reply(struct service *service, struct connection *connection,
                   struct response *response)
{
    service_send(service, connection, response, false);
}

/* The refusal of a search for which there is no room, and when to come again. */
static struct response overloaded(struct service *service)
{
    const double seconds = ceil(pool_load(service->pool).seconds);
    struct response refusal =
        problem(PROBLEM_OVERLOADED, NULL, "%d searches are waiting already", service->queue);

    service->metrics.searches_refused++;
    refusal.retry_after = seconds < 1.0 ? 1 : seconds > RETRY_MOST ? RETRY_MOST : (int)seconds;
    return refusal;
}

/* Who a request's searches are counted for: its address. */
static uint64_t key_of(const struct connection *connection)
{
    uint64_t key = UINT64_C(14695981039346656037); /* FNV-1a */

    for (const char *at = connection->address; *at != '\0'; at++) {
        key = (key ^ (unsigned char)*at) * UINT64_C(1099511628211);
    }
    return key;
}

/* Hands a task to the search threads; the request waits. */
static void start_search(struct service *service, struct connection *connection, struct task *task)
{
    struct response refusal;
    struct job *job = job_create(task, connection, key_of(connection));

    if (job == NULL) {
        task_destroy(task);
        refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
    } else if (!pool_submit(service->pool, job)) {
        job_destroy(job);
        refusal = overloaded(service);
    } else {
        connection->job = job;
        connection_rearm(connection);
        connection_watch(connection);
        return;
    }
    service_reply(service, connection, &refusal);
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
    const struct pool_load load = pool_load(service->pool);
    const struct api api = service_api(service);
    struct request request;

    inbound_read(http, &request);
    request.address = connection->address;
    request.hashed = connection->hashed;
    request.last = last;
    request.done = connection->done;
    service->metrics.connections = service->connections.count;
    service->metrics.queued = load.queued;
    service->metrics.running = load.running;
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
    struct evhttp_request *http = connection->request;

    if (live_open(service, connection, answer)) {
        record(service, connection, http, 101, 0);
    } else {
        struct response refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
        service_reply(service, connection, &refusal);
    }
}

void service_dispatch(struct service *service, struct connection *connection, bool last)
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
    service_dispatch(service, connection,
                     connection->wait_until > 0.0 && clock_seconds() >= connection->wait_until);
}

/* An answer that nobody waits for any more: a change on its way to the store has it kept, and what
 * was given up is forgotten. */
static void part_replay(struct connection *connection)
{
    const bool asking = connection->room != NULL && connection->asking;
    struct change *change = asking ? connection->room->change : connection->change;

    if (connection->replay == NULL) {
        return;
    }
    if (change != NULL) {
        change->replay = connection->replay;
    } else {
        replay_forget(connection->replay);
    }
    connection->replay = NULL;
}

void service_leave(struct service *service, struct connection *connection)
{
    if (connection->job != NULL) {
        connection->job->owner = NULL;
        pool_cancel(service->pool, connection->job);
        connection->job = NULL;
    }
    part_replay(connection);
    desk_leave(connection);
    play_leave(connection);
    live_leave(connection);
}

void service_late(struct service *service, struct connection *connection)
{
    bool again = connection->room != NULL && !connection->asking;
    struct replay *replay = connection->replay;

    if (again) {
        connection->replay = NULL; /* it is answered now */
    }
    service_leave(service, connection);
    if (again) {
        connection->replay = replay;
        service_dispatch(service, connection, true);
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
        } else if (job->refused && connection != NULL && task_is_answered(job->task)) {
            job->response = overloaded(service);
        } else if (!job->refused) {
            service->metrics.searches++;
            service->metrics.search_nodes += job->nodes;
            service->metrics.search_seconds += job->seconds;
        }
        if (task_is_hosted(job->task)) {
            play_searched(service, job);
        } else if (job->task->purpose == PURPOSE_DXP) {
            dxp_searched(job);
        } else if (connection != NULL) {
            connection->job = NULL;
            service_reply(service, connection, &job->response);
        }
        job_destroy(job);
    }
    play_retry(service);
}
