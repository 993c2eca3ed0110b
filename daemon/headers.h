/* From a response as a value to the header lines that go out with it. */
#pragma once

#include <event2/http.h>

#include "daemon/http.h"

/* Adds the headers of a response; `close`: the connection ends behind it. */
void headers_add(struct evhttp_request *http, const struct response *response, bool close);
