/* A password that is lost, exchanged, or said for the last time. */
#include <stdio.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/account_call.h"
#include "daemon/net/body.h"
#include "daemon/net/problem.h"

/* A new password, and a fresh session in the place of all others. */
static struct change *store_password(struct account_call *call, const struct person *player)
{
    struct change *change = account_want_change(call, CHANGE_PASSWORD | CHANGE_LOGOUT, player->id);

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

    if (!account_enter(call) || !account_read_player(call, body, &name, &player) ||
        !body_text(body, "recovery_code", true, &code, &call->answer.response) ||
        !account_read_fresh(call, body, "password", &name, password)) {
        return;
    }
    recovery_hash(code, typed);
    bool fits = player.id != NOBODY && hash_equal(typed, player.recovery);
    if (call->request->hashed == NULL && !account_allowed(call, "log-in", name.key, limit)) {
        return;
    }
    if (!fits) {
        account_refuse_login(call, "recovery code");
    } else if (!account_still_allowed(call, &player)) {
        return;
    } else if (call->request->hashed == NULL) {
        if ((work = account_want_hash(call)) != NULL) {
            memcpy(work->fresh, password, sizeof password);
        }
    } else if (!account_hash_failed(call)) {
        struct change *change = store_password(call, &player);
        account_forgive(call, "log-in", name.key, limit);
        if (change != NULL) {
            change->parts |= CHANGE_RECOVERY;
            account_new_recovery(change, call->request);
        }
    }
}

struct answer account_post_recovery(const struct api *api, const struct request *request,
                                    const char *id)
{
    static const char *const MEMBERS[] = {"name", "recovery_code", "password"};

    (void)id;
    return account_with_body(api, request, MEMBERS, 3, recover);
}

/* Has one's own password verified, with `fresh` to be hashed then; true when it has been and fits.
 */
static bool verified(struct account_call *call, const char *key, const char *password,
                     const char *fresh)
{
    const int64_t limit = call->api->logins_per_hour;
    struct hash_work *work;

    if (call->request->hashed == NULL) {
        if (account_allowed(call, "log-in", key, limit) &&
            (work = account_want_hash(call)) != NULL) {
            snprintf(work->password, sizeof work->password, "%s", password);
            snprintf(work->fresh, sizeof work->fresh, "%s", fresh);
            memcpy(work->against, call->self.password, sizeof work->against);
            work->decoy = call->self.password[0] == '\0';
        }
        return false;
    }
    if (account_hash_failed(call)) {
        return false;
    }
    if (!call->request->hashed->matches ||
        strcmp(call->request->hashed->against, call->self.password) != 0) {
        return account_refuse(call, problem(PROBLEM_BAD_LOGIN, "/password", "not the password"));
    }
    account_forgive(call, "log-in", key, limit);
    return true;
}

static bool has_account(struct account_call *call)
{
    return call->self.name[0] != '\0' ||
           account_refuse(call, problem(PROBLEM_NOT_SIGNED_IN, "Authorization",
                                        "a guest has no password: sign up (POST /v1/players)"));
}

static void change_password(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES], fresh[PASSWORD_BYTES];
    struct name name = {.key = ""};

    if (!account_enter_signed_in(call) || !has_account(call)) {
        return;
    }
    memcpy(name.key, call->self.key, sizeof name.key);
    memcpy(name.text, call->self.name, sizeof name.text);
    if (account_read_present(call, body, password) &&
        account_read_fresh(call, body, "new_password", &name, fresh) &&
        verified(call, name.key, password, fresh)) {
        store_password(call, &call->self);
    }
}

struct answer account_post_password(const struct api *api, const struct request *request,
                                    const char *id)
{
    static const char *const MEMBERS[] = {"password", "new_password"};

    (void)id;
    return account_with_body(api, request, MEMBERS, 2, change_password);
}

static void forget(struct account_call *call, const json_t *body)
{
    char password[PASSWORD_BYTES];

    if (!account_enter_signed_in(call)) {
        return;
    }
    if (call->self.name[0] == '\0' || (account_read_present(call, body, password) &&
                                       verified(call, call->self.key, password, ""))) {
        account_want_change(call, CHANGE_FORGET, call->self.id);
    }
}

struct answer account_post_forget(const struct api *api, const struct request *request,
                                  const char *id)
{
    static const char *const MEMBERS[] = {"password"};

    (void)id;
    return account_with_body(api, request, MEMBERS, 1, forget);
}
