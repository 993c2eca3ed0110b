/* What is to be stored, as a value: the parts named in `parts`, all of them or none. */
#pragma once

#include <string.h>

#include "daemon/artefacts.h"
#include "daemon/hasher.h"
#include "daemon/hosted.h"
#include "daemon/name.h"

enum {
    GAME_ID = 21,
    TOKEN_HASH = 32,
    SECRET_TEXT = 44
}; /* characters of an id with its NUL; bytes */

/* Parts, as bits; they are stored in this order. */
enum change_part {
    CHANGE_PERSON = 1,     /* a new person */
    CHANGE_ACCOUNT = 2,    /* the person gets a name, a password and a recovery code */
    CHANGE_PASSWORD = 4,   /* another password */
    CHANGE_RECOVERY = 8,   /* another recovery code */
    CHANGE_LOGOUT = 16,    /* the session `ended` ends, or with all_ended every one of the person */
    CHANGE_SESSION = 32,   /* a new session */
    CHANGE_GAME = 64,      /* a new game */
    CHANGE_EVENT = 128,    /* the next event of a game */
    CHANGE_END = 256,      /* with that event the game is over */
    CHANGE_RESULT = 512,   /* which counts for or against the person */
    CHANGE_WEIGHTS = 1024, /* the artefacts are kept for the games played with them */
    CHANGE_FORGET = 2048,  /* the person and what is theirs alone are deleted */
};

/* A finished game against the computer, for the person. */
enum result { RESULT_LOST, RESULT_DRAWN, RESULT_WON };

enum change_status {
    CHANGE_STORED,
    CHANGE_CONFLICT, /* such a game, event, session or name is there already */
    CHANGE_FULL,     /* the disk, or what store.max_megabytes allows, is full */
    CHANGE_FAILED,
};

struct change {
    unsigned parts;
    int64_t person;
    int64_t at;                         /* seconds since 1970: when all of it is done */
    struct name name;                   /* of CHANGE_ACCOUNT */
    char password[PASSWORD_HASH];       /* its hash */
    unsigned char recovery[TOKEN_HASH]; /* the hash of the recovery code */
    char recovery_code[SECRET_TEXT];    /* the code itself, told once and not stored */
    unsigned char ended[TOKEN_HASH];    /* the hash of the ended session's token */
    bool all_ended;
    unsigned char token[TOKEN_HASH]; /* the hash of the new session's token */
    char secret[SECRET_TEXT];        /* the token itself, told once and not stored */
    int64_t expires;                 /* when that session ends, seconds since 1970 */
    char game[GAME_ID];
    struct hosted_setup setup;   /* of CHANGE_GAME */
    struct artefacts *artefacts; /* of CHANGE_WEIGHTS: a reference; else NULL */
    int number;                  /* of the event, from 1 */
    struct event event;
    enum outcome outcome; /* of CHANGE_END */
    enum result result;   /* of CHANGE_RESULT */
    bool clean;           /* it opens the next level */

    enum change_status status; /* by the store */
    char detail[ERR_TEXT];     /* of a failure */
    void *owner;               /* always the submitter's */
    void *asker;               /* the same */
    struct change *next;
};

/* Of a change from malloc. Takes NULL. */
void change_destroy(struct change *change);

/* Whether a session that was there before the change is none behind it: what is open for it, such
 * as a socket, is to be closed. */
static inline bool change_ends_session(const struct change *change, int64_t person,
                                       const unsigned char token[TOKEN_HASH])
{
    bool all =
        (change->parts & CHANGE_FORGET) || ((change->parts & CHANGE_LOGOUT) && change->all_ended);

    return (all && change->person == person) ||
           ((change->parts & CHANGE_LOGOUT) && memcmp(change->ended, token, TOKEN_HASH) == 0);
}
