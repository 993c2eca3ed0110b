/* What is to be stored, as a value: the parts named in `parts`, all of them or none. */
#pragma once

#include "daemon/hosted.h"

enum {
    GAME_ID = 21,
    TOKEN_HASH = 32,
    SECRET_TEXT = 44
}; /* characters of an id with its NUL; bytes */

/* Parts, as bits. */
enum change_part {
    CHANGE_PERSON = 1, /* a new person with a session */
    CHANGE_GAME = 2,   /* a new game */
    CHANGE_EVENT = 4,  /* the next event of a game */
    CHANGE_END = 8,    /* with that event the game is over */
};

enum change_status {
    CHANGE_STORED,
    CHANGE_CONFLICT, /* such a game, event or session is there already */
    CHANGE_FULL,     /* the disk, or what store.max_megabytes allows, is full */
    CHANGE_FAILED,
};

struct change {
    unsigned parts;
    int64_t person;
    unsigned char token[TOKEN_HASH]; /* the hash of the session's token */
    char secret[SECRET_TEXT];        /* the token itself, told once and not stored */
    char game[GAME_ID];
    struct hosted_setup setup; /* of CHANGE_GAME */
    int number;                /* of the event, from 1 */
    struct event event;
    enum outcome outcome; /* of CHANGE_END */
    bool clean;           /* it opens the next level */

    enum change_status status; /* by the store */
    char detail[ERR_TEXT];     /* of a failure */
    void *owner;               /* always the submitter's */
    struct change *next;
};
