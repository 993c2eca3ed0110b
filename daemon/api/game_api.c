/* What may be asked of a hosted game. Every path begins alike: who asks, which game, whether it is
 * free for a change; then decide.h decides. */
#include "daemon/api/game_api.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/game_json.h"
#include "daemon/api/identity.h"
#include "daemon/game/decide.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"

enum { BUSY_WAIT = 10 }; /* seconds */

/* One request for a game. */
struct game_call {
    const struct api *api;
    const struct request *request;
    struct room *room;
    struct identity who;
    struct asking asking;
    struct answer answer;
};

static void answer_problem(struct game_call *call, struct response response)
{
    call->answer.response = response;
}

void game_await(const struct request *request, struct room *room, struct answer *answer)
{
    answer->room = room;
    if (request->last) {
        answer->response = problem(PROBLEM_TIMEOUT, NULL, "the game is busy");
    } else {
        answer->wait = BUSY_WAIT;
    }
}

bool game_enter(const struct api *api, const struct request *request, const char *id,
                struct answer *answer, struct identity *who)
{
    struct room *room;
    struct err err;

    *who = (struct identity){.person = request->person};
    if (who->person == NOBODY &&
        !identity_read(request, api->rooms->store, api->now, who, &answer->response)) {
        return false;
    }
    if (!rooms_find(api->rooms, id, api->artefacts, &room, &err)) {
        answer->response = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return false;
    }
    if (room == NULL) {
        answer->response = problem(PROBLEM_NOT_FOUND, NULL, "there is no game '%.24s'", id);
        return false;
    }
    if (room_is_new(room)) {
        game_await(request, room, answer);
        return false;
    }
    answer->room = room;
    room_hear(room, who->person, api->now);
    return true;
}

static bool enter(struct game_call *call, const char *id)
{
    call->asking.now = call->api->now;
    bool entered = game_enter(call->api, call->request, id, &call->answer, &call->who);
    call->asking.person = call->who.person;
    call->room = call->answer.room;
    return entered;
}

/* Has an event stored. */
static void store_event(struct game_call *call, const struct event *event)
{
    call->answer.change = change_of_event(call->room, event, call->asking.person);
    if (call->answer.change == NULL) {
        answer_problem(call, problem(PROBLEM_INTERNAL, NULL, "out of memory"));
    }
}

/* Whether the game can be changed now: else the request waits, or gives up. */
static bool is_free(struct game_call *call)
{
    struct verdict expiry =
        decide_expire(&call->room->hosted, call->api->now, call->api->expire_patience);

    if (call->room->change != NULL) {
        game_await(call->request, call->room, &call->answer);
        return false;
    }
    if (expiry.kind == VERDICT_EVENT) {
        store_event(call, &expiry.event);
        call->answer.again = true;
        return false;
    }
    return true;
}

static void answer_state(struct game_call *call)
{
    call->answer.response = game_state(call->room, call->asking.person, 200, NULL);
}

/* A refusal, with its reason and the game as it stands. */
static void answer_refusal(struct game_call *call, const struct verdict *verdict)
{
    enum problem_kind kind = verdict->kind == VERDICT_STRANGER  ? PROBLEM_NOT_YOURS
                             : verdict->kind == VERDICT_ILLEGAL ? PROBLEM_REFUSED
                             : verdict->kind == VERDICT_OVER    ? PROBLEM_GAME_OVER
                                                                : PROBLEM_CONFLICT;
    json_t *made = problem_make(kind, NULL, "%s", verdict->text);
    json_t *state = game_describe(call->room, call->asking.person, NULL);

    if (made == NULL || json_object_set_new(made, "reason", json_string(verdict->reason)) != 0 ||
        json_object_set(made, "game", state) != 0) {
        json_decref(made);
        made = NULL;
    }
    json_decref(state);
    answer_problem(call, problem_response(kind, made));
}

