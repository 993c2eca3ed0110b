/* One's own name and what one has won. */
#include "daemon/api/me_api.h"

#include <stdio.h>
#include <string.h>

#include "daemon/api/identity.h"
#include "daemon/net/problem.h"
#include "daemon/store/store_people.h"
#include "daemon/store/store_progress.h"
#include "daemon/think/describe.h"

/* Whose session the request has; with `guest` who has none is a guest of whom nothing is known yet.
 * False: refused. */
static bool enter(const struct api *api, const struct request *request, bool guest,
                  struct person *self, struct response *refusal)
{
    struct identity who;
    struct err err;
    bool found;

    if (!identity_read(request, api->rooms->store, api->now, &who, refusal)) {
        return false;
    }
    if (!store_person(api->rooms->store, who.person, self, &found, &err)) {
        *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return false;
    }
    if (!found && !guest) {
        *refusal = problem(PROBLEM_NOT_SIGNED_IN, "Authorization", "no session, nobody to tell of");
        return false;
    }
    if (!found) {
        *self = (struct person){.id = NOBODY};
    }
    return true;
}

static json_t *describe_levels_of(const struct api *api, const struct progress *progress)
{
    json_t *levels = json_array();

    for (int i = 0; i < LEVELS_MAX; i++) {
        json_t *cleared =
            progress->cleared[i] > 0 ? json_integer(progress->cleared[i]) : json_null();
        json_array_append_new(
            levels,
            json_pack("{s:i, s:s, s:b, s:I, s:I, s:I, s:o}", "number", i + 1, "name",
                      level_name(i + 1), "open", i < progress->opened || api->all_levels, "games",
                      (json_int_t)progress->games[i], "wins", (json_int_t)progress->wins[i],
                      "draws", (json_int_t)progress->draws[i], "cleared", cleared));
    }
    return levels;
}

static json_t *describe_progress(const struct api *api, const struct variant *variant,
                                 const struct progress *progress)
{
    int64_t wins = 0, games = 0;

    for (int i = 0; i < LEVELS_MAX; i++) {
        wins += progress->wins[i];
        games += progress->games[i];
    }
    return json_pack("{s:s, s:{s:i, s:s}, s:I, s:I, s:o}", "rules", variant->rules->name, "level",
                     "number", progress->opened, "name", level_name(progress->opened), "wins",
                     (json_int_t)wins, "games", (json_int_t)games, "levels",
                     describe_levels_of(api, progress));
}

/* What somebody has won in every rule set; NULL with *err filled, or when memory is out. */
static json_t *describe_all(const struct api *api, int64_t person, struct err *err)
{
    json_t *list = json_array();
    struct progress progress;

    err_set(err, ERR_FAILED, "out of memory");
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!store_progress(api->rooms->store, person, variant_at(i), &progress, err) ||
            json_array_append_new(list, describe_progress(api, variant_at(i), &progress)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Whom the request is about, and what that person has won; NULL: refused, or memory is out. */
static json_t *describe_self(const struct api *api, const struct request *request, bool guest,
                             struct person *self, struct response *refusal)
{
    struct err err;

    if (!enter(api, request, guest, self, refusal)) {
        return NULL;
    }
    json_t *progress = describe_all(api, self->id, &err);
    if (progress == NULL) {
        *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return NULL;
    }
    *refusal = (struct response){.status = 500};
    return json_pack("{s:s?, s:b, s:I, s:o}", "name", self->name[0] != '\0' ? self->name : NULL,
                     "guest", self->name[0] == '\0', "created", (json_int_t)self->created,
                     "progress", progress);
}

struct answer me_get(const struct api *api, const struct request *request, const char *id)
{
    static const char *const NAMES[] = {"guest"};
    char guest[1][QUERY_TEXT], wrong[QUERY_TEXT];
    struct answer answer = {.task = NULL};
    struct person self;

    (void)id;
    if (!query_read_all(request->query, NAMES, guest, 1, wrong) ||
        (guest[0][0] != '\0' && strcmp(guest[0], "yes") != 0)) {
        answer.response = problem(PROBLEM_BAD_REQUEST, "guest", "only guest=yes, once, is read");
        return answer;
    }
    json_t *body = describe_self(api, request, guest[0][0] != '\0', &self, &answer.response);
    if (body != NULL) {
        answer.response = response_json(200, "application/json", body);
    }
    return answer;
}

static bool add_played(void *context, const struct played *played)
{
    static const char *const RESULTS[] = {
        [OUTCOME_OPEN] = "none",
        [OUTCOME_WHITE_WINS] = "white wins",
        [OUTCOME_BLACK_WINS] = "black wins",
        [OUTCOME_DRAW] = "draw",
    };
    char record[LOCATION_SIZE];

    snprintf(record, sizeof record, "/v1/games/%s/pdn", played->id);
    return json_array_append_new(
               context,
               json_pack("{s:s, s:s, s:s, s:i, s:s, s:I, s:o, s:s?, s:b, s:s}", "id", played->id,
                         "rules", played->variant != NULL ? played->variant->rules->name : "?",
                         "opponent", played->opponent, "level", played->level, "you",
                         colour_word(played->colour), "created", (json_int_t)played->created,
                         "ended", played->over ? json_integer(played->ended) : json_null(),
                         "result", played->over ? RESULTS[played->outcome] : NULL, "clean",
                         played->clean, "record", record)) == 0;
}

struct answer me_get_export(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct person self;
    struct err err;

    (void)id;
    json_t *body = describe_self(api, request, false, &self, &answer.response);
    if (body == NULL) {
        return answer;
    }
    json_t *games = json_array();
    if (!store_played(api->rooms->store, self.id, add_played, games, &err)) {
        json_decref(games);
        json_decref(body);
        answer.response = problem(PROBLEM_STORE, NULL, "%s", err.text);
    } else if (json_object_set_new(body, "games", games) == 0) {
        answer.response = response_json(200, "application/json", body);
    } else {
        json_decref(body);
    }
    return answer;
}
