/* Whether a request may open a WebSocket, and which. */
#include "daemon/api/live_api.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/api/game_api.h"
#include "daemon/api/identity.h"
#include "daemon/net/problem.h"

static void accept_opening(const struct request *request, struct answer *answer)
{
    answer->response.status = 101;
    handshake_accept(request->socket_key, answer->opening.accept);
    answer->opening.protocol = handshake_has(request->socket_protocol, HANDSHAKE_PROTOCOL);
}

struct answer echo_open(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};

    (void)id;
    if (!api->echo) {
        answer.response = problem(PROBLEM_NOT_FOUND, NULL, "live.echo is off");
    } else if (handshake_check(request, &answer.response)) {
        accept_opening(request, &answer);
    }
    return answer;
}

/* The number of the last event that a client knows; -1 when it names none. */
static bool read_since(const struct request *request, int *since, struct response *refusal)
{
    char text[QUERY_TEXT];

    if (!query_read(request->query, "since", text, sizeof text) ||
        text[strspn(text, "0123456789")] != '\0' || strlen(text) > 6) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "since",
                           "only since=NUMBER, once, is read, a whole number");
        return false;
    }
    *since = text[0] != '\0' ? (int)strtol(text, NULL, 10) : -1;
    return true;
}

struct answer live_open_game(const struct api *api, const struct request *request, const char *id)
{
    static const char SCHEME[] = "Bearer ";
    char authorization[sizeof SCHEME + TOKEN_TEXT] = "Bearer ";
    struct request asked = *request;
    struct answer answer = {.task = NULL};

    if (request->authorization == NULL &&
        handshake_rest(request->socket_protocol, HANDSHAKE_BEARER,
                       authorization + sizeof SCHEME - 1, TOKEN_TEXT)) {
        asked.authorization = authorization;
    }
    if (read_since(request, &answer.opening.since, &answer.response) &&
        handshake_check(request, &answer.response) &&
        game_enter(api, &asked, id, &answer, &answer.opening.who)) {
        accept_opening(request, &answer);
    }
    return answer;
}
