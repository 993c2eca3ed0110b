/* The threads that hash passwords: a bounded queue in, finished work out. Argon2id takes tens of
 * milliseconds and 19 MiB, so that the event loop must not do it, and few may at once. */
#pragma once

#include "daemon/people/name.h"
#include "engine/base/err.h"

enum { PASSWORD_HASH = 128 }; /* characters of an argon2id text, with its parameters and NUL */

/* One password to be verified, one to be hashed, or both. The fields belong to the event loop
 * before hasher_submit and after hasher_take, to the hasher in between. */
struct hash_work {
    char password[PASSWORD_BYTES];
    char against[PASSWORD_HASH]; /* the hash that `password` must fit; "": none, it fits */
    bool decoy;                  /* no such player: takes as long, and does not fit */
    char fresh[PASSWORD_BYTES];  /* hashed when `password` fits; "": none */
    /* By the hasher. */
    bool matches;
    bool failed; /* no memory for a hash */
    char made[PASSWORD_HASH];
    void *owner; /* always the submitter's */
    struct hash_work *next;
};

/* NULL when memory is out. */
struct hash_work *hash_work_create(void);
/* Wipes and frees. Takes NULL. */
void hash_work_destroy(struct hash_work *work);

/* Does the work, on whatever thread. */
void hash_work_do(struct hash_work *work);

struct hasher;

/* Starts `threads` threads; at most `queue` pieces of work wait. NULL when the system refuses. */
struct hasher *hasher_create(int threads, int queue, struct err *err);

/* Ends the threads behind what they are at; the rest is freed undone. Takes NULL. */
void hasher_destroy(struct hasher *hasher);

/* Readable when work is done; hasher_take makes it quiet again. */
int hasher_fd(const struct hasher *hasher);

/* False when the queue is full: the work stays the caller's. */
bool hasher_submit(struct hasher *hasher, struct hash_work *work);

/* The work done since the last call, linked by `next`; NULL: none. It is the caller's. */
struct hash_work *hasher_take(struct hasher *hasher);
