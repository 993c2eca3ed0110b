/* What is to be stored, as a value: the parts named in `parts`, all of them or none. */
#pragma once

#include <string.h>

#include "daemon/game/hosted.h"
#include "daemon/people/hasher.h"
#include "daemon/people/name.h"
#include "daemon/think/artefacts.h"

enum {
    GAME_ID = 21,
    TOKEN_HASH = 32,
    SECRET_TEXT = 44,
    LABEL_TEXT = 128,
    USER_TEXT = 65
}; /* characters of an id with its NUL; bytes; characters of texts with it */

/* Parts, as bits; they are stored in this order. */
enum change_part {
    CHANGE_PERSON = 1 << 0,   /* a new person */
    CHANGE_USER = 1 << 1,     /* who is a service's; that it may be there already is fine */
    CHANGE_ACCOUNT = 1 << 2,  /* the person gets a name, a password and a recovery code */
    CHANGE_RENAME = 1 << 3,   /* another name */
    CHANGE_BAN = 1 << 4,      /* the account is closed, or opened again */
    CHANGE_PASSWORD = 1 << 5, /* another password */
    CHANGE_RECOVERY = 1 << 6, /* another recovery code */
    CHANGE_LOGOUT =
        1 << 7, /* the session `ended` ends, or with all_ended every one of the person */
    CHANGE_SESSION = 1 << 8,  /* a new session */
    CHANGE_SERVICE = 1 << 9,  /* a new service, whose key has the hash `token` */
    CHANGE_REVOKE = 1 << 10,  /* a service's key is none any more */
    CHANGE_GAME = 1 << 11,    /* a new game */
    CHANGE_EVENT = 1 << 12,   /* the next event of a game */
    CHANGE_END = 1 << 13,     /* with that event the game is over */
    CHANGE_RESULT = 1 << 14,  /* which counts for or against the person */
    CHANGE_SWEEP = 1 << 15,   /* what need not be kept is deleted */
    CHANGE_WEIGHTS = 1 << 16, /* the artefacts are kept for the games played with them */
    CHANGE_FORGET = 1 << 17,  /* the person and what is theirs alone are deleted */
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
    struct hosted_setup setup; /* of CHANGE_GAME */
    char label[LABEL_TEXT];    /* why somebody is banned; a service's name */
    bool banned;
    int64_t service; /* of CHANGE_USER */
    char user[USER_TEXT];
    struct {
        int64_t games, guests; /* ended, or begun, before */
    } sweep;
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
    void *replay;              /* the same */
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
