/* From a request as evhttp holds it to one as a value. */
#pragma once

#include <event2/http.h>

#include "daemon/net/http.h"

enum method inbound_method(const struct evhttp_request *http);

/* The path as sent; "/" for none. */
const char *inbound_path(const struct evhttp_request *http);

/* Whether the version is one of HTTP/1. The request, and so the answer, has HTTP/1.1 or 1.0 then,
 * whatever else was sent. */
bool inbound_settle_version(struct evhttp_request *http);

/* HTTP/1.1. */
bool inbound_is_modern(const struct evhttp_request *http);

/* Fills what the request itself says; the texts are evhttp's and live as long as the request. */
void inbound_read(struct evhttp_request *http, struct request *request);
