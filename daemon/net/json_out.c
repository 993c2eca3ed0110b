/* Appending to a text, with the commas of JSON. */
#include "daemon/net/json_out.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/number.h"

struct json_out out_begin(size_t room)
{
    struct json_out out = {.text = malloc(room), .room = room};

    out.failed = out.text == NULL;
    return out;
}

/* Makes room for `more` bytes. */
static bool reserve(struct json_out *out, size_t more)
{
    if (out->failed) {
        return false;
    }
    if (out->used + more <= out->room) {
        return true;
    }
    size_t room = 2 * out->room + more;
    char *grown = realloc(out->text, room);
    if (grown == NULL) {
        out->failed = true;
        return false;
    }
    out->text = grown;
    out->room = room;
    return true;
}

/* A comma, unless a bracket or a name has just been written. Whatever is written follows it. */
static void separate(struct json_out *out)
{
    char last = out->used > 0 ? out->text[out->used - 1] : '[';

    if (last != '{' && last != '[' && last != ':') {
        out->text[out->used++] = ',';
    }
}

void out_open(struct json_out *out, char bracket)
{
    if (reserve(out, 2)) {
        separate(out);
        out->text[out->used++] = bracket;
    }
}

void out_close(struct json_out *out, char bracket)
{
    if (reserve(out, 1)) {
        out->text[out->used++] = bracket;
    }
}

void out_key(struct json_out *out, const char *name)
{
    size_t length = strlen(name);

    if (reserve(out, length + 4)) {
        separate(out);
        out->text[out->used++] = '"';
        memcpy(out->text + out->used, name, length);
        out->used += length;
        out->text[out->used++] = '"';
        out->text[out->used++] = ':';
    }
}

void out_text(struct json_out *out, const char *text)
{
    static const char HEX[] = "0123456789abcdef";

    if (!reserve(out, 6 * strlen(text) + 3)) {
        return;
    }
    separate(out);
    char *at = out->text + out->used;
    *at++ = '"';
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20) {
            const char escape[] = {'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]};
            memcpy(at, escape, sizeof escape);
            at += sizeof escape;
        } else {
            if (c == '"' || c == '\\') {
                *at++ = '\\';
            }
            *at++ = (char)c;
        }
    }
    *at++ = '"';
    out->used = (size_t)(at - out->text);
}

void out_number(struct json_out *out, int64_t number)
{
    if (reserve(out, NUMBER_TEXT + 1)) {
        separate(out);
        out->used += number_write(out->text + out->used, number);
    }
}

void out_null(struct json_out *out)
{
    if (reserve(out, 5)) {
        separate(out);
        memcpy(out->text + out->used, "null", 4);
        out->used += 4;
    }
}

void out_member_text(struct json_out *out, const char *name, const char *text)
{
    out_key(out, name);
    out_text(out, text);
}

void out_member_number(struct json_out *out, const char *name, int64_t number)
{
    out_key(out, name);
    out_number(out, number);
}

void out_fini(struct json_out *out)
{
    free(out->text);
    out->text = NULL;
}

struct response out_response(struct json_out *out, int status)
{
    struct response response = {.status = 500};

    if (out->failed) {
        out_fini(out);
    } else {
        response = (struct response){.status = status,
                                     .content_type = "application/json",
                                     .body = out->text,
                                     .body_size = out->used};
    }
    out->text = NULL;
    return response;
}
