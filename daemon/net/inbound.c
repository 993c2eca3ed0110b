/* Taking evhttp's requests apart. */
#include "daemon/net/inbound.h"

#include <event2/buffer.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <stddef.h>
#include <strings.h>

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

/* One pass for all: looking each up by itself took a tenth of a small request's time. */
static void read_headers(const struct evkeyvalq *headers, struct request *request)
{
    static const struct {
        const char *name;
        size_t place;
    } KNOWN[] = {
        {"Accept", offsetof(struct request, accept)},
        {"Accept-Encoding", offsetof(struct request, accept_encoding)},
        {"Authorization", offsetof(struct request, authorization)},
        {"Connection", offsetof(struct request, connection)},
        {"Content-Type", offsetof(struct request, content_type)},
        {"Cookie", offsetof(struct request, cookie)},
        {"Host", offsetof(struct request, host)},
        {"If-None-Match", offsetof(struct request, if_none_match)},
        {"Origin", offsetof(struct request, origin)},
        {"Prefer", offsetof(struct request, prefer)},
        {"Sec-WebSocket-Key", offsetof(struct request, socket_key)},
        {"Sec-WebSocket-Protocol", offsetof(struct request, socket_protocol)},
        {"Sec-WebSocket-Version", offsetof(struct request, socket_version)},
        {"Upgrade", offsetof(struct request, upgrade)},
        {"X-User", offsetof(struct request, user)},
    };

    for (const struct evkeyval *header = headers->tqh_first; header != NULL;
         header = header->next.tqe_next) {
        for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
            const char **value = (const char **)((char *)request + KNOWN[i].place);
            if ((header->key[0] | 0x20) == (KNOWN[i].name[0] | 0x20) && *value == NULL &&
                strcasecmp(header->key, KNOWN[i].name) == 0) {
                *value = header->value;
            }
        }
    }
}

void inbound_read(struct evhttp_request *http, struct request *request)
{
    struct evbuffer *input = evhttp_request_get_input_buffer(http);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);

    *request = (struct request){
        .method = inbound_method(http),
        .path = inbound_path(http),
        .query = uri != NULL ? evhttp_uri_get_query(uri) : NULL,
        .body_size = evbuffer_get_length(input),
    };
    read_headers(evhttp_request_get_input_headers(http), request);
    if (!inbound_is_modern(http)) {
        request->upgrade = NULL;
    }
    request->body = (const char *)evbuffer_pullup(input, -1);
}
