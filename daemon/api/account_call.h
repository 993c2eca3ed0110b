/* What account_api.c and account_password.c share: one request about an account on its way.
 * Whatever is false or NULL has filled the answer with a refusal. */
#pragma once

#include "daemon/api/api.h"
#include "daemon/api/identity.h"
#include "daemon/people/hasher.h"
#include "daemon/store/store_people.h"

/* One request about an account. */
struct account_call {
    const struct api *api;
    const struct request *request;
    struct identity who;
    struct person self; /* whose session it is; id NOBODY: no session */
    struct answer answer;
};

/* False, with this answer. */
bool account_refuse(struct account_call *call, struct response response);
bool account_refuse_store(struct account_call *call, const struct err *err);
bool account_refuse_login(struct account_call *call, const char *what);

/* Who asks; the second refuses who has no session. */
bool account_enter(struct account_call *call);
bool account_enter_signed_in(struct account_call *call);

/* Counts one attempt by the request's address and, unless it is NULL, for a name. */
bool account_allowed(struct account_call *call, const char *what, const char *name,
                     int64_t per_hour);
/* A success does not count. */
void account_forgive(struct account_call *call, const char *what, const char *name,
                     int64_t per_hour);

/* Has a password hashed, which is the caller's to fill in. */
struct hash_work *account_want_hash(struct account_call *call);
/* Whether memory was out for the hash, which is refused then. */
bool account_hash_failed(struct account_call *call);

/* Has a change of `person` stored. */
struct change *account_want_change(struct account_call *call, unsigned parts, int64_t person);
/* Gives a change a recovery code of the request's random bytes. */
void account_new_recovery(struct change *change, const struct request *request);

/* Members of the body: a name; a password that is to be one from now on; one that is to fit, ""
 * when it cannot be any; the player who has a name, id NOBODY for nobody, with the name's key. */
bool account_read_name(struct account_call *call, const json_t *body, struct name *name);
bool account_read_fresh(struct account_call *call, const json_t *body, const char *member,
                        const struct name *name, char password[PASSWORD_BYTES]);
bool account_read_present(struct account_call *call, const json_t *body,
                          char password[PASSWORD_BYTES]);
bool account_read_player(struct account_call *call, const json_t *body, struct name *name,
                         struct person *player);

/* Whether a player is not banned. */
bool account_still_allowed(struct account_call *call, const struct person *player);

/* Reads the body, of which these members are known, and lets `act` answer. */
typedef void account_act(struct account_call *call, const json_t *body);
struct answer account_with_body(const struct api *api, const struct request *request,
                                const char *const *members, size_t count, account_act *act);
