/* Pages of other sites that may read answers (the Fetch standard's CORS protocol): those of the
 * list http.origins, with a token each, never with a cookie. */
#pragma once

#include <event2/http.h>

#include "daemon/net/http.h"

/* Adds what the browser wants to know to an answer to a request of another origin, and to a
 * preflight what may be asked. Adds nothing for others. */
void cors_add(struct evhttp_request *http, const struct response *response, const char *origins);
