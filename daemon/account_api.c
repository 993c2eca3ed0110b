/* What may be asked of accounts. A request whose password must be hashed is handled twice: first
 * all that can be refused without it is, then request->hashed tells the rest. */
#include "daemon/account_api.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/body.h"
#include "daemon/hasher.h"
#include "daemon/identity.h"
#include "daemon/problem.h"
#include "daemon/quota.h"
#include "daemon/store_people.h"

enum { RECOVERY_AT = TOKEN_BYTES + 8 + GAME_ID - 1 };
_Static_assert(RANDOM_BYTES >= RECOVERY_AT + RECOVERY_BYTES, "each its own random bytes");

/* One request about an account. */
struct account_call {
    const struct api *api;
    const struct request *request;
    struct identity who;
    struct person self; /* whose session it is; id NOBODY: no session */
    struct answer answer;
};

static bool refuse(struct account_call *call, struct response response)
{
    call->answer.response = response;
    return false;
}

static bool refuse_store(struct account_call *call, const struct err *err)
{
    return refuse(call, problem(PROBLEM_STORE, NULL, "%s", err->text));
}

/* Who asks. */
static bool enter(struct account_call *call)
{
    struct err err;
    bool found;

    return identity_read(call->request, call->api->rooms->store, call->api->now, &call->who,
                         &call->answer.response) &&
           (store_person(call->api->rooms->store, call->who.person, &call->self, &found, &err) ||
            refuse_store(call, &err));
}

