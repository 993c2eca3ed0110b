/* What the store knows of people. */
#pragma once

#include "daemon/store/store.h"

/* Somebody who plays: a guest has no name. */
struct person {
    int64_t id;
    int64_t created; /* seconds since 1970 */
    char name[NAME_BYTES], key[NAME_KEY];
    char password[PASSWORD_HASH];       /* its hash; "": none, only the recovery code opens */
    unsigned char recovery[TOKEN_HASH]; /* the hash of the recovery code */
    bool banned;
    char banned_for[LABEL_TEXT];
};

/* *found tells whether there is such a person; else *out is empty. */
bool store_person(struct store *store, int64_t id, struct person *out, bool *found,
                  struct err *err);
bool store_person_named(struct store *store, const char *key, struct person *out, bool *found,
                        struct err *err);

/* A game that somebody plays or has played. */
struct played {
    char id[GAME_ID];
    const struct variant *variant;
    char opponent[16];
    int level; /* 0: no computer */
    enum colour colour;
    bool over, clean;
    enum outcome outcome; /* OUTCOME_OPEN of one that is over: it has expired */
    int64_t created, ended;
};

/* Calls `take` for each, the oldest first, until it returns false. */
bool store_played(struct store *store, int64_t person,
                  bool (*take)(void *context, const struct played *), void *context,
                  struct err *err);

/* Whether somebody else's name looks like this one. */
bool store_look_taken(struct store *store, const struct name *name, bool *taken, struct err *err);
