/* What may be asked of accounts. A request whose password must be hashed is handled twice: first
 * all that can be refused without it is, then request->hashed tells the rest. */
#include "daemon/api/account_api.h"

#include <stdio.h>
#include <string.h>

#include "daemon/api/account_call.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"

void change_new_session(struct change *change, const struct api *api, const struct request *request)
{
    change->parts |= CHANGE_SESSION;
    token_make(request->random, change->secret, change->token);
    change->at = api->now;
    change->expires = api->now + api->session_seconds;
}

void change_new_person(struct change *change, const struct api *api, const struct request *request)
{
    change_new_session(change, api, request);
    change->parts |= CHANGE_PERSON;
    change->person = person_make(request->random + TOKEN_BYTES);
}

void change_asker(struct change *change, const struct api *api, const struct request *request,
                  const struct identity *who)
{
    change->person = who->person;
    change->at = api->now;
    if (who->person == NOBODY) {
        change_new_person(change, api, request);
    } else if (who->service != 0) {
        change->parts |= CHANGE_USER;
        change->service = who->service;
        memcpy(change->user, who->user, sizeof change->user);
    }
}

/* --- sign-up --------------------------------------------------------------------------------- */

static bool name_free(struct account_call *call, const struct name *name)
{
    struct err err;
    bool taken;

    if (!store_look_taken(call->api->rooms->store, name, &taken, &err)) {
        return account_refuse_store(call, &err);
    }
    return !taken ||
           account_refuse(call, problem(PROBLEM_NAME_TAKEN, "/name",
                                        "somebody has this name, or one that looks like it"));
}

/* A guest becomes the player, with what was won; the old token is none any more. */
static void store_account(struct account_call *call, const struct name *name)
{
    const bool guest = call->self.id != NOBODY;
    struct change *change = account_want_change(call, CHANGE_ACCOUNT, call->self.id);

    if (change == NULL) {
        return;
    }
    if (guest) {
        change->parts |= CHANGE_LOGOUT;
        change->all_ended = true;
        change_new_session(change, call->api, call->request);
    } else {
        change_new_person(change, call->api, call->request);
    }
    change->name = *name;
    memcpy(change->password, call->request->hashed->made, sizeof change->password);
    account_new_recovery(change, call->request);
}

static void sign_up(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES];
    struct hash_work *work;
    struct name name;

    if (!account_enter(call) || !account_read_name(call, body, &name) ||
        !account_read_fresh(call, body, "password", &name, password)) {
        return;
    }
    if (call->self.name[0] != '\0' || call->who.service != 0) {
        account_refuse(call, problem(PROBLEM_SIGNED_IN, "Authorization", "log out first"));
    } else if (!name_free(call, &name)) {
        return;
    } else if (call->request->hashed != NULL) {
        if (!account_hash_failed(call)) {
            store_account(call, &name);
        }
    } else if (account_allowed(call, "sign-up", NULL, call->api->signups_per_hour) &&
               (work = account_want_hash(call)) != NULL) {
        memcpy(work->fresh, password, sizeof password);
    }
}

struct answer account_post_players(const struct api *api, const struct request *request,
                                   const char *id)
{
    static const char *const MEMBERS[] = {"name", "password"};

    (void)id;
    return account_with_body(api, request, MEMBERS, 2, sign_up);
}

/* --- log-in and log-out ---------------------------------------------------------------------- */

static void store_session_of(struct account_call *call, const struct person *player)
{
    struct change *change = account_want_change(call, 0, player->id);

    if (change == NULL) {
        return;
    }
    change_new_session(change, call->api, call->request);
    snprintf(change->name.text, sizeof change->name.text, "%s", player->name);
    if (call->who.person == player->id) { /* the session in use is exchanged */
        change->parts |= CHANGE_LOGOUT;
        memcpy(change->ended, call->who.token, sizeof change->ended);
    }
}

static void log_in(struct account_call *call, const json_t *body)
{
    const int64_t limit = call->api->logins_per_hour;
    char password[PASSWORD_BYTES];
    struct hash_work *work;
    struct person player;
    struct name name;

    if (!account_enter(call) || !account_read_player(call, body, &name, &player) ||
        !account_read_present(call, body, password)) {
        return;
    }
    if (call->request->hashed == NULL) {
        if (account_allowed(call, "log-in", name.key, limit) &&
            (work = account_want_hash(call)) != NULL) {
            memcpy(work->password, password, sizeof password);
            memcpy(work->against, player.password, sizeof work->against);
            work->decoy = player.password[0] == '\0';
        }
    } else if (!account_hash_failed(call)) {
        bool same = strcmp(call->request->hashed->against, player.password) == 0;
        if (!call->request->hashed->matches || !same) {
            account_refuse_login(call, "password");
            return;
        }
        account_forgive(call, "log-in", name.key, limit);
        if (account_still_allowed(call, &player)) {
            store_session_of(call, &player);
        }
    }
}

static void log_out(struct account_call *call)
{
    static const char *const NAMES[] = {"all"};
    char values[1][QUERY_TEXT], wrong[QUERY_TEXT];

    if (!query_read_all(call->request->query, NAMES, values, 1, wrong) ||
        (values[0][0] != '\0' && strcmp(values[0], "yes") != 0)) {
        account_refuse(call, problem(PROBLEM_BAD_REQUEST, "all", "only all=yes, once, is read"));
    } else if (account_enter_signed_in(call)) {
        struct change *change = account_want_change(call, CHANGE_LOGOUT, call->self.id);
        if (change != NULL) {
            change->all_ended = values[0][0] != '\0';
            memcpy(change->ended, call->who.token, sizeof change->ended);
        }
    }
}

struct answer account_sessions(const struct api *api, const struct request *request, const char *id)
{
    static const char *const MEMBERS[] = {"name", "password"};

    (void)id;
    if (request->method == METHOD_POST) {
        return account_with_body(api, request, MEMBERS, 2, log_in);
    }
    struct account_call call = {.api = api, .request = request};
    log_out(&call);
    return call.answer;
}

/* --- answers --------------------------------------------------------------------------------- */

static struct response describe_session(const struct change *change)
{
    const bool told = (change->parts & (CHANGE_ACCOUNT | CHANGE_RECOVERY)) != 0;
    struct response response =
        response_json(201, "application/json",
                      json_pack("{s:s, s:s, s:I, s:s*}", "name", change->name.text, "token",
                                change->secret, "expires", (json_int_t)change->expires,
                                "recovery_code", told ? change->recovery_code : NULL));

    snprintf(response.session, sizeof response.session, "%s", change->secret);
    response.session_seconds = change->expires - change->at;
    return response;
}

struct response account_changed(const struct change *change)
{
    switch (change->status) {
    case CHANGE_STORED:
        return change->parts & CHANGE_SESSION
                   ? describe_session(change)
                   : (struct response){.status = 204, .session_over = true};
    case CHANGE_CONFLICT:
        if (change->parts & CHANGE_ACCOUNT) {
            return problem(PROBLEM_NAME_TAKEN, "/name", "somebody else was quicker");
        }
        break;
    case CHANGE_FULL:
        return problem(PROBLEM_FULL, NULL, "nothing was changed: %s", change->detail);
    case CHANGE_FAILED:
        break;
    }
    return problem(PROBLEM_STORE, NULL, "nothing was changed: %s", change->detail);
}