/* Does what was decided. */
static void answer_verdict(struct game_call *call, const struct verdict *verdict)
{
    if (verdict->kind == VERDICT_EVENT) {
        store_event(call, &verdict->event);
    } else if (verdict->kind == VERDICT_REPEATED) {
        answer_state(call);
    } else {
        answer_refusal(call, verdict);
    }
}

/* Seconds that "Prefer: wait=SECONDS" (RFC 7240) asks for; 0: none. */
static double preferred_wait(const struct request *request)
{
    const char *at = request->prefer != NULL ? strstr(request->prefer, "wait=") : NULL;
    long seconds = at != NULL ? strtol(at + 5, NULL, 10) : 0;

    return seconds < 0 ? 0.0 : seconds < GAME_WAIT_MAX ? (double)seconds : GAME_WAIT_MAX;
}

/* --- moves ----------------------------------------------------------------------------------- */

enum { PATH_MAX_SQUARES = PATH_SQUARES + 1 };

static bool read_path(const json_t *path, int squares[PATH_MAX_SQUARES], int *count,
                      struct response *refusal)
{
    size_t size = json_array_size(path);

    if (!json_is_array(path) || size == 0 || size > PATH_MAX_SQUARES) {
        *refusal = problem(PROBLEM_BAD_FIELD, "/path",
                           "an array of squares: the piece's own, then those it lands on");
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        const json_t *square = json_array_get(path, i);
        if (!json_is_integer(square) || json_integer_value(square) < 1 ||
            json_integer_value(square) > SQUARES_MAX) {
            *refusal = problem(PROBLEM_BAD_FIELD, "/path", "element %zu is no square", i + 1);
            return false;
        }
        squares[i] = (int)json_integer_value(square);
    }
    *count = (int)size;
    return true;
}

/* Reads {ply, move} or {ply, path} and decides. False: refused. */
static bool decide_body(struct game_call *call, const json_t *body, struct verdict *verdict)
{
    struct response *refusal = &call->answer.response;
    const json_t *path = json_object_get(body, "path");
    int squares[PATH_MAX_SQUARES], count;
    const char *move;
    int64_t ply = 0;

    if (!body_integer(body, "ply", true, 0, 1000000, &ply, refusal) ||
        !body_text(body, "move", path == NULL, &move, refusal)) {
        return false;
    }
    if (path != NULL && move != NULL) {
        *refusal = problem(PROBLEM_BAD_FIELD, "/path", "either a move or a path");
        return false;
    }
    if (path == NULL) {
        *verdict = decide_move(&call->room->hosted, call->asking, (int)ply, move);
        return true;
    }
    if (!read_path(path, squares, &count, refusal)) {
        return false;
    }
    *verdict = decide_path(&call->room->hosted, call->asking, (int)ply, squares, count);
    return true;
}

struct answer game_post_move(const struct api *api, const struct request *request, const char *id)
{
    static const char *const MEMBERS[] = {"ply", "move", "path"};
    struct game_call call = {.api = api, .request = request};
    struct verdict verdict = {.kind = VERDICT_REPEATED};
    const double wait = preferred_wait(request);

    json_t *body = body_read(request, MEMBERS, 3, &call.answer.response);
    if (body == NULL) {
        return call.answer;
    }
    if (enter(&call, id) && (request->done || is_free(&call)) &&
        (request->done || decide_body(&call, body, &verdict))) {
        bool thinking = verdict.kind == VERDICT_REPEATED && hosted_thinking(&call.room->hosted);
        if (thinking && wait > 0 && !request->last && !api->draining) {
            call.answer.wait = wait;
        } else {
            answer_verdict(&call, &verdict);
            call.answer.again = wait > 0;
        }
    }
    json_decref(body);
    return call.answer;
}

/* --- the rest -------------------------------------------------------------------------------- */

/* Enters for an action whose body, if there is one, is an empty object. */
static bool enter_plain(struct game_call *call, const char *id)
{
    return body_empty(call->request, &call->answer.response) && enter(call, id) && is_free(call);
}

