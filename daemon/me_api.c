/* One's own name and standing. */
#include "daemon/me_api.h"

#include "daemon/identity.h"
#include "daemon/problem.h"
#include "daemon/store_people.h"

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

struct answer me_get(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct person self;

    (void)id;
    if (enter(api, request, &self, &answer.response)) {
        answer.response = response_json(
            200, "application/json",
            json_pack("{s:s?, s:b, s:I}", "name", self.name[0] != '\0' ? self.name : NULL, "guest",
                      self.name[0] == '\0', "created", (json_int_t)self.created));
    }
    return answer;
}
