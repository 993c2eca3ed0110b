/* Header lines for pages of other sites. */
#include "daemon/net/cors.h"

#include "daemon/net/origin.h"

void cors_add(struct evhttp_request *http, const struct response *response, const char *origins)
{
    struct evkeyvalq *out = evhttp_request_get_output_headers(http);
    const struct evkeyvalq *in = evhttp_request_get_input_headers(http);
    const char *origin = *origins != '\0' ? evhttp_find_header(in, "Origin") : NULL;

    if (*origins != '\0') {
        evhttp_add_header(out, "Vary", "Origin"); /* with it or without: it decides */
    }
    if (origin == NULL || !origin_allowed(origin, NULL, origins)) {
        return;
    }
    evhttp_add_header(out, "Access-Control-Allow-Origin", origin);
    if (evhttp_request_get_command(http) == EVHTTP_REQ_OPTIONS &&
        evhttp_find_header(in, "Access-Control-Request-Method") != NULL) {
        evhttp_add_header(out, "Access-Control-Allow-Methods", response->allow);
        evhttp_add_header(
            out, "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, X-Request-Id");
        evhttp_add_header(out, "Access-Control-Max-Age", "600");
    } else {
        evhttp_add_header(out, "Access-Control-Expose-Headers",
                          "ETag, Location, Retry-After, X-Request-Id, Idempotency-Replayed");
    }
}
