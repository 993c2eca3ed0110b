/* The table of refusals, and their JSON. */
#include "daemon/problem.h"

#include <stdarg.h>
#include <stdio.h>

enum { DETAIL_SIZE = 768, FIELD_SIZE = 96, RETRY_SECONDS = 1 };

static const struct {
    int status;
    const char *slug, *title;
    int retry_after;
} KINDS[PROBLEM_KINDS] = {
    [PROBLEM_BAD_REQUEST] = {400, "bad-request", "The request cannot be understood", 0},
    [PROBLEM_BAD_JSON] = {400, "bad-json", "The body is not a JSON object", 0},
    [PROBLEM_BAD_FIELD] = {400, "bad-field", "A member of the body is wrong", 0},
    [PROBLEM_BAD_FEN] = {400, "bad-fen", "The position cannot be read", 0},
    [PROBLEM_ILLEGAL_MOVE] = {400, "illegal-move", "A move is not legal", 0},
    [PROBLEM_UNKNOWN_RULES] = {400, "unknown-rules", "There is no such rule set", 0},
    [PROBLEM_NOT_FOUND] = {404, "not-found", "There is nothing here", 0},
    [PROBLEM_METHOD] = {405, "method-not-allowed", "This path does not take that method", 0},
    [PROBLEM_GAME_OVER] = {409, "game-over", "The game is over", 0},
    [PROBLEM_LENGTH] = {411, "length-required", "The body has no length", 0},
    [PROBLEM_TOO_LARGE] = {413, "too-large", "The body is too large", 0},
    [PROBLEM_MEDIA_TYPE] = {415, "media-type", "The body is not declared as JSON", 0},
    [PROBLEM_INTERNAL] = {500, "internal", "The server failed", 0},
    [PROBLEM_NOT_SERVED] = {503, "not-served", "This rule set has no weights here", 0},
    [PROBLEM_UNMEASURED] = {503, "unmeasured", "No levels have been measured", 0},
    [PROBLEM_NOT_READY] = {503, "not-ready", "The server is not ready", 0},
    [PROBLEM_OVERLOADED] = {503, "overloaded", "The server is busy", RETRY_SECONDS},
    [PROBLEM_TIMEOUT] = {503, "timeout", "The answer took too long", RETRY_SECONDS},
};

/* A detail may quote single bytes of what the client sent: only ASCII is passed on. */
static void make_ascii(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text >= 0x80) {
            *text = '?';
        }
    }
}

static json_t *problem_vmake(enum problem_kind kind, const char *field, const char *format,
                             va_list arguments)
{
    char detail[DETAIL_SIZE], place[FIELD_SIZE] = "", type[64];

    vsnprintf(detail, sizeof detail, format, arguments);
    make_ascii(detail);
    if (field != NULL) {
        snprintf(place, sizeof place, "%s", field);
        make_ascii(place);
    }
    snprintf(type, sizeof type, "urn:draughtsmith:problem:%s", KINDS[kind].slug);
    return json_pack("{s:s, s:s, s:i, s:s, s:s*}", "type", type, "title", KINDS[kind].title,
                     "status", KINDS[kind].status, "detail", detail, "field",
                     field != NULL ? place : NULL);
}

json_t *problem_make(enum problem_kind kind, const char *field, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    json_t *made = problem_vmake(kind, field, format, arguments);
    va_end(arguments);
    return made;
}

struct response problem_response(enum problem_kind kind, json_t *problem)
{
    struct response response =
        response_json(KINDS[kind].status, "application/problem+json", problem);
    response.retry_after = KINDS[kind].retry_after;
    return response;
}

struct response problem(enum problem_kind kind, const char *field, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    json_t *made = problem_vmake(kind, field, format, arguments);
    va_end(arguments);
    return problem_response(kind, made);
}
