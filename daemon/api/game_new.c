/* POST /v1/games: from a body to a fresh game; and the changes that are stored of games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/game_api.h"
#include "daemon/api/game_json.h"
#include "daemon/api/identity.h"
#include "daemon/game/decide.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"
#include "daemon/store/store_progress.h"
#include "daemon/think/setup.h"

static enum result result_of(const struct hosted_setup *setup, enum outcome outcome)
{
    enum outcome win = setup->host == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;

    return outcome == OUTCOME_DRAW ? RESULT_DRAWN : outcome == win ? RESULT_WON : RESULT_LOST;
}

struct change *change_of_event(const struct room *room, const struct event *event, int64_t person)
{
    struct change *change = calloc(1, sizeof *change);
    const struct hosted *hosted = &room->hosted;
    struct hosted after;
    struct err err;
    const char *reason;

    /* What the event makes of the game is known by adding it to a copy. */
    if (change == NULL || !hosted_copy(&after, hosted)) {
        free(change);
        return NULL;
    }
    *change = (struct change){.parts = CHANGE_EVENT,
                              .person = person,
                              .at = event->at,
                              .number = hosted->events + 1,
                              .event = *event};
    memcpy(change->game, room->id, GAME_ID);
    if (hosted_apply(&after, event, &err) && hosted_over(&after)) {
        change->parts |= CHANGE_END;
        change->outcome = hosted_outcome(&after, &reason);
        change->clean = hosted_clean_win(&after);
        if (hosted->setup.opponent == OPPONENT_COMPUTER && change->outcome != OUTCOME_OPEN) {
            change->parts |= CHANGE_RESULT;
            change->result = result_of(&hosted->setup, change->outcome);
        }
    }
    hosted_fini(&after);
    return change;
}

struct response game_changed(const struct room *room, const struct change *change)
{
    const char *token = change->parts & CHANGE_SESSION ? change->secret : NULL;

    switch (change->status) {
    case CHANGE_STORED: {
        struct response response =
            game_state(room, change->person, change->parts & CHANGE_GAME ? 201 : 200, token);
        if (change->parts & CHANGE_GAME) {
            snprintf(response.location, sizeof response.location, "/v1/games/%s", room->id);
        }
        if (token != NULL) {
            snprintf(response.session, sizeof response.session, "%s", token);
            response.session_seconds = change->expires - change->at;
        }
        return response;
    }
    case CHANGE_FULL:
        return problem(PROBLEM_FULL, NULL, "nothing was changed: %s", change->detail);
    case CHANGE_CONFLICT:
    case CHANGE_FAILED:
        break;
    }
    return problem(PROBLEM_STORE, NULL, "nothing was changed: %s", change->detail);
}

/* One of some words. */
static bool read_word(const json_t *body, const char *name, bool required, const char *const *words,
                      int count, int *out, struct response *refusal)
{
    char field[32];
    const char *text;

    if (!body_text(body, name, required, &text, refusal) || text == NULL) {
        return text == NULL && refusal->status == 0;
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
    }
    snprintf(field, sizeof field, "/%s", name);
    *refusal = problem(PROBLEM_BAD_FIELD, field, "neither %s%s%s%s %s", words[0],
                       count > 2 ? ", " : "", count > 2 ? words[1] : "", " nor", words[count - 1]);
    return false;
}

/* Whether the host may play a level yet: it says which win opens it. */
static bool level_open(const struct api *api, const struct hosted_setup *setup, int number,
                       struct response *refusal)
{
    struct progress progress;
    struct err err;

    if (api->all_levels) {
        return true;
    }
    if (!store_progress(api->rooms->store, setup->host_person, setup->variant, &progress, &err)) {
        *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return false;
    }
    if (number <= progress.opened) {
        return true;
    }
    json_t *made = problem_make(
        PROBLEM_LOCKED, "/level",
        "level %d (%s) is opened by a win against level %d (%s) without undo or hint; level %d "
        "(%s) is the highest one open",
        number, level_name(number), number - 1, level_name(number - 1), progress.opened,
        level_name(progress.opened));
    if (made == NULL || json_object_set_new(made, "opened_by", json_integer(number - 1)) != 0 ||
        json_object_set_new(made, "opened", json_integer(progress.opened)) != 0) {
        json_decref(made);
        made = NULL;
    }
    *refusal = problem_response(PROBLEM_LOCKED, made);
    return false;
}

