/* What the daemon's API answered, read by a test. */
#pragma once

#include <jansson.h>

#include "daemon/net/http.h"

/* The body as JSON, to be released; NULL when it is none. */
json_t *reply_json(const struct response *response);

/* Frees an answer and what reply_json made of it, which is NULL then. */
void reply_forget(struct response *response, json_t **json);

/* A member of an answer; the test fails when it is not there, or of another type. */
const char *reply_text(const json_t *object, const char *member);
json_int_t reply_number(const json_t *object, const char *member);

/* The answer, whose body is `json`, is a problem of this status and kind. */
void assert_problem_kind(const struct response *response, const json_t *json, int status,
                         const char *slug);