/* A decision that needs nothing but the game and who asks. */
static struct answer post_plain(const struct api *api, const struct request *request,
                                const char *id,
                                struct verdict decide(const struct hosted *, struct asking))
{
    struct game_call call = {.api = api, .request = request};

    if (enter_plain(&call, id)) {
        struct verdict verdict = decide(&call.room->hosted, call.asking);
        answer_verdict(&call, &verdict);
    }
    return call.answer;
}

struct answer game_post_undo(const struct api *api, const struct request *request, const char *id)
{
    return post_plain(api, request, id, decide_undo);
}

struct answer game_post_hint(const struct api *api, const struct request *request, const char *id)
{
    struct game_call call = {.api = api, .request = request};

    if (!enter_plain(&call, id)) {
        return call.answer;
    }
    struct verdict verdict = decide_hint_wanted(&call.room->hosted, call.asking);
    if (verdict.kind != VERDICT_EVENT) {
        answer_verdict(&call, &verdict);
    } else if (!artefacts_of(call.room->artefacts, call.room->hosted.setup.variant)->loaded) {
        answer_problem(&call, problem(PROBLEM_NOT_SERVED, NULL, "no weights for this rule set"));
    } else if (request->last) {
        answer_problem(&call, problem(PROBLEM_TIMEOUT, NULL, "no hint was found in time"));
    } else {
        call.answer.hint = true;
        call.answer.wait = BUSY_WAIT;
    }
    return call.answer;
}

struct answer game_post_resign(const struct api *api, const struct request *request, const char *id)
{
    return post_plain(api, request, id, decide_resign);
}

struct answer game_post_draw(const struct api *api, const struct request *request, const char *id)
{
    static const char *const MEMBERS[] = {"action"};
    static const enum event_kind KINDS[] = {EVENT_OFFER, EVENT_ACCEPT, EVENT_DECLINE,
                                            EVENT_WITHDRAW};
    struct game_call call = {.api = api, .request = request};
    const char *action;
    int kind = 0;

    json_t *body = body_read(request, MEMBERS, 1, &call.answer.response);
    if (body == NULL) {
        return call.answer;
    }
    if (body_text(body, "action", true, &action, &call.answer.response)) {
        while (kind < 4 && strcmp(action, event_name(KINDS[kind])) != 0) {
            kind++;
        }
        if (kind == 4) {
            answer_problem(&call, problem(PROBLEM_BAD_FIELD, "/action",
                                          "neither offer, accept, decline nor withdraw"));
        } else if (enter(&call, id) && is_free(&call)) {
            struct verdict verdict = decide_draw(&call.room->hosted, call.asking, KINDS[kind]);
            answer_verdict(&call, &verdict);
        }
    }
    json_decref(body);
    return call.answer;
}

struct answer game_post_join(const struct api *api, const struct request *request, const char *id)
{
    struct game_call call = {.api = api, .request = request};
    struct change person = {.parts = 0};

    if (!enter_plain(&call, id)) {
        return call.answer;
    }
    change_asker(&person, api, request, &call.who);
    call.asking.person = person.person;
    struct verdict verdict = decide_join(&call.room->hosted, call.asking);
    answer_verdict(&call, &verdict);
    if (call.answer.change != NULL) {
        call.answer.change->parts |= person.parts;
        memcpy(call.answer.change->token, person.token, sizeof person.token);
        memcpy(call.answer.change->secret, person.secret, sizeof person.secret);
        call.answer.change->expires = person.expires;
        call.answer.change->service = person.service;
        memcpy(call.answer.change->user, person.user, sizeof person.user);
    }
    return call.answer;
}

struct answer game_post_claim(const struct api *api, const struct request *request, const char *id)
{
    struct game_call call = {.api = api, .request = request};

    if (enter_plain(&call, id)) {
        const struct hosted *hosted = &call.room->hosted;
        struct verdict verdict = decide_claim(
            hosted, call.asking, call.room->heard[hosted_turn(hosted)], api->claim_patience);
        answer_verdict(&call, &verdict);
    }
    return call.answer;
}
