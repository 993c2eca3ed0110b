/* Requests about people to the daemon's API, in tests that need no socket. Passwords are hashed and
 * changes stored in between, as the daemon does. */
#pragma once

#include "daemon/api/api.h"
#include "tests/unit/reply_support.h"
#include "tests/unit/store_support.h"

enum { NOW = 1000000, LIFE = 1000, SIGNUPS = 4, LOGINS = 4 };

struct account_fixture {
    struct place place;
    struct artefacts *artefacts;
    struct metrics metrics;
    struct names *names;
    struct rooms rooms;
    struct api api;
    const char *address;
    unsigned char random;
    char token[SECRET_TEXT];  /* sent when it is not "" */
    struct response response; /* of the last request */
    json_t *json;             /* its body */
    struct change change;     /* the last one stored */
};

int account_setup(void **state);
int account_teardown(void **state);

/* Handles a request until it is answered, hashing and storing what it asks for. The answer before
 * is to be forgotten first. */
void account_handle(struct account_fixture *fixture, struct request *request);
void account_forget(struct account_fixture *fixture);

/* Sends a request with the fixture's token; the response is kept. Returns its status. */
int account_send(struct account_fixture *fixture, enum method method, const char *path,
                 const char *body);
int account_post(struct account_fixture *fixture, const char *path, const char *body);

/* The token of the last response is sent from now on. */
void account_take_token(struct account_fixture *fixture);

/* The last response's token is another one that is good, and `old` is good no more; it is what is
 * sent from now on. */
void assert_token_renewed(struct account_fixture *fixture, const char old[SECRET_TEXT]);

/* Makes an account, whose token is sent from now on. */
void account_sign_up(struct account_fixture *fixture, const char *name);
