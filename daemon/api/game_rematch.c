/* POST /v1/games/{id}/rematch: the next game between the same two, colours exchanged.
 *
 * Its id is made of the first game's, so that however often and by whomever it is asked for it is
 * one game. Of a friend's game who asks first makes the next one and who asks second joins it. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/game_api.h"
#include "daemon/api/game_json.h"
#include "daemon/api/identity.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"

/* Nobody can tell it who does not know both players' numbers, which are told to nobody. */
static void rematch_id(const struct room *room, char out[GAME_ID])
{
    static const char WHAT[] = "rematch";
    unsigned char bytes[GAME_ID - 1];
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, sizeof bytes);
    crypto_generichash_update(&state, (const unsigned char *)WHAT, sizeof WHAT);
    crypto_generichash_update(&state, (const unsigned char *)room->id, GAME_ID);
    crypto_generichash_update(&state, (const unsigned char *)room->hosted.person,
                              sizeof room->hosted.person);
    crypto_generichash_final(&state, bytes, sizeof bytes);
    game_id_make(bytes, out);
}

/* The setup of the next game, hosted by who asks; against the computer with the weights and the
 * level's budget that are served now. */
static bool set_up(const struct api *api, const struct request *request,
                   const struct hosted *hosted, int64_t person, struct hosted_setup *setup,
                   struct response *refusal)
{
    const struct artefact_slot *slot = artefacts_of(api->artefacts, hosted->setup.variant);

    *setup = hosted_rematch(hosted, request->seed >> (64 - SEED_BITS), api->now);
    setup->host_person = person;
    if (setup->opponent == OPPONENT_FRIEND) {
        setup->host = hosted->person[WHITE] == person ? BLACK : WHITE;
    }
    if (setup->opponent != OPPONENT_COMPUTER) {
        return true;
    }
    if (!slot->loaded || slot->artefact.levels.count < setup->level.number) {
        *refusal = problem(PROBLEM_NOT_SERVED, NULL, "no measured levels for %s here",
                           setup->variant->rules->name);
        return false;
    }
    setup->level = slot->artefact.levels.level[setup->level.number - 1];
    memcpy(setup->weights_id, slot->weights_id, sizeof setup->weights_id);
    return true;
}

/* Answers with the rematch that is there: as it stands, or joined by the other player. */
static struct answer take_part(const struct api *api, const struct request *request,
                               struct room *next, int64_t person)
{
    struct answer answer = {.room = next};

    if (room_is_new(next)) {
        game_await(request, next, &answer);
        return answer;
    }
    if (hosted_waiting(&next->hosted) && hosted_sides(&next->hosted, person) == 0) {
        return game_post_join(api, request, next->id);
    }
    answer.response = game_state(next, person, 200, NULL);
    return answer;
}

/* Whether this game can have a rematch asked for by this person. */
static bool may_ask(const struct hosted *hosted, int64_t person, struct response *refusal)
{
    if (hosted_sides(hosted, person) == 0) {
        *refusal = problem(PROBLEM_NOT_YOURS, NULL, "a rematch is its players' to ask for");
        return false;
    }
    if (!hosted_over(hosted)) {
        json_t *made = problem_make(PROBLEM_CONFLICT, NULL, "the game is still going on");
        if (made != NULL && json_object_set_new(made, "reason", json_string("not-over")) != 0) {
            json_decref(made);
            made = NULL;
        }
        *refusal = problem_response(PROBLEM_CONFLICT, made);
        return false;
    }
    return true;
}

struct answer game_post_rematch(const struct api *api, const struct request *request,
                                const char *id)
{
    struct answer answer = {.task = NULL};
    struct hosted_setup setup;
    struct identity who;
    struct room *next;
    struct err err;
    char next_id[GAME_ID];

    if (!body_empty(request, &answer.response) || !game_enter(api, request, id, &answer, &who)) {
        return answer;
    }
    const struct room *room = answer.room;
    answer.room = NULL;
    if (!may_ask(&room->hosted, who.person, &answer.response)) {
        return answer;
    }
    rematch_id(room, next_id);
    if (!rooms_find(api->rooms, next_id, api->artefacts, &next, &err)) {
        answer.response = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return answer;
    }
    if (next != NULL) {
        return take_part(api, request, next, who.person);
    }
    if (set_up(api, request, &room->hosted, who.person, &setup, &answer.response)) {
        game_make(api, request, &who, &setup, next_id, &answer);
        if (answer.fresh != NULL) {
            memcpy(answer.fresh->rematch_of, id, sizeof answer.fresh->rematch_of);
        }
    }
    return answer;
}
