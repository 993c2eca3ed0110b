/* Tokens as clients hold them and as they are stored: only a hash of each. */
#include "daemon/api/identity.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/net/problem.h"
#include "daemon/store/store_services.h"

_Static_assert(TOKEN_TEXT ==
                   sodium_base64_ENCODED_LEN(TOKEN_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
               "a token's text fits");

bool identity_init(struct err *err)
{
    return sodium_init() >= 0 || err_set(err, ERR_FAILED, "libsodium has no random numbers");
}

static void hash_token(const unsigned char bytes[TOKEN_BYTES], unsigned char hash[TOKEN_HASH])
{
    crypto_generichash(hash, TOKEN_HASH, bytes, TOKEN_BYTES, NULL, 0);
}

void token_make(const unsigned char bytes[TOKEN_BYTES], char text[TOKEN_TEXT],
                unsigned char hash[TOKEN_HASH])
{
    sodium_bin2base64(text, TOKEN_TEXT, bytes, TOKEN_BYTES,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    hash_token(bytes, hash);
}

static const char LETTERS[] = "abcdefghijkmnpqrstuvwxyz23456789";
_Static_assert(sizeof LETTERS == 33, "five bits a letter");

void recovery_hash(const char *typed, unsigned char hash[TOKEN_HASH])
{
    char code[SECRET_TEXT];
    size_t used = 0;

    for (; *typed != '\0' && used < sizeof code - 1; typed++) {
        if (*typed != '-' && *typed != ' ') {
            code[used++] = (char)(*typed >= 'A' && *typed <= 'Z' ? *typed | ' ' : *typed);
        }
    }
    crypto_generichash(hash, TOKEN_HASH, (const unsigned char *)code, used, NULL, 0);
}

void recovery_make(const unsigned char bytes[RECOVERY_BYTES], char code[SECRET_TEXT],
                   unsigned char hash[TOKEN_HASH])
{
    size_t used = 0;

    for (int i = 0; i < RECOVERY_BYTES; i++) {
        if (i > 0 && i % 5 == 0) {
            code[used++] = '-';
        }
        code[used++] = LETTERS[bytes[i] & 31];
    }
    code[used] = '\0';
    recovery_hash(code, hash);
}

bool hash_equal(const unsigned char a[TOKEN_HASH], const unsigned char b[TOKEN_HASH])
{
    return sodium_memcmp(a, b, TOKEN_HASH) == 0;
}

int64_t person_make(const unsigned char bytes[8])
{
    int64_t person;

    memcpy(&person, bytes, sizeof person);
    person &= INT64_MAX;
    return person == NOBODY ? 1 : person;
}

void game_id_make(const unsigned char bytes[GAME_ID - 1], char id[GAME_ID])
{
    for (int i = 0; i < GAME_ID - 1; i++) {
        id[i] = LETTERS[bytes[i] & 31];
    }
    id[GAME_ID - 1] = '\0';
}

int64_t user_person(int64_t service, const char *user)
{
    unsigned char hash[crypto_generichash_BYTES_MIN];
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)&service, sizeof service);
    crypto_generichash_update(&state, (const unsigned char *)user, strlen(user));
    crypto_generichash_final(&state, hash, sizeof hash);
    return person_make(hash);
}

/* The session of a token's text. */
static bool read_token(const char *text, size_t length, struct store *store, int64_t now,
                       struct identity *identity, struct err *err)
{
    unsigned char bytes[TOKEN_BYTES];
    size_t size;

    identity->person = NOBODY;
    if (length != TOKEN_TEXT - 1 ||
        sodium_base642bin(bytes, sizeof bytes, text, length, NULL, &size, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        size != TOKEN_BYTES) {
        return true;
    }
    hash_token(bytes, identity->token);
    return store_session(store, identity->token, now, &identity->person, err);
}

/* The session cookie's value in a Cookie header; NULL: none. */
static const char *find_cookie(const char *header, size_t *length)
{
    static const char NAME[] = SESSION_COOKIE "=";

    while (header != NULL && *header != '\0') {
        header += strspn(header, " ;");
        size_t size = strcspn(header, ";");
        if (strncmp(header, NAME, sizeof NAME - 1) == 0) {
            *length = size - (sizeof NAME - 1);
            return header + sizeof NAME - 1;
        }
        header += size;
    }
    return NULL;
}

/* The user of the service whose key the token is. */
static bool read_service(const struct request *request, struct store *store,
                         struct identity *identity, struct response *refusal)
{
    const char *user = request->user != NULL ? request->user : "";
    struct err err;

    if (!store_service(store, identity->token, &identity->service, &err)) {
        *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return false;
    }
    if (identity->service == 0) {
        *refusal = problem(PROBLEM_BAD_TOKEN, "Authorization", "this token is nobody's");
        return false;
    }
    for (const char *c = user; *c != '\0'; c++) {
        user = *c > ' ' && *c < 127 ? user : "";
    }
    if (user[0] == '\0' || strlen(user) >= USER_TEXT) {
        *refusal =
            problem(PROBLEM_BAD_REQUEST, "X-User",
                    "a service names its user: 1 to %d visible ASCII characters", USER_TEXT - 1);
        return false;
    }
    snprintf(identity->user, sizeof identity->user, "%s", user);
    identity->person = user_person(identity->service, user);
    return true;
}

bool identity_read(const struct request *request, struct store *store, int64_t now,
                   struct identity *identity, struct response *refusal)
{
    static const char SCHEME[] = "Bearer ";
    const char *text = request->authorization;
    struct err err;
    size_t length = 0;

    *identity = (struct identity){.person = NOBODY};
    if (text != NULL && strncasecmp(text, SCHEME, sizeof SCHEME - 1) != 0) {
        *refusal = problem(PROBLEM_BAD_TOKEN, "Authorization", "only \"Bearer TOKEN\" is read");
        return false;
    }
    const char *token =
        text != NULL ? text + sizeof SCHEME - 1 : find_cookie(request->cookie, &length);
    if (token == NULL) {
        return true;
    }
    if (!read_token(token, text != NULL ? strlen(token) : length, store, now, identity, &err)) {
        *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return false;
    }
    if (identity->person == NOBODY && text != NULL) {
        return read_service(request, store, identity, refusal);
    }
    return true;
}
