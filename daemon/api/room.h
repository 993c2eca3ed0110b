/* The hosted games in memory. A room is a game with what is going on around it: the change that is
 * being stored, the search that runs for it, the requests that wait. It is in the table as soon as
 * its game is on the way to the store: read from there meanwhile, it would be there twice.
 *
 * A game changes only when its event has been stored, and one change at a time. All of it on the
 * event loop's thread. */
#pragma once

#include "daemon/store/change.h"
#include "daemon/store/store.h"
#include "daemon/think/artefacts.h"
#include "daemon/think/pool.h"

struct connection;
struct live;

struct room {
    char id[GAME_ID];
    struct hosted hosted;
    struct artefacts *artefacts; /* a reference: what the computer plays with, as it has from the
                                    beginning unless the store has lost that */
    char rematch_of[GAME_ID]; /* the game that it follows, of which one is to be told; "": none */
    char name[2][NAME_BYTES]; /* by colour: a player's; "": a guest, nobody, the computer */
    int64_t heard[2];         /* by colour: when its player was last heard of */
    struct change *change;    /* being stored; NULL: none */
    struct connection *asker; /* waits for the change; NULL: nobody */
    bool again;               /* the asker's request is to be decided again behind it */
    struct job *job;          /* the search that runs for it; NULL: none */
    bool hint_wanted;
    struct connection *waiters; /* for the next change */
    struct live *lives;         /* WebSockets that show it */
    struct live *live_asker;    /* the one whose message the change is; NULL: none's */
    unsigned present;           /* colours whose players were last told to be there, as bits */
    struct room *next;          /* in the table */
    struct room *next_wanting;  /* in the list of those whose search found no place */
    bool wanting;
};

enum { ROOM_BUCKETS = 4096, ROOMS_PAST = 8 };

struct rooms {
    struct store *store; /* read from; owned */
    int count, max;      /* in memory */
    struct room *bucket[ROOM_BUCKETS];
    struct room *wanting, **wanting_last;
    struct artefacts *past[ROOMS_PAST]; /* sets of one, no longer served, the last used first */
};

/* Takes the store over. */
void rooms_init(struct rooms *rooms, struct store *store, int max);
void rooms_fini(struct rooms *rooms);

/* A room for a fresh game, not yet in the table. NULL when memory is out. */
struct room *room_create(const char *id, const struct hosted_setup *setup,
                         struct artefacts *artefacts);
/* Takes NULL. */
void room_destroy(struct room *room);

/* Whether its game is not stored yet: who asks for it waits for that change. */
bool room_is_new(const struct room *room);

/* Notes that a person was heard of now. */
void room_hear(struct room *room, int64_t person, int64_t now);

/* Reads the players' names again; those that cannot be read stay. */
void rooms_name(struct rooms *rooms, struct room *room);

/* The same for every room in which a person plays. */
void rooms_person_changed(struct rooms *rooms, int64_t person);

/* Puts a room into the table; rooms in which nothing goes on may leave it. */
void rooms_add(struct rooms *rooms, struct room *room);

/* Takes a room that is there out of the table. */
void rooms_remove(struct rooms *rooms, const struct room *room);

/* The room of a game that is in memory, or NULL. */
struct room *rooms_held(const struct rooms *rooms, const char *id);

/* The room of a game, read from the store when it is not in memory; with the weights it was begun
 * with, or if these are neither `artefacts` nor kept, with `artefacts`. False when the store fails;
 * *out is NULL when there is no such game. */
bool rooms_find(struct rooms *rooms, const char *id, struct artefacts *artefacts, struct room **out,
                struct err *err);
