/* Requests and responses as values: making, freeing, and the small texts of HTTP. */
#include "daemon/net/http.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    enum method method;
    const char *name;
} METHODS[] = {
    {METHOD_GET, "GET"},         {METHOD_HEAD, "HEAD"},   {METHOD_POST, "POST"},
    {METHOD_PUT, "PUT"},         {METHOD_PATCH, "PATCH"}, {METHOD_DELETE, "DELETE"},
    {METHOD_OPTIONS, "OPTIONS"},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

const char *method_name(enum method method)
{
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        if (METHODS[i].method == method) {
            return METHODS[i].name;
        }
    }
    return "?";
}

void methods_write(unsigned methods, char out[ALLOW_SIZE])
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        if (methods & METHODS[i].method) {
            int wrote = snprintf(out + used, ALLOW_SIZE - used, "%s%s", used > 0 ? ", " : "",
                                 METHODS[i].name);
            assert(wrote > 0 && used + (size_t)wrote < ALLOW_SIZE);
            used += (size_t)wrote;
        }
    }
}

bool content_type_is_json(const char *content_type)
{
    static const char JSON[] = "application/json";
    static const char *const PARAMETERS[] = {"charset=utf-8", "charset=\"utf-8\""};

    if (content_type == NULL || strncasecmp(content_type, JSON, sizeof JSON - 1) != 0) {
        return false;
    }
    const char *rest = content_type + sizeof JSON - 1;
    rest += strspn(rest, " \t");
    if (*rest == '\0') {
        return true;
    }
    if (*rest != ';') {
        return false;
    }
    rest++;
    rest += strspn(rest, " \t");
    for (size_t i = 0; i < sizeof PARAMETERS / sizeof PARAMETERS[0]; i++) {
        if (strcasecmp(rest, PARAMETERS[i]) == 0) {
            return true;
        }
    }
    return *rest == '\0';
}

bool header_element(const char **list, const char **element, size_t *length)
{
    static const char BLANKS[] = " \t";

    if (**list == '\0') {
        return false;
    }
    *list += strspn(*list, BLANKS);
    *element = *list;
    *length = strcspn(*list, ",");
    *list += *length;
    *list += **list == ',';
    while (*length > 0 && strchr(BLANKS, (*element)[*length - 1]) != NULL) {
        --*length;
    }
    return true;
}

bool etag_matches(const char *if_none_match, const char *etag)
{
    const char *element;
    size_t length;

    while (if_none_match != NULL && header_element(&if_none_match, &element, &length)) {
        if (length > 2 && strncmp(element, "W/", 2) == 0) {
            element += 2;
            length -= 2;
        }
        if ((length == 1 && *element == '*') ||
            (length == strlen(etag) && strncmp(element, etag, length) == 0)) {
            return true;
        }
    }
    return false;
}

/* Whether the parameters behind a coding or type forbid it: "q=0", "q=0.0", … */
static bool is_refused(const char *parameters, size_t length)
{
    const char *end = parameters + length;

    while (parameters < end && strchr("; \t", *parameters) != NULL) {
        parameters++;
    }
    if (end - parameters < 3 || strncasecmp(parameters, "q=0", 3) != 0) {
        return false;
    }
    parameters += 3;
    while (parameters < end && strchr(".0", *parameters) != NULL) {
        parameters++;
    }
    return parameters == end;
}

/* Whether a list takes what is called `what`; `any` is what stands for everything, NULL: nothing.
 */
static bool takes(const char *list, const char *what, const char *any)
{
    const char *element;
    size_t length;

    while (list != NULL && header_element(&list, &element, &length)) {
        size_t name = strcspn(element, "; \t,");
        name = name < length ? name : length;
        if ((name == strlen(what) && strncasecmp(element, what, name) == 0) ||
            (any != NULL && name == strlen(any) && strncmp(element, any, name) == 0)) {
            return !is_refused(element + name, length - name);
        }
    }
    return false;
}

bool accepts_gzip(const char *accept_encoding)
{
    return takes(accept_encoding, "gzip", "*");
}

bool accepts_html(const char *accept)
{
    return takes(accept, "text/html", NULL);
}

struct response response_json(int status, const char *content_type, json_t *value)
{
    struct response response = {.status = 500};

    if (value == NULL) {
        return response;
    }
    response.body = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(value);
    if (response.body != NULL) {
        response.status = status;
        response.content_type = content_type;
        response.body_size = strlen(response.body);
    }
    return response;
}

struct response response_text(int status, const char *content_type, const char *text, size_t size)
{
    struct response response = {.status = 500};

    response.body = malloc(size > 0 ? size : 1);
    if (response.body != NULL) {
        memcpy(response.body, text, size);
        response.status = status;
        response.content_type = content_type;
        response.body_size = size;
    }
    return response;
}

void response_fini(struct response *response)
{
    free(response->body);
    response->body = NULL;
    response->body_size = 0;
}

static int hex_value(char digit)
{
    static const char DIGITS[] = "0123456789abcdef";
    const char *place = digit == '\0' ? NULL : strchr(DIGITS, digit | ' ');
    return place == NULL ? -1 : (int)(place - DIGITS);
}

/* Decodes text[length] into out[size]; a "%00" or half a code is refused. */
static bool percent_decode(const char *text, size_t length, char *out, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%') {
            int high = i + 2 < length ? hex_value(text[i + 1]) : -1;
            int low = i + 2 < length ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) {
                return false;
            }
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+') {
            c = ' ';
        }
        if (used + 1 >= size) {
            return false;
        }
        out[used++] = c;
    }
    out[used] = '\0';
    return true;
}

bool query_read(const char *query, const char *name, char *out, size_t size)
{
    bool found = false;

    out[0] = '\0';
    while (query != NULL && *query != '\0') {
        size_t length = strcspn(query, "&");
        size_t key = strcspn(query, "=&");
        bool wanted = key == strlen(name) && strncmp(query, name, key) == 0 && key < length;
        if (!wanted || found || !percent_decode(query + key + 1, length - key - 1, out, size)) {
            snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), query);
            return false;
        }
        found = true;
        query += length;
        query += *query == '&';
    }
    return true;
}

bool query_read_all(const char *query, const char *const *names, char out[][QUERY_TEXT],
                    size_t count, char wrong[QUERY_TEXT])
{
    bool found[8] = {false};

    assert(count <= sizeof found);
    for (size_t i = 0; i < count; i++) {
        out[i][0] = '\0';
    }
    while (query != NULL && *query != '\0') {
        size_t length = strcspn(query, "&"), key = strcspn(query, "=&"), i = 0;
        while (i < count && (key != strlen(names[i]) || strncmp(query, names[i], key) != 0)) {
            i++;
        }
        if (i == count || key == length || found[i] ||
            !percent_decode(query + key + 1, length - key - 1, out[i], QUERY_TEXT)) {
            snprintf(wrong, QUERY_TEXT, "%.*s",
                     (int)(length < QUERY_TEXT ? length : QUERY_TEXT - 1), query);
            return false;
        }
        found[i] = true;
        query += length;
        query += *query == '&';
    }
    return true;
}
