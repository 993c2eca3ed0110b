/* Whether a request may open a WebSocket, and which. */
#include "daemon/live_api.h"

#include "daemon/problem.h"

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
    } else if (handshake_check(request, &api->lists, &answer.response)) {
        accept_opening(request, &answer);
    }
    return answer;
}
