/* Who sends a request: tokens, and the ids made of random bytes. */
#pragma once

#include "daemon/change.h"
#include "daemon/http.h"
#include "daemon/store.h"

enum { TOKEN_BYTES = 32, TOKEN_TEXT = SECRET_TEXT }; /* 43 characters of base64url and a NUL */

/* Once before anything else of this file. */
bool identity_init(struct err *err);

/* The text of a token and the hash that is stored of it. */
void token_make(const unsigned char bytes[TOKEN_BYTES], char text[TOKEN_TEXT],
                unsigned char hash[TOKEN_HASH]);

/* A person's number, positive, and a game's id of random bytes. */
int64_t person_make(const unsigned char bytes[8]);
void game_id_make(const unsigned char bytes[GAME_ID - 1], char id[GAME_ID]);

/* The person whose token the Authorization header has; NOBODY without that header. False with
 * *refusal filled: another scheme, no token of ours (401), the store fails (503). */
bool identity_read(const struct request *request, struct store *store, int64_t *person,
                   struct response *refusal);
