/* From a request about an account to who asks, what the body says, and what is to be done. */
#include "daemon/api/account_call.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"
#include "daemon/people/quota.h"

enum { RECOVERY_AT = TOKEN_BYTES + 8 + GAME_ID - 1 };
_Static_assert(RANDOM_BYTES >= RECOVERY_AT + RECOVERY_BYTES, "each its own random bytes");

bool account_refuse(struct account_call *call, struct response response)
{
    call->answer.response = response;
    return false;
}

bool account_refuse_store(struct account_call *call, const struct err *err)
{
    return account_refuse(call, problem(PROBLEM_STORE, NULL, "%s", err->text));
}

bool account_enter(struct account_call *call)
{
    struct err err;
    bool found;

    return identity_read(call->request, call->api->rooms->store, call->api->now, &call->who,
                         &call->answer.response) &&
           (store_person(call->api->rooms->store, call->who.person, &call->self, &found, &err) ||
            account_refuse_store(call, &err));
}

bool account_enter_signed_in(struct account_call *call)
{
    return account_enter(call) &&
           (call->self.id != NOBODY ||
            account_refuse(call,
                           problem(PROBLEM_NOT_SIGNED_IN, "Authorization",
                                   "sign up (POST /v1/players) or log in (POST /v1/sessions)")));
}

/* --- limits ---------------------------------------------------------------------------------- */

/* Whom an address counts as: one IPv4 address, or the 64 bits that an IPv6 site is given. */
static void address_key(const char *address, char out[INET6_ADDRSTRLEN])
{
    struct in6_addr site;

    snprintf(out, INET6_ADDRSTRLEN, "%s", address != NULL ? address : "?");
    if (inet_pton(AF_INET6, out, &site) == 1 && !IN6_IS_ADDR_V4MAPPED(&site)) {
        memset(site.s6_addr + 8, 0, 8);
        inet_ntop(AF_INET6, &site, out, INET6_ADDRSTRLEN);
    }
}

bool account_allowed(struct account_call *call, const char *what, const char *name,
                     int64_t per_hour)
{
    char address[INET6_ADDRSTRLEN];
    int wait;

    address_key(call->request->address, address);
    wait = quota_take(call->api->quota, what, address, per_hour, call->api->now);
    if (wait == 0 && name != NULL) {
        wait = quota_take(call->api->quota, "name", name, per_hour, call->api->now);
    }
    if (wait == 0) {
        return true;
    }
    struct response refusal =
        problem(PROBLEM_TOO_MANY, NULL, "too many attempts: the next one in %d s", wait);
    refusal.retry_after = wait;
    return account_refuse(call, refusal);
}

void account_forgive(struct account_call *call, const char *what, const char *name,
                     int64_t per_hour)
{
    char address[INET6_ADDRSTRLEN];

    address_key(call->request->address, address);
    quota_give_back(call->api->quota, what, address, per_hour);
    quota_give_back(call->api->quota, "name", name, per_hour);
}

/* --- what is to be done ---------------------------------------------------------------------- */

struct hash_work *account_want_hash(struct account_call *call)
{
    call->answer.hashing = hash_work_create();
    if (call->answer.hashing == NULL) {
        account_refuse(call, problem(PROBLEM_INTERNAL, NULL, "out of memory"));
    }
    return call->answer.hashing;
}

struct change *account_want_change(struct account_call *call, unsigned parts, int64_t person)
{
    struct change *change = calloc(1, sizeof *change);

    if (change == NULL) {
        account_refuse(call, problem(PROBLEM_INTERNAL, NULL, "out of memory"));
        return NULL;
    }
    change->parts = parts;
    change->person = person;
    change->at = call->api->now;
    call->answer.change = change;
    return change;
}

void account_new_recovery(struct change *change, const struct request *request)
{
    recovery_make(request->random + RECOVERY_AT, change->recovery_code, change->recovery);
}

bool account_hash_failed(struct account_call *call)
{
    if (call->request->hashed->failed) {
        account_refuse(call, problem(PROBLEM_OVERLOADED, NULL, "no memory for a password's hash"));
    }
    return call->request->hashed->failed;
}

/* --- what the body says ---------------------------------------------------------------------- */

bool account_read_name(struct account_call *call, const json_t *body, struct name *name)
{
    const char *text;
    struct err err;

    return body_text(body, "name", true, &text, &call->answer.response) &&
           (name_read(call->api->names, text, name, &err) ||
            account_refuse(call, problem(PROBLEM_BAD_FIELD, "/name", "%s", err.text)));
}

bool account_read_fresh(struct account_call *call, const json_t *body, const char *member,
                        const struct name *name, char password[PASSWORD_BYTES])
{
    char field[32], key[PASSWORD_BYTES];
    const char *text;
    struct err err;

    snprintf(field, sizeof field, "/%s", member);
    if (!body_text(body, member, true, &text, &call->answer.response)) {
        return false;
    }
    if (!password_read(text, password, &err)) {
        return account_refuse(call, problem(PROBLEM_BAD_FIELD, field, "%s", err.text));
    }
    snprintf(key, sizeof key, "%s", name->key);
    return (strcmp(password, name->text) != 0 && strcmp(password, key) != 0) ||
           account_refuse(call, problem(PROBLEM_BAD_FIELD, field, "the password is the name"));
}

bool account_read_present(struct account_call *call, const json_t *body,
                          char password[PASSWORD_BYTES])
{
    const char *text;
    struct err err;

    if (!body_text(body, "password", true, &text, &call->answer.response)) {
        return false;
    }
    if (!password_read(text, password, &err)) {
        password[0] = '\0';
    }
    return true;
}

bool account_read_player(struct account_call *call, const json_t *body, struct name *name,
                         struct person *player)
{
    const char *text;
    struct err err;
    bool found;

    *player = (struct person){.id = NOBODY};
    if (!body_text(body, "name", true, &text, &call->answer.response)) {
        return false;
    }
    if (!name_read(call->api->names, text, name, &err)) {
        *name = (struct name){.key = ""};
        return true;
    }
    return store_person_named(call->api->rooms->store, name->key, player, &found, &err) ||
           account_refuse_store(call, &err);
}

bool account_refuse_login(struct account_call *call, const char *what)
{
    return account_refuse(
        call, problem(PROBLEM_BAD_LOGIN, NULL, "no account has this name and %s", what));
}

bool account_still_allowed(struct account_call *call, const struct person *player)
{
    return !player->banned ||
           account_refuse(call,
                          problem(PROBLEM_BANNED, NULL, "closed by the operator%s%s",
                                  player->banned_for[0] != '\0' ? ": " : "", player->banned_for));
}

struct answer account_with_body(const struct api *api, const struct request *request,
                                const char *const *members, size_t count, account_act *act)
{
    struct account_call call = {.api = api, .request = request};
    json_t *body = body_read(request, members, count, &call.answer.response);

    if (body != NULL) {
        act(&call, body);
        json_decref(body);
    }
    return call.answer;
}
