/* One's own name and what one has won. */
#include "daemon/me_api.h"

#include "daemon/identity.h"
#include "daemon/problem.h"
#include "daemon/store_people.h"
#include "daemon/store_progress.h"

/* Whose session the request has. False: refused. */
static bool enter(const struct api *api, const struct request *request, struct person *self,
                  struct response *refusal)
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
    if (!found) {
        *refusal = problem(PROBLEM_NOT_SIGNED_IN, "Authorization", "no session, nobody to tell of");
    }
    return found;
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

struct answer me_get(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct person self;
    struct err err;

    (void)id;
    if (!enter(api, request, &self, &answer.response)) {
        return answer;
    }
    json_t *progress = describe_all(api, self.id, &err);
    answer.response =
        progress == NULL ? problem(PROBLEM_STORE, NULL, "%s", err.text)
                         : response_json(200, "application/json",
                                         json_pack("{s:s?, s:b, s:I, s:o}", "name",
                                                   self.name[0] != '\0' ? self.name : NULL, "guest",
                                                   self.name[0] == '\0', "created",
                                                   (json_int_t)self.created, "progress", progress));
    return answer;
}
