/* JSON written straight into one growing text, for the answers that are asked for most: a tree of
 * values that is built, printed and freed costs several times as much.
 *
 *     out_open(&out, '{'); out_key(&out, "ply"); out_number(&out, 3); out_close(&out, '}');
 *
 * Commas are put by themselves. When memory is out the text is dropped, and out_response says
 * so. */
#pragma once

#include "daemon/net/http.h"

struct json_out {
    char *text; /* from malloc; not ended by a NUL */
    size_t used, room;
    bool failed;
};

/* An empty text, with room for `room` bytes before it must grow. */
struct json_out out_begin(size_t room);

/* '{' or '[', and their ends. */
void out_open(struct json_out *out, char bracket);
void out_close(struct json_out *out, char bracket);

/* A member's name, of letters and '_' only; its value follows. */
void out_key(struct json_out *out, const char *name);

/* A text in UTF-8, escaped where it must be. */
void out_text(struct json_out *out, const char *text);
void out_number(struct json_out *out, int64_t number);
void out_null(struct json_out *out);

/* A member in one. */
void out_member_text(struct json_out *out, const char *name, const char *text);
void out_member_number(struct json_out *out, const char *name, int64_t number);

/* Frees the text. */
void out_fini(struct json_out *out);

/* The response of the whole text, which it takes over: an empty 500 when memory was out. */
struct response out_response(struct json_out *out, int status);
