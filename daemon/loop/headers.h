/* From a response as a value to the header lines that go out with it. */
#pragma once

#include <event2/http.h>

#include "daemon/net/http.h"

/* The text of the present second, which evhttp would compose anew for each answer. */
struct date {
    int64_t second; /* 0: none yet */
    char text[32];
};

/* What goes with each answer beside what it says itself. */
struct sending {
    struct date *date;
    const char *origins; /* the list of http.origins */
    const char *id;      /* of the request */
    bool close;          /* the connection ends behind it */
    bool replayed;       /* it is the answer to an earlier request of the same key */
};

/* Adds the headers of a response. */
void headers_add(struct evhttp_request *http, const struct response *response,
                 const struct sending *sending);
