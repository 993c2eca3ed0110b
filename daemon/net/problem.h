/* Refusals as RFC 9457 problem details: application/problem+json with type, title, status, detail
 * and, where one part of the request is at fault, `field` that points to it. */
#pragma once

#include "daemon/net/http.h"

enum problem_kind {
    PROBLEM_BAD_REQUEST,   /* 400: the request line, a header, the query */
    PROBLEM_BAD_JSON,      /* 400: the body is not one JSON object */
    PROBLEM_BAD_FIELD,     /* 400: a member missing, unknown, of a wrong type or out of range */
    PROBLEM_BAD_FEN,       /* 400 */
    PROBLEM_ILLEGAL_MOVE,  /* 400 */
    PROBLEM_UNKNOWN_RULES, /* 400 in a body or query */
    PROBLEM_BAD_TOKEN,     /* 401: a token that is nobody's */
    PROBLEM_ORIGIN,        /* 403: a page of another origin, or a name that is not ours */
    PROBLEM_BAD_LOGIN,     /* 401: name and password, or recovery code, do not fit */
    PROBLEM_NOT_SIGNED_IN, /* 401: only for who has a session */
    PROBLEM_BANNED,        /* 403 */
    PROBLEM_LOCKED,        /* 403: a level that a win on the one below opens */
    PROBLEM_NOT_YOURS,     /* 403: somebody else's game */
    PROBLEM_NOT_FOUND,     /* 404: no such path, or no such rule set in one */
    PROBLEM_METHOD,        /* 405 */
    PROBLEM_GAME_OVER,     /* 409 */
    PROBLEM_CONFLICT,      /* 409: not as the game stands; `reason` says why */
    PROBLEM_NAME_TAKEN,    /* 409: it is, or looks like, somebody else's */
    PROBLEM_SIGNED_IN,     /* 409: who asks has an account already */
    PROBLEM_KEY_BUSY,      /* 409: the first request of this Idempotency-Key is being done */
    PROBLEM_KEY_OTHER,     /* 422: the key was used for another request */
    PROBLEM_EXPECTATION,   /* 417 */
    PROBLEM_REFUSED,       /* 422: a move the rules forbid in a hosted game; `reason` says why */
    PROBLEM_LENGTH,        /* 411 */
    PROBLEM_TOO_LARGE,     /* 413 */
    PROBLEM_MEDIA_TYPE,    /* 415 */
    PROBLEM_UPGRADE,       /* 426: the path is a WebSocket */
    PROBLEM_TOO_MANY,      /* 429 */
    PROBLEM_INTERNAL,      /* 500 */
    PROBLEM_NOT_SERVED,    /* 503: no weights here for this rule set */
    PROBLEM_UNMEASURED,    /* 503: weights, but no levels measured with them */
    PROBLEM_NOT_READY,     /* 503: for /readyz */
    PROBLEM_OVERLOADED,    /* 503: the search queue is full */
    PROBLEM_TIMEOUT,       /* 503: the search did not end in time */
    PROBLEM_VERSION,       /* 505: of HTTP */
    PROBLEM_STORE,         /* 503: the store failed */
    PROBLEM_FULL,          /* 507: the disk is full */
    PROBLEM_KINDS,
};

/* The problem as JSON, to which members may be added. field is a JSON pointer into the body, the
 * name of a query parameter or a header; NULL: none. NULL when memory is out. */
json_t *problem_make(enum problem_kind kind, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The response of a problem made, which is consumed. Says Retry-After where waiting may help. */
struct response problem_response(enum problem_kind kind, json_t *problem);

/* Both in one. */
struct response problem(enum problem_kind kind, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
