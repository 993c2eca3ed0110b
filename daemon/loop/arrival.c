/* Requests as they arrive: each gets an id and an address, and what may not be asked, not so often
 * or not again is refused before the API sees it. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/loop/service_parts.h"
#include "daemon/net/framing.h"
#include "daemon/net/inbound.h"
#include "daemon/net/problem.h"
#include "engine/base/clock.h"

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
    if (!inbound_settle_version(http)) {
        refusal = problem(PROBLEM_VERSION, NULL, "HTTP/1.1 and HTTP/1.0 are");
        service_send(service, connection, &refusal, true);
    } else if (!framing_check(evhttp_request_get_input_headers(http), inbound_is_modern(http),
                              evhttp_request_get_command(http) == EVHTTP_REQ_POST, &refusal)) {
        service_send(service, connection, &refusal, true);
    } else if (!may_ask(service, connection, &refusal) ||
               !is_first(service, connection, &refusal)) {
        service_send(service, connection, &refusal, false);
    } else {
        service_dispatch(service, connection, false);
    }
}

/* --- what evhttp cannot read ----------------------------------------------------------------- */

/* The status of the answer that a buffer begins with; 0: none is there. */
static int status_in(struct evbuffer *output)
{
    char line[32]; /* "HTTP/1.1 400", where the version is whatever the client sent */
    ev_ssize_t got = evbuffer_copyout(output, line, sizeof line - 1);

    line[got > 0 ? got : 0] = '\0';
    const char *status = strchr(line, ' ');
    return status != NULL ? (int)strtol(status, NULL, 10) : 0;
}

static struct response unreadable(int status)
{
    switch (status) {
    case 413:
        return problem(PROBLEM_TOO_LARGE, NULL,
                       "a body of more than %d bytes, or a first line of more "
                       "than %d",
                       BODY_MAX, HEADER_MAX);
    case 417:
        return problem(PROBLEM_EXPECTATION, "Expect", "only 100-continue is known");
    default:
        return problem(PROBLEM_BAD_REQUEST, NULL,
                       "no HTTP request that can be read, or a header of more than %d bytes",
                       HEADER_MAX);
    }
}

static const char *status_words(int status)
{
    return status == 413   ? "Content Too Large"
           : status == 417 ? "Expectation Failed"
                           : "Bad Request";
}

/* Writes an answer as evhttp would, had it the request. */
static void write_answer(struct evbuffer *output, const struct connection *connection,
                         const struct response *response)
{
    (void)evbuffer_add_printf(output,
                              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                              "X-Request-Id: %s\r\nX-Content-Type-Options: nosniff\r\n"
                              "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
                              response->status, status_words(response->status),
                              response->content_type, response->body_size, connection->id);
    (void)evbuffer_add(output, response->body, response->body_size);
}

/* Puts our answer into the place of evhttp's. */
static void answer_unread(struct service *service, struct connection *connection,
                          struct evbuffer *output, int status)
{
    struct response refusal = unreadable(status);

    name_request(service, connection, NULL);
    const struct access_line line = {.address = connection->peer,
                                     .method = "-",
                                     .target = "-",
                                     .major = 1,
                                     .minor = 1,
                                     .status = refusal.status,
                                     .bytes = refusal.body_size,
                                     .id = connection->id};
    evbuffer_drain(output, evbuffer_get_length(output));
    write_answer(output, connection, &refusal);
    metrics_count(&service->metrics, api_route_other(), refusal.status, 0.0);
    access_log_write(service->access_log, &line);
    log_line(service->log, LOG_DEBUG, "- - %d %zu bytes: not read", line.status, line.bytes);
    response_fini(&refusal);
}

bool service_unread(struct service *service, struct connection *connection)
{
    struct evbuffer *output = bufferevent_get_output(connection->transport);

    evbuffer_unfreeze(output, 1); /* the front is the transport's while it does not write */
    const int status = status_in(output);
    if (status >= 400) {
        answer_unread(service, connection, output, status);
    }
    evbuffer_freeze(output, 1);
    return status >= 400;
}
