/* Taking evhttp's requests apart. */
#include "daemon/inbound.h"

#include <event2/buffer.h>
#include <event2/http_struct.h>
#include <string.h>

enum method inbound_method(const struct evhttp_request *http)
{
    switch (evhttp_request_get_command(http)) {
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

const char *inbound_path(const struct evhttp_request *http)
{
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
    const char *path = uri != NULL ? evhttp_uri_get_path(uri) : NULL;

    return path != NULL && *path != '\0' ? path : "/";
}

bool inbound_settle_version(struct evhttp_request *http)
{
    const bool spoken = http->major == 1;

    http->major = 1;
    http->minor = spoken && http->minor > 0;
    return spoken;
}

bool inbound_is_modern(const struct evhttp_request *http)
{
    return http->minor >= 1;
}

static const char *header_of(struct evhttp_request *http, const char *name)
{
    return evhttp_find_header(evhttp_request_get_input_headers(http), name);
}

void inbound_read(struct evhttp_request *http, struct request *request)
{
    struct evbuffer *input = evhttp_request_get_input_buffer(http);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);

    *request = (struct request){
        .method = inbound_method(http),
        .path = inbound_path(http),
        .query = uri != NULL ? evhttp_uri_get_query(uri) : NULL,
        .content_type = header_of(http, "Content-Type"),
        .authorization = header_of(http, "Authorization"),
        .if_none_match = header_of(http, "If-None-Match"),
        .prefer = header_of(http, "Prefer"),
        .accept_encoding = header_of(http, "Accept-Encoding"),
        .host = header_of(http, "Host"),
        .origin = header_of(http, "Origin"),
        .upgrade = inbound_is_modern(http) ? header_of(http, "Upgrade") : NULL,
        .connection = header_of(http, "Connection"),
        .socket_key = header_of(http, "Sec-WebSocket-Key"),
        .socket_version = header_of(http, "Sec-WebSocket-Version"),
        .socket_protocol = header_of(http, "Sec-WebSocket-Protocol"),
        .cookie = header_of(http, "Cookie"),
        .user = header_of(http, "X-User"),
        .body_size = evbuffer_get_length(input),
    };
    request->body = (const char *)evbuffer_pullup(input, -1);
}
