/* Requests to the daemon's API, in tests that need no socket and no store. */
#pragma once

#include "daemon/api/api.h"
#include "tests/unit/reply_support.h"

struct api_fixture {
    struct artefacts *artefacts;
    struct metrics metrics;
    struct api api;
    struct response response; /* of the last request */
    json_t *json;             /* its body */
};

/* International has weights and six levels, classic weights only, flying nothing. */
int api_setup(void **state);
int api_teardown(void **state);

/* Sends a request and runs the search it asks for, if any; the response is kept. */
void api_send(struct api_fixture *fixture, const struct request *request);
void api_get(struct api_fixture *fixture, const char *path, const char *query);
void api_post(struct api_fixture *fixture, const char *path, const char *body);

/* The last response is a problem of this status and kind that points to `field` (NULL: none) and
 * whose detail has `said` in it. */
void assert_problem(const struct api_fixture *fixture, int status, const char *slug,
                    const char *field, const char *said);
