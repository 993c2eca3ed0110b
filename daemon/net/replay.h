/* Answers kept for requests that are sent again: a POST with an Idempotency-Key is done once,
 * however often it is sent (draft-ietf-httpapi-idempotency-key-header).
 *
 * A key belongs to whoever sent it: the same token, or without one the same address. In memory, the
 * newest REPLAYS of the last day: a restart forgets them. On the event loop's thread. */
#pragma once

#include "daemon/net/http.h"

enum { REPLAYS = 4096, REPLAY_KEY = 255 };

struct replays;
struct replay;

enum replay_verdict {
    REPLAY_NEW,   /* do it; the answer goes to replay_finish, or it is forgotten */
    REPLAY_KNOWN, /* it has been answered */
    REPLAY_BUSY,  /* it is being done */
    REPLAY_OTHER, /* the key was used for another request */
    REPLAY_BAD,   /* the key is empty, too long or not of printable characters */
    REPLAY_FULL,  /* memory is out, or all that are kept are being done */
};

/* NULL when memory is out. */
struct replays *replays_create(void);
/* Takes NULL. */
void replays_destroy(struct replays *replays);

/* Looks a request with a key up, at `now`, seconds. *out is set for REPLAY_NEW and REPLAY_KNOWN and
 * stays until it is forgotten or, once answered, until the next call. */
enum replay_verdict replays_begin(struct replays *replays, const struct request *request,
                                  const char *key, int64_t now, struct replay **out);

/* Keeps a copy of the answer. What failed for now (429, 5xx) is forgotten instead, so that it can
 * be tried again. */
void replay_finish(struct replay *replay, const struct response *response);
void replay_forget(struct replay *replay);

/* A copy of the answer that was kept; an empty 500 when memory is out. */
struct response replay_response(const struct replay *replay);
