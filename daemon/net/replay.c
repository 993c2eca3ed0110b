/* A ring of answers, found by a hash of who and which key. */
#include "daemon/net/replay.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST = 16, DAY = 86400 };

enum state { STATE_FREE, STATE_BUSY, STATE_DONE };

struct replay {
    enum state state;
    unsigned char key[DIGEST];  /* of who asked and the key */
    unsigned char what[DIGEST]; /* of method, path and body */
    int64_t at;
    struct response response;
};

struct replays {
    struct replay slot[REPLAYS];
    size_t next; /* the oldest */
};

struct replays *replays_create(void)
{
    return calloc(1, sizeof(struct replays));
}

static void clear(struct replay *replay)
{
    response_fini(&replay->response);
    *replay = (struct replay){.state = STATE_FREE};
}

void replays_destroy(struct replays *replays)
{
    for (size_t i = 0; replays != NULL && i < REPLAYS; i++) {
        clear(&replays->slot[i]);
    }
    free(replays);
}

static bool is_key(const char *key)
{
    size_t length = 0;

    for (; key[length] != '\0'; length++) {
        if (key[length] <= ' ' || key[length] > '~') {
            return false;
        }
    }
    return length > 0 && length <= REPLAY_KEY;
}

/* Adds a text and its end; "" stands for none. */
static void add(crypto_generichash_state *state, const char *text)
{
    text = text != NULL ? text : "";
    crypto_generichash_update(state, (const unsigned char *)text, strlen(text) + 1);
}

static void digest_key(const struct request *request, const char *key, unsigned char out[DIGEST])
{
    const bool known = request->authorization != NULL || request->cookie != NULL;
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    add(&state, key);
    add(&state, request->authorization);
    add(&state, request->cookie);
    add(&state, known ? NULL : request->address);
    crypto_generichash_final(&state, out, DIGEST);
}

static void digest_request(const struct request *request, unsigned char out[DIGEST])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    add(&state, method_name(request->method));
    add(&state, request->path);
    add(&state, request->query);
    if (request->body_size > 0) {
        crypto_generichash_update(&state, (const unsigned char *)request->body, request->body_size);
    }
    crypto_generichash_final(&state, out, DIGEST);
}

static struct replay *find(struct replays *replays, const unsigned char key[DIGEST], int64_t now)
{
    for (size_t i = 0; i < REPLAYS; i++) {
        struct replay *slot = &replays->slot[i];
        if (slot->state != STATE_FREE && memcmp(slot->key, key, DIGEST) == 0) {
            if (slot->state == STATE_DONE && now - slot->at > DAY) {
                clear(slot);
                return NULL;
            }
            return slot;
        }
    }
    return NULL;
}

/* The oldest slot that is not busy; NULL: all are. */
static struct replay *oldest(struct replays *replays)
{
    for (size_t i = 0; i < REPLAYS; i++) {
        struct replay *slot = &replays->slot[replays->next];
        replays->next = (replays->next + 1) % REPLAYS;
        if (slot->state != STATE_BUSY) {
            clear(slot);
            return slot;
        }
    }
    return NULL;
}

enum replay_verdict replays_begin(struct replays *replays, const struct request *request,
                                  const char *key, int64_t now, struct replay **out)
{
    unsigned char digest[DIGEST], what[DIGEST];

    *out = NULL;
    if (!is_key(key)) {
        return REPLAY_BAD;
    }
    digest_key(request, key, digest);
    digest_request(request, what);
    struct replay *slot = find(replays, digest, now);
    if (slot != NULL) {
        if (memcmp(slot->what, what, DIGEST) != 0) {
            return REPLAY_OTHER;
        }
        *out = slot->state == STATE_DONE ? slot : NULL;
        return slot->state == STATE_DONE ? REPLAY_KNOWN : REPLAY_BUSY;
    }
    slot = oldest(replays);
    if (slot == NULL) {
        return REPLAY_FULL;
    }
    slot->state = STATE_BUSY;
    slot->at = now;
    memcpy(slot->key, digest, DIGEST);
    memcpy(slot->what, what, DIGEST);
    *out = slot;
    return REPLAY_NEW;
}

/* A copy that shares nothing; false when memory is out. */
static bool copy_response(struct response *copy, const struct response *response)
{
    *copy = *response;
    copy->body = NULL;
    if (response->body == NULL) {
        return true;
    }
    copy->body = malloc(response->body_size > 0 ? response->body_size : 1);
    if (copy->body == NULL) {
        return false;
    }
    memcpy(copy->body, response->body, response->body_size);
    return true;
}

void replay_finish(struct replay *replay, const struct response *response)
{
    if (response->status == 429 || response->status >= 500 ||
        !copy_response(&replay->response, response)) {
        replay_forget(replay);
        return;
    }
    replay->state = STATE_DONE;
}

void replay_forget(struct replay *replay)
{
    clear(replay);
}

struct response replay_response(const struct replay *replay)
{
    struct response copy;

    if (!copy_response(&copy, &replay->response)) {
        return (struct response){.status = 500};
    }
    return copy;
}
