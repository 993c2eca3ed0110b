/* The table of refusals, and their JSON. */
#include "daemon/net/problem.h"

#include <stdarg.h>
#include <stdio.h>

enum { DETAIL_SIZE = 768, FIELD_SIZE = 96, RETRY_SECONDS = 1 };

static const struct {
    const char *slug, *title;
    int status, retry_after;
} KINDS[PROBLEM_KINDS] = {
    [PROBLEM_BAD_REQUEST] = {"bad-request", "The request cannot be understood", 400, 0},
    [PROBLEM_BAD_JSON] = {"bad-json", "The body is not a JSON object", 400, 0},
    [PROBLEM_BAD_FIELD] = {"bad-field", "A member of the body is wrong", 400, 0},
    [PROBLEM_BAD_FEN] = {"bad-fen", "The position cannot be read", 400, 0},
    [PROBLEM_ILLEGAL_MOVE] = {"illegal-move", "A move is not legal", 400, 0},
    [PROBLEM_UNKNOWN_RULES] = {"unknown-rules", "There is no such rule set", 400, 0},
    [PROBLEM_BAD_TOKEN] = {"bad-token", "The token is not known", 401, 0},
    [PROBLEM_ORIGIN] = {"wrong-origin", "Not from there", 403, 0},
    [PROBLEM_BAD_LOGIN] = {"bad-login", "This does not open the account", 401, 0},
    [PROBLEM_NOT_SIGNED_IN] = {"not-signed-in", "A session is needed", 401, 0},
    [PROBLEM_BANNED] = {"banned", "This account is closed", 403, 0},
    [PROBLEM_LOCKED] = {"level-locked", "This level is not open yet", 403, 0},
    [PROBLEM_NOT_YOURS] = {"not-yours", "This game is played by others", 403, 0},
    [PROBLEM_NOT_FOUND] = {"not-found", "There is nothing here", 404, 0},
    [PROBLEM_METHOD] = {"method-not-allowed", "This path does not take that method", 405, 0},
    [PROBLEM_GAME_OVER] = {"game-over", "The game is over", 409, 0},
    [PROBLEM_CONFLICT] = {"conflict", "The game does not stand so", 409, 0},
    [PROBLEM_NAME_TAKEN] = {"name-taken", "This name is somebody else's", 409, 0},
    [PROBLEM_SIGNED_IN] = {"signed-in", "There is an account already", 409, 0},
    [PROBLEM_KEY_BUSY] = {"key-busy", "The same request is being done", 409, RETRY_SECONDS},
    [PROBLEM_KEY_OTHER] = {"key-reused", "The key was used for another request", 422, 0},
    [PROBLEM_EXPECTATION] = {"expectation", "This cannot be expected", 417, 0},
    [PROBLEM_REFUSED] = {"move-refused", "The rules forbid this move", 422, 0},
    [PROBLEM_LENGTH] = {"length-required", "The body has no length", 411, 0},
    [PROBLEM_TOO_LARGE] = {"too-large", "The body is too large", 413, 0},
    [PROBLEM_MEDIA_TYPE] = {"media-type", "The body is not declared as JSON", 415, 0},
    [PROBLEM_UPGRADE] = {"upgrade-required", "This is a WebSocket", 426, 0},
    [PROBLEM_TOO_MANY] = {"too-many", "Too often", 429, 60},
    [PROBLEM_INTERNAL] = {"internal", "The server failed", 500, 0},
    [PROBLEM_NOT_SERVED] = {"not-served", "This rule set has no weights here", 503, 0},
    [PROBLEM_UNMEASURED] = {"unmeasured", "No levels have been measured", 503, 0},
    [PROBLEM_NOT_READY] = {"not-ready", "The server is not ready", 503, 0},
    [PROBLEM_OVERLOADED] = {"overloaded", "The server is busy", 503, RETRY_SECONDS},
    [PROBLEM_TIMEOUT] = {"timeout", "The answer took too long", 503, RETRY_SECONDS},
    [PROBLEM_STORE] = {"store-failed", "Nothing can be stored", 503, RETRY_SECONDS},
    [PROBLEM_VERSION] = {"http-version", "This version of HTTP is not spoken", 505, 0},
    [PROBLEM_FULL] = {"store-full", "The disk is full", 507, 0},
};

/* A detail may quote single bytes of what the client sent: only those that can be printed, in
 * ASCII, are passed on. */
static void make_printable(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~') {
            *text = '?';
        }
    }
}

static json_t *problem_vmake(enum problem_kind kind, const char *field, const char *format,
                             va_list arguments)
{
    char detail[DETAIL_SIZE], place[FIELD_SIZE] = "", type[64];

    vsnprintf(detail, sizeof detail, format, arguments);
    make_printable(detail);
    if (field != NULL) {
        snprintf(place, sizeof place, "%s", field);
        make_printable(place);
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