/* The computer's level; refused when there is no computer. */
static bool read_level(const json_t *body, const struct api *api, struct hosted_setup *setup,
                       struct response *refusal)
{
    const struct artefact_slot *slot = artefacts_of(api->artefacts, setup->variant);
    const bool computer = setup->opponent == OPPONENT_COMPUTER;
    int64_t number = 0;

    if (!body_integer(body, "level", computer, 1, LEVELS_MAX, &number, refusal)) {
        return false;
    }
    if (!computer) {
        if (number != 0) {
            *refusal = problem(PROBLEM_BAD_FIELD, "/level", "only the computer has a level");
        }
        return number == 0;
    }
    if (!slot->loaded || slot->artefact.levels.count < number) {
        *refusal = problem(slot->loaded ? PROBLEM_UNMEASURED : PROBLEM_NOT_SERVED, "/rules",
                           "no %s for %s here", slot->loaded ? "measured levels" : "weights",
                           setup->variant->rules->name);
        return false;
    }
    if (!level_open(api, setup, (int)number, refusal)) {
        return false;
    }
    setup->level = slot->artefact.levels.level[number - 1];
    memcpy(setup->weights_id, slot->weights_id, sizeof setup->weights_id);
    return true;
}

static bool read_start(const json_t *body, struct hosted_setup *setup, struct response *refusal)
{
    struct game game;

    if (!setup_read(body, &game, refusal)) {
        return false;
    }
    const struct position opening = position_start(game.variant->rules);
    bool open = game_outcome(&game, NULL) == OUTCOME_OPEN;
    setup->variant = game.variant;
    setup->start = *game_now(&game);
    setup->set_up = !position_equal(&setup->start, &opening);
    if (!open) {
        *refusal = setup_game_over(&game, "/fen", "there is nothing left to play");
    }
    game_fini(&game);
    return open;
}

static bool read_setup(const json_t *body, const struct api *api, const struct request *request,
                       int64_t person, struct hosted_setup *setup, struct response *refusal)
{
    static const char *const OPPONENTS[] = {"computer", "local", "friend"};
    static const char *const FIRST[] = {"me", "opponent"};
    int opponent = 0, first = 0;

    *setup = (struct hosted_setup){
        .created = api->now, .host_person = person, .seed = request->seed >> (64 - SEED_BITS)};
    refusal->status = 0;
    if (!read_start(body, setup, refusal) ||
        !read_word(body, "opponent", true, OPPONENTS, OPPONENT_KINDS, &opponent, refusal) ||
        !read_word(body, "first", false, FIRST, 2, &first, refusal)) {
        return false;
    }
    enum colour turn = (enum colour)setup->start.turn;
    setup->opponent = (enum opponent)opponent;
    setup->host = first == 0 ? turn : colour_other(turn);
    return read_level(body, api, setup, refusal);
}

void game_make(const struct api *api, const struct request *request, const struct identity *who,
               struct hosted_setup *setup, const char id[GAME_ID], struct answer *answer)
{
    struct change *change = calloc(1, sizeof *change);

    if (change != NULL) {
        change->parts = CHANGE_GAME;
        change_asker(change, api, request, who);
        setup->host_person = change->person;
        change->setup = *setup;
        memcpy(change->game, id, GAME_ID);
        answer->fresh = room_create(change->game, setup, api->artefacts);
    }
    if (answer->fresh == NULL) {
        free(change);
        answer->response = problem(PROBLEM_INTERNAL, NULL, "out of memory");
    } else {
        answer->change = change;
        answer->room = answer->fresh;
    }
}

struct answer game_post(const struct api *api, const struct request *request, const char *id)
{
    static const char *const MEMBERS[] = {"rules", "opponent", "level", "first", "fen"};
    struct answer answer = {.task = NULL};
    struct hosted_setup setup;
    struct identity who;

    (void)id;
    if (!identity_read(request, api->rooms->store, api->now, &who, &answer.response)) {
        return answer;
    }
    json_t *body =
        body_read(request, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0], &answer.response);
    if (body == NULL) {
        return answer;
    }
    if (read_setup(body, api, request, who.person, &setup, &answer.response)) {
        char fresh_id[GAME_ID];
        game_id_make(request->random + TOKEN_BYTES + 8, fresh_id);
        game_make(api, request, &who, &setup, fresh_id, &answer);
    }
    json_decref(body);
    return answer;
}
