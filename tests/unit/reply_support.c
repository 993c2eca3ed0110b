#include "reply_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

json_t *reply_json(const struct response *response)
{
    const void *body = response->fixed != NULL ? response->fixed : response->body;

    return body != NULL ? json_loadb(body, response->body_size, 0, NULL) : NULL;
}

void reply_forget(struct response *response, json_t **json)
{
    json_decref(*json);
    *json = NULL;
    response_fini(response);
}

const char *reply_text(const json_t *object, const char *member)
{
    const char *value = json_string_value(json_object_get(object, member));

    assert_non_null(value);
    return value;
}

json_int_t reply_number(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);

    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

void assert_problem_kind(const struct response *response, const json_t *json, int status,
                         const char *slug)
{
    char type[80];

    snprintf(type, sizeof type, "urn:draughtsmith:problem:%s", slug);
    assert_int_equal(response->status, status);
    assert_string_equal(response->content_type, "application/problem+json");
    assert_string_equal(reply_text(json, "type"), type);
    assert_int_equal(reply_number(json, "status"), status);
    assert_true(strlen(reply_text(json, "title")) > 0);
}
