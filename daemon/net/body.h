/* Reading a request's JSON body strictly: one object, no member twice, none unknown, each of its
 * type and in its range. Each function fills *refusal when it returns NULL or false. */
#pragma once

#include "daemon/net/http.h"

/* Parses the body, whose members must all be among names[count]. The caller json_decrefs it.
 * Refuses: another content type (415), over BODY_MAX bytes (413), not JSON (the line and column
 * are named), not an object, a member twice, a member unknown. */
json_t *body_read(const struct request *request, const char *const *names, size_t count,
                  struct response *refusal);

/* Whether the body is what an action without members takes: nothing, or an empty object. */
bool body_empty(const struct request *request, struct response *refusal);

/* A member that is text. When it is absent: refused if `required`, else *out is NULL. The text
 * belongs to the body. */
bool body_text(const json_t *body, const char *name, bool required, const char **out,
               struct response *refusal);

/* A member that is a whole number in [min, max]. When it is absent: refused if `required`, else
 * *out is left alone. */
bool body_integer(const json_t *body, const char *name, bool required, int64_t min, int64_t max,
                  int64_t *out, struct response *refusal);
