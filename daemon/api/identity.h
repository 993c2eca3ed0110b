/* Who sends a request: tokens, and the ids made of random bytes. */
#pragma once

#include "daemon/net/http.h"
#include "daemon/store/change.h"
#include "daemon/store/store.h"

enum { TOKEN_BYTES = 32, TOKEN_TEXT = SECRET_TEXT }; /* 43 characters of base64url and a NUL */

/* The cookie in which a browser holds its token. */
#define SESSION_COOKIE "draughtsd"

enum { RECOVERY_BYTES = 20 };

/* Who asks, and by which session. */
struct identity {
    int64_t person; /* NOBODY: no session */
    unsigned char token[TOKEN_HASH];
    int64_t service; /* whose user it is; 0: nobody's, a player or guest of our own */
    char user[USER_TEXT];
};

/* Once before anything else of this file. */
bool identity_init(struct err *err);

/* The text of a token and the hash that is stored of it. */
void token_make(const unsigned char bytes[TOKEN_BYTES], char text[TOKEN_TEXT],
                unsigned char hash[TOKEN_HASH]);

/* A recovery code, "xxxxx-xxxxx-xxxxx-xxxxx", and the hash that is stored of it; the hash of what
 * somebody has typed, where case, spaces and dashes do not matter. */
void recovery_make(const unsigned char bytes[RECOVERY_BYTES], char code[SECRET_TEXT],
                   unsigned char hash[TOKEN_HASH]);
void recovery_hash(const char *typed, unsigned char hash[TOKEN_HASH]);

/* Whether two hashes are the same, in a time that does not tell where they differ. */
bool hash_equal(const unsigned char a[TOKEN_HASH], const unsigned char b[TOKEN_HASH]);

/* A person's number, positive, and a game's id of random bytes. */
int64_t person_make(const unsigned char bytes[8]);
void game_id_make(const unsigned char bytes[GAME_ID - 1], char id[GAME_ID]);

/* The number of a service's user. */
int64_t user_person(int64_t service, const char *user);

/* The session whose token the Authorization header has, or without that header the cookie. A
 * service's key names its user by the header X-User. A cookie that is nobody's (its session is
 * over) counts as none. False with *refusal filled: another scheme, a token that is nobody's (401),
 * the store fails (503). */
bool identity_read(const struct request *request, struct store *store, int64_t now,
                   struct identity *identity, struct response *refusal);
