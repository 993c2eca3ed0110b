/* GET /v1/games/{id}: how a game stands, at once or when it goes on; and its record. */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/game_api.h"
#include "daemon/api/game_json.h"
#include "daemon/api/identity.h"
#include "daemon/net/problem.h"

static bool read_query(const struct request *request, int64_t *since, double *wait,
                       struct response *refusal)
{
    static const char *const NAMES[] = {"since", "wait"};
    char values[2][QUERY_TEXT], wrong[QUERY_TEXT];

    if (!query_read_all(request->query, NAMES, values, 2, wrong)) {
        *refusal =
            problem(PROBLEM_BAD_REQUEST, "since",
                    "only since=PLY and wait=SECONDS, each once, are read, not \"%s\"", wrong);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (values[i][strspn(values[i], "0123456789")] != '\0' || strlen(values[i]) > 6) {
            *refusal = problem(PROBLEM_BAD_REQUEST, NAMES[i], "not a whole number");
            return false;
        }
    }
    *since = values[0][0] != '\0' ? strtoll(values[0], NULL, 10) : -1;
    *wait = strtod(values[1], NULL);
    *wait = *wait < GAME_WAIT_MAX ? *wait : GAME_WAIT_MAX;
    return true;
}

struct answer game_get(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct identity who;
    char etag[ETAG_SIZE];
    int64_t since;
    double wait;

    if (!read_query(request, &since, &wait, &answer.response) ||
        !game_enter(api, request, id, &answer, &who)) {
        return answer;
    }
    const struct room *room = answer.room;
    game_etag(room, who.person, etag);
    bool known = etag_matches(request->if_none_match, etag);
    if (since == room->hosted.game.plies && (known || request->if_none_match == NULL) && wait > 0 &&
        !hosted_over(&room->hosted) && !request->last && !request->done && !api->draining) {
        answer.wait = wait;
        return answer;
    }
    if (known) {
        answer.response.status = 304;
        memcpy(answer.response.etag, etag, sizeof etag);
        return answer;
    }
    answer.response = game_state(room, who.person, 200, NULL);
    return answer;
}

struct answer game_get_pdn(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct identity who;

    if (game_enter(api, request, id, &answer, &who)) {
        answer.response = game_pdn(answer.room);
    }
    return answer;
}