static bool enter_signed_in(struct account_call *call)
{
    return enter(call) &&
           (call->self.id != NOBODY ||
            refuse(call, problem(PROBLEM_NOT_SIGNED_IN, "Authorization",
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

/* Counts one attempt by an address and, unless it is NULL, for a name. */
static bool allowed(struct account_call *call, const char *what, const char *name, int64_t per_hour)
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
    return refuse(call, refusal);
}

/* A success does not count. */
static void forgive(struct account_call *call, const char *what, const char *name, int64_t per_hour)
{
    char address[INET6_ADDRSTRLEN];

    address_key(call->request->address, address);
    quota_give_back(call->api->quota, what, address, per_hour);
    quota_give_back(call->api->quota, "name", name, per_hour);
}

/* --- what is to be done ---------------------------------------------------------------------- */

/* Has a password hashed; NULL: refused. */
static struct hash_work *want_hash(struct account_call *call)
{
    call->answer.hashing = hash_work_create();
    if (call->answer.hashing == NULL) {
        refuse(call, problem(PROBLEM_INTERNAL, NULL, "out of memory"));
    }
    return call->answer.hashing;
}

/* Has a change of `person` stored; NULL: refused. */
static struct change *want_change(struct account_call *call, unsigned parts, int64_t person)
{
    struct change *change = calloc(1, sizeof *change);

    if (change == NULL) {
        refuse(call, problem(PROBLEM_INTERNAL, NULL, "out of memory"));
        return NULL;
    }
    change->parts = parts;
    change->person = person;
    change->at = call->api->now;
    call->answer.change = change;
    return change;
}

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

static void new_recovery(struct change *change, const struct request *request)
{
    recovery_make(request->random + RECOVERY_AT, change->recovery_code, change->recovery);
}

static bool hash_failed(struct account_call *call)
{
    if (call->request->hashed->failed) {
        refuse(call, problem(PROBLEM_OVERLOADED, NULL, "no memory for a password's hash"));
    }
    return call->request->hashed->failed;
}

/* --- what the body says ---------------------------------------------------------------------- */

static bool read_name(struct account_call *call, const json_t *body, struct name *name)
{
    const char *text;
    struct err err;

    return body_text(body, "name", true, &text, &call->answer.response) &&
           (name_read(call->api->names, text, name, &err) ||
            refuse(call, problem(PROBLEM_BAD_FIELD, "/name", "%s", err.text)));
}

/* A password that is to be one from now on. */
static bool read_fresh(struct account_call *call, const json_t *body, const char *member,
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
        return refuse(call, problem(PROBLEM_BAD_FIELD, field, "%s", err.text));
    }
    snprintf(key, sizeof key, "%s", name->key);
    return (strcmp(password, name->text) != 0 && strcmp(password, key) != 0) ||
           refuse(call, problem(PROBLEM_BAD_FIELD, field, "the password is the name"));
}

/* A password that is to fit; one that cannot be any is "". */
static bool read_present(struct account_call *call, const json_t *body,
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

/* The player with the name that the body has; id NOBODY: nobody. The key, for limits, is *name's.
 */
static bool read_player(struct account_call *call, const json_t *body, struct name *name,
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
           refuse_store(call, &err);
}

static bool refuse_login(struct account_call *call, const char *what)
{
    return refuse(call, problem(PROBLEM_BAD_LOGIN, NULL, "no account has this name and %s", what));
}

static bool still_allowed(struct account_call *call, const struct person *player)
{
    return !player->banned ||
           refuse(call, problem(PROBLEM_BANNED, NULL, "closed by the operator%s%s",
                                player->banned_for[0] != '\0' ? ": " : "", player->banned_for));
}

/* Reads the body and lets `act` answer. */
typedef void account_act(struct account_call *call, const json_t *body);
static struct answer with_body(const struct api *api, const struct request *request,
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

/* --- sign-up --------------------------------------------------------------------------------- */

static bool name_free(struct account_call *call, const struct name *name)
{
    struct err err;
    bool taken;

    if (!store_look_taken(call->api->rooms->store, name, &taken, &err)) {
        return refuse_store(call, &err);
    }
    return !taken || refuse(call, problem(PROBLEM_NAME_TAKEN, "/name",
                                          "somebody has this name, or one that looks like it"));
}

/* A guest becomes the player, with what was won; the old token is none any more. */
static void store_account(struct account_call *call, const struct name *name)
{
    const bool guest = call->self.id != NOBODY;
    struct change *change = want_change(call, CHANGE_ACCOUNT, call->self.id);

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
    new_recovery(change, call->request);
}

static void sign_up(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES];
    struct hash_work *work;
    struct name name;

    if (!enter(call) || !read_name(call, body, &name) ||
        !read_fresh(call, body, "password", &name, password)) {
        return;
    }
    if (call->self.name[0] != '\0' || call->who.service != 0) {
        refuse(call, problem(PROBLEM_SIGNED_IN, "Authorization", "log out first"));
    } else if (!name_free(call, &name)) {
        return;
    } else if (call->request->hashed != NULL) {
        if (!hash_failed(call)) {
            store_account(call, &name);
        }
    } else if (allowed(call, "sign-up", NULL, call->api->signups_per_hour) &&
               (work = want_hash(call)) != NULL) {
        memcpy(work->fresh, password, sizeof password);
    }
}

struct answer account_post_players(const struct api *api, const struct request *request,
                                   const char *id)
{
    static const char *const MEMBERS[] = {"name", "password"};

    (void)id;
    return with_body(api, request, MEMBERS, 2, sign_up);
}

/* --- log-in and log-out ---------------------------------------------------------------------- */

static void store_session_of(struct account_call *call, const struct person *player)
{
    struct change *change = want_change(call, 0, player->id);

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

    if (!enter(call) || !read_player(call, body, &name, &player) ||
        !read_present(call, body, password)) {
        return;
    }
    if (call->request->hashed == NULL) {
        if (allowed(call, "log-in", name.key, limit) && (work = want_hash(call)) != NULL) {
            memcpy(work->password, password, sizeof password);
            memcpy(work->against, player.password, sizeof work->against);
            work->decoy = player.password[0] == '\0';
        }
    } else if (!hash_failed(call)) {
        bool same = strcmp(call->request->hashed->against, player.password) == 0;
        if (!call->request->hashed->matches || !same) {
            refuse_login(call, "password");
            return;
        }
        forgive(call, "log-in", name.key, limit);
        if (still_allowed(call, &player)) {
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
        refuse(call, problem(PROBLEM_BAD_REQUEST, "all", "only all=yes, once, is read"));
    } else if (enter_signed_in(call)) {
        struct change *change = want_change(call, CHANGE_LOGOUT, call->self.id);
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
        return with_body(api, request, MEMBERS, 2, log_in);
    }
    struct account_call call = {.api = api, .request = request};
    log_out(&call);
    return call.answer;
}

/* --- passwords ------------------------------------------------------------------------------- */

/* A new password, and a fresh session in the place of all others. */
static struct change *store_password(struct account_call *call, const struct person *player)
{
    struct change *change = want_change(call, CHANGE_PASSWORD | CHANGE_LOGOUT, player->id);

    if (change != NULL) {
        change->all_ended = true;
        memcpy(change->password, call->request->hashed->made, sizeof change->password);
        snprintf(change->name.text, sizeof change->name.text, "%s", player->name);
        change_new_session(change, call->api, call->request);
    }
    return change;
}

static void recover(struct account_call *call, const json_t *body)
{
    const int64_t limit = call->api->logins_per_hour;
    unsigned char typed[TOKEN_HASH];
    char password[PASSWORD_BYTES];
    struct hash_work *work;
    struct person player;
    const char *code;
    struct name name;

    if (!enter(call) || !read_player(call, body, &name, &player) ||
        !body_text(body, "recovery_code", true, &code, &call->answer.response) ||
        !read_fresh(call, body, "password", &name, password)) {
        return;
    }
    recovery_hash(code, typed);
    bool fits = player.id != NOBODY && hash_equal(typed, player.recovery);
    if (call->request->hashed == NULL && !allowed(call, "log-in", name.key, limit)) {
        return;
    }
    if (!fits) {
        refuse_login(call, "recovery code");
    } else if (!still_allowed(call, &player)) {
        return;
    } else if (call->request->hashed == NULL) {
        if ((work = want_hash(call)) != NULL) {
            memcpy(work->fresh, password, sizeof password);
        }
    } else if (!hash_failed(call)) {
        struct change *change = store_password(call, &player);
        forgive(call, "log-in", name.key, limit);
        if (change != NULL) {
            change->parts |= CHANGE_RECOVERY;
            new_recovery(change, call->request);
        }
    }
}

struct answer account_post_recovery(const struct api *api, const struct request *request,
                                    const char *id)
{
    static const char *const MEMBERS[] = {"name", "recovery_code", "password"};

    (void)id;
    return with_body(api, request, MEMBERS, 3, recover);
}

/* Has one's own password verified, with `fresh` to be hashed then; true when it has been and fits.
 */
static bool verified(struct account_call *call, const char *key, const char *password,
                     const char *fresh)
{
    const int64_t limit = call->api->logins_per_hour;
    struct hash_work *work;

    if (call->request->hashed == NULL) {
        if (allowed(call, "log-in", key, limit) && (work = want_hash(call)) != NULL) {
            snprintf(work->password, sizeof work->password, "%s", password);
            snprintf(work->fresh, sizeof work->fresh, "%s", fresh);
            memcpy(work->against, call->self.password, sizeof work->against);
            work->decoy = call->self.password[0] == '\0';
        }
        return false;
    }
    if (hash_failed(call)) {
        return false;
    }
    if (!call->request->hashed->matches ||
        strcmp(call->request->hashed->against, call->self.password) != 0) {
        return refuse(call, problem(PROBLEM_BAD_LOGIN, "/password", "not the password"));
    }
    forgive(call, "log-in", key, limit);
    return true;
}

static bool has_account(struct account_call *call)
{
    return call->self.name[0] != '\0' ||
           refuse(call, problem(PROBLEM_NOT_SIGNED_IN, "Authorization",
                                "a guest has no password: sign up (POST /v1/players)"));
}

static void change_password(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES], fresh[PASSWORD_BYTES];
    struct name name = {.key = ""};

    if (!enter_signed_in(call) || !has_account(call)) {
        return;
    }
    memcpy(name.key, call->self.key, sizeof name.key);
    memcpy(name.text, call->self.name, sizeof name.text);
    if (read_present(call, body, password) &&
        read_fresh(call, body, "new_password", &name, fresh) &&
        verified(call, name.key, password, fresh)) {
        store_password(call, &call->self);
    }
}

struct answer account_post_password(const struct api *api, const struct request *request,
                                    const char *id)
{
    static const char *const MEMBERS[] = {"password", "new_password"};

    (void)id;
    return with_body(api, request, MEMBERS, 2, change_password);
}

static void forget(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES];

    if (!enter_signed_in(call)) {
        return;
    }
    if (call->self.name[0] == '\0' ||
        (read_present(call, body, password) && verified(call, call->self.key, password, ""))) {
        want_change(call, CHANGE_FORGET, call->self.id);
    }
}

struct answer account_post_forget(const struct api *api, const struct request *request,
                                  const char *id)
{
    static const char *const MEMBERS[] = {"password"};

    (void)id;
    return with_body(api, request, MEMBERS, 1, forget);
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
