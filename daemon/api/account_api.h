/* The paths of accounts: sign-up, log-in, log-out, passwords, one's own data. From a request to
 * what is to be done for it; a password is hashed elsewhere and the request handled again. */
#pragma once

#include "daemon/api/api.h"
#include "daemon/api/identity.h"

/* `id` is not looked at. */
struct answer account_post_players(const struct api *api, const struct request *request,
                                   const char *id);
/* POST: log-in, DELETE: log-out. */
struct answer account_sessions(const struct api *api, const struct request *request,
                               const char *id);
struct answer account_post_recovery(const struct api *api, const struct request *request,
                                    const char *id);
struct answer account_post_password(const struct api *api, const struct request *request,
                                    const char *id);
struct answer account_post_forget(const struct api *api, const struct request *request,
                                  const char *id);

/* Fills the parts of a change that make a session for its person, of the request's random bytes. */
void change_new_session(struct change *change, const struct api *api,
                        const struct request *request);

/* The same for a new person. */
void change_new_person(struct change *change, const struct api *api, const struct request *request);

/* The same for who asks: nothing for a player or guest with a session, a row for a service's user,
 * a person with a session for whoever comes without. */
void change_asker(struct change *change, const struct api *api, const struct request *request,
                  const struct identity *who);

/* The answer to a change about an account that has been stored, or could not be. */
struct response account_changed(const struct change *change);
