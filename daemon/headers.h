/* From a response as a value to the header lines that go out with it. */
#pragma once

#include <event2/http.h>

#include "daemon/http.h"

/* The text of the present second, which evhttp would compose anew for each answer. */
struct date {
    int64_t second; /* 0: none yet */
    char text[32];
};

/* Adds the headers of a response; `close`: the connection ends behind it. */
void headers_add(struct evhttp_request *http, const struct response *response, struct date *date,
                 bool close);
