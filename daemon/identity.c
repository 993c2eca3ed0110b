/* Tokens as clients hold them and as they are stored: only a hash of each. */
#include "daemon/identity.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "daemon/problem.h"

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

int64_t person_make(const unsigned char bytes[8])
{
    int64_t person;

    memcpy(&person, bytes, sizeof person);
    person &= INT64_MAX;
    return person == NOBODY ? 1 : person;
}

void game_id_make(const unsigned char bytes[GAME_ID - 1], char id[GAME_ID])
{
    static const char LETTERS[] = "abcdefghijkmnpqrstuvwxyz23456789";

    _Static_assert(sizeof LETTERS == 33, "five bits a letter");
    for (int i = 0; i < GAME_ID - 1; i++) {
        id[i] = LETTERS[bytes[i] & 31];
    }
    id[GAME_ID - 1] = '\0';
}

bool identity_read(const struct request *request, struct store *store, int64_t *person,
                   struct response *refusal)
{
    static const char SCHEME[] = "Bearer ";
    unsigned char bytes[TOKEN_BYTES], hash[TOKEN_HASH];
    const char *text = request->authorization;
    struct err err;
    size_t size;

    *person = NOBODY;
    if (text == NULL) {
        return true;
    }
    if (strncasecmp(text, SCHEME, sizeof SCHEME - 1) != 0) {
        *refusal = problem(PROBLEM_BAD_TOKEN, "Authorization", "only \"Bearer TOKEN\" is read");
        return false;
    }
    text += sizeof SCHEME - 1;
    if (strlen(text) == TOKEN_TEXT - 1 &&
        sodium_base642bin(bytes, sizeof bytes, text, strlen(text), NULL, &size, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
        size == TOKEN_BYTES) {
        hash_token(bytes, hash);
        if (!store_session(store, hash, person, &err)) {
            *refusal = problem(PROBLEM_STORE, NULL, "%s", err.text);
            return false;
        }
    }
    if (*person == NOBODY) {
        *refusal = problem(PROBLEM_BAD_TOKEN, "Authorization", "this token is nobody's");
        return false;
    }
    return true;
}
