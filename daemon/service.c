/* Requests as evhttp hands them over, replies as it sends them, and the way between. */
#include "daemon/service.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/desk.h"
#include "daemon/dxp_server.h"
#include "daemon/framing.h"
#include "daemon/headers.h"
#include "daemon/inbound.h"
#include "daemon/live.h"
#include "daemon/play.h"
#include "daemon/problem.h"
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

/* Sends a response, whose body it takes, and counts and logs it. */
static void reply(struct service *service, struct connection *connection,
                  struct evhttp_request *http, struct response *response, bool close)
{
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
    connection->request = NULL;
    evhttp_send_reply(http, response->status, NULL, NULL);
    response_fini(response);
}

void service_reply(struct service *service, struct connection *connection,
                   struct response *response)
{
    reply(service, connection, connection->request, response, false);
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

/* The request's id: the client's, if it is one, else one of random bits. */
static void name_request(struct service *service, struct connection *connection, const char *wanted)
{
    static const char LETTERS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    static const char HEX[] = "0123456789abcdef";
    unsigned char bits[8] = {0};
    size_t length = wanted != NULL ? strlen(wanted) : 0;

    if (length > 0 && length < sizeof connection->id && strspn(wanted, LETTERS) == length) {
        memcpy(connection->id, wanted, length + 1);
        return;
    }
    random_take(&service->random, bits, sizeof bits); /* without any: zeros, and a 500 follows */
    for (size_t i = 0; i < sizeof bits; i++) {
        connection->id[2 * i] = HEX[bits[i] >> 4];
        connection->id[2 * i + 1] = HEX[bits[i] & 15];
    }
    connection->id[2 * sizeof bits] = '\0';
}

/* Makes a connection ready for its next request. */
static void begin(struct service *service, struct connection *connection,
                  struct evhttp_request *http)
{
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(http);

    connection->started = clock_seconds();
    connection->route = api_route_other();
    connection->request = http;
    connection->requests++;
    connection->done = false;
    connection->wait_until = 0.0;
    connection->replayed = false;
    name_request(service, connection, evhttp_find_header(headers, "X-Request-Id"));
    if (!service->forwarded ||
        !visitors_forwarded(evhttp_find_header(headers, "X-Forwarded-For"), connection->address,
                            sizeof connection->address)) {
        memcpy(connection->address, connection->peer, sizeof connection->address);
    }
}

/* Whether the request's address may ask now; false with *refusal filled. */
static bool may_ask(struct service *service, const struct connection *connection,
                    struct response *refusal)
{
    int wait = visitors_ask(service->visitors, connection->address, connection->started);

    if (wait == 0) {
        return true;
    }
    service->metrics.slowed++;
    *refusal = problem(PROBLEM_TOO_MANY, NULL, "more than %g requests a second",
                       service->requests_per_second);
    refusal->retry_after = wait;
    return false;
}

/* Whether a request with a key is to be done; false with *response filled: it has been, or cannot.
 */
static bool is_first(struct service *service, struct connection *connection,
                     struct response *response)
{
    const char *key = evhttp_find_header(evhttp_request_get_input_headers(connection->request),
                                         "Idempotency-Key");
    struct request request;
    struct replay *replay;

    if (key == NULL || evhttp_request_get_command(connection->request) != EVHTTP_REQ_POST) {
        return true;
    }
    inbound_read(connection->request, &request);
    request.address = connection->address;
    switch (replays_begin(service->replays, &request, key, (int64_t)time(NULL), &replay)) {
    case REPLAY_NEW:
        connection->replay = replay;
        return true;
    case REPLAY_KNOWN:
        connection->replayed = true;
        *response = replay_response(replay);
        return false;
    case REPLAY_BUSY:
        *response = problem(PROBLEM_KEY_BUSY, "Idempotency-Key", "its answer is not there yet");
        return false;
    case REPLAY_OTHER:
        *response = problem(PROBLEM_KEY_OTHER, "Idempotency-Key", "a fresh key is needed");
        return false;
    case REPLAY_BAD:
        *response = problem(PROBLEM_BAD_REQUEST, "Idempotency-Key",
                            "not 1 to %d printable characters", REPLAY_KEY);
        return false;
    case REPLAY_FULL:
        break;
    }
    *response = problem(PROBLEM_OVERLOADED, NULL, "too many requests with keys are being done");
    return false;
}

/* An answer that nobody waits for any more: a change on its way to the store keeps it, and what was
 * given up is forgotten. */
static void part_replay(struct connection *connection)
{
    if (connection->replay == NULL) {
        return;
    }
    if (connection->room != NULL && connection->asking) {
        connection->room->replay = connection->replay;
    } else {
        replay_forget(connection->replay);
    }
    connection->replay = NULL;
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
    begin(service, connection, http);
    if (!framing_check(evhttp_request_get_input_headers(http), inbound_is_modern(http),
                       evhttp_request_get_command(http) == EVHTTP_REQ_POST, &refusal)) {
        reply(service, connection, http, &refusal, true);
    } else if (!may_ask(service, connection, &refusal) ||
               !is_first(service, connection, &refusal)) {
        reply(service, connection, http, &refusal, false);
    } else {
        dispatch(service, connection, false);
    }
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
