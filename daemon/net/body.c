/* Strict reading of JSON bodies with jansson. */
#include "daemon/net/body.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemon/net/problem.h"

enum { POINTER_SIZE = 80 };

/* A member's name as a JSON pointer (RFC 6901), cut when it is long. */
static void pointer_write(const char *name, char out[POINTER_SIZE])
{
    size_t used = 0;

    out[used++] = '/';
    for (; *name != '\0' && used + 3 < POINTER_SIZE; name++) {
        if (*name == '~' || *name == '/') {
            out[used++] = '~';
            out[used++] = *name == '~' ? '0' : '1';
        } else {
            out[used++] = *name;
        }
    }
    out[used] = '\0';
}

static bool members_known(const json_t *body, const char *const *names, size_t count,
                          struct response *refusal)
{
    char known[256], pointer[POINTER_SIZE];
    size_t used = 0;

    for (void *at = json_object_iter((json_t *)body); at != NULL;
         at = json_object_iter_next((json_t *)body, at)) {
        const char *key = json_object_iter_key(at);
        size_t i = 0;
        while (i < count && strcmp(names[i], key) != 0) {
            i++;
        }
        if (i < count) {
            continue;
        }
        known[0] = '\0';
        for (i = 0; i < count && used < sizeof known; i++) {
            int wrote =
                snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", names[i]);
            used += (size_t)wrote;
        }
        pointer_write(key, pointer);
        *refusal = problem(PROBLEM_BAD_FIELD, pointer, "unknown member; known are: %s", known);
        return false;
    }
    return true;
}

json_t *body_read(const struct request *request, const char *const *names, size_t count,
                  struct response *refusal)
{
    json_error_t error;

    if (!content_type_is_json(request->content_type)) {
        *refusal = problem(PROBLEM_MEDIA_TYPE, "Content-Type",
                           "send the body with Content-Type: application/json");
        return NULL;
    }
    if (request->body_size > BODY_MAX) {
        *refusal = problem(PROBLEM_TOO_LARGE, NULL, "the body has %zu bytes, at most %d are read",
                           request->body_size, BODY_MAX);
        return NULL;
    }
    json_t *body = json_loadb(request->body_size > 0 ? request->body : "", request->body_size,
                              JSON_REJECT_DUPLICATES, &error);
    if (body == NULL) {
        *refusal = problem(PROBLEM_BAD_JSON, NULL, "line %d, column %d: %s", error.line,
                           error.column, error.text);
        return NULL;
    }
    if (!json_is_object(body)) {
        *refusal = problem(PROBLEM_BAD_JSON, NULL, "the body must be one JSON object");
    } else if (members_known(body, names, count, refusal)) {
        return body;
    }
    json_decref(body);
    return NULL;
}

bool body_empty(const struct request *request, struct response *refusal)
{
    static const char *const NONE[] = {""};

    if (request->body_size == 0) {
        return true;
    }
    json_t *body = body_read(request, NONE, 0, refusal);
    bool read = body != NULL;
    json_decref(body);
    return read;
}

/* Looks a member up; *absent tells that it is not there and need not be. */
static const json_t *member(const json_t *body, const char *name, bool required, const char *type,
                            bool *absent, struct response *refusal)
{
    char pointer[POINTER_SIZE];
    const json_t *value = json_object_get(body, name);

    *absent = value == NULL && !required;
    if (value == NULL && required) {
        pointer_write(name, pointer);
        *refusal = problem(PROBLEM_BAD_FIELD, pointer, "missing; it is %s", type);
    }
    return value;
}

bool body_text(const json_t *body, const char *name, bool required, const char **out,
               struct response *refusal)
{
    char pointer[POINTER_SIZE];
    bool absent;
    const json_t *value = member(body, name, required, "a text", &absent, refusal);

    *out = NULL;
    if (value == NULL) {
        return absent;
    }
    if (!json_is_string(value)) {
        pointer_write(name, pointer);
        *refusal = problem(PROBLEM_BAD_FIELD, pointer, "not a text");
        return false;
    }
    *out = json_string_value(value);
    return true;
}

bool body_integer(const json_t *body, const char *name, bool required, int64_t min, int64_t max,
                  int64_t *out, struct response *refusal)
{
    char pointer[POINTER_SIZE];
    bool absent;
    const json_t *value = member(body, name, required, "a whole number", &absent, refusal);

    if (value == NULL) {
        return absent;
    }
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        pointer_write(name, pointer);
        *refusal = problem(PROBLEM_BAD_FIELD, pointer,
                           "not a whole number from %" PRId64 " to %" PRId64, min, max);
        return false;
    }
    *out = json_integer_value(value);
    return true;
}
