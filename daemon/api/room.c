/* A table of rooms by id. */
#include "daemon/api/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_people.h"

void rooms_init(struct rooms *rooms, struct store *store, int max)
{
    memset(rooms, 0, sizeof *rooms);
    rooms->store = store;
    rooms->max = max;
    rooms->wanting_last = &rooms->wanting;
}

void rooms_fini(struct rooms *rooms)
{
    for (int i = 0; i < ROOM_BUCKETS; i++) {
        while (rooms->bucket[i] != NULL) {
            struct room *room = rooms->bucket[i];
            rooms->bucket[i] = room->next;
            room_destroy(room);
        }
    }
    for (int i = 0; i < ROOMS_PAST; i++) {
        artefacts_release(rooms->past[i]);
    }
    store_close(rooms->store);
    rooms->store = NULL;
}

static struct room *room_new(const char *id, struct artefacts *artefacts)
{
    struct room *room = calloc(1, sizeof *room);

    if (room != NULL) {
        snprintf(room->id, sizeof room->id, "%s", id);
        room->artefacts = artefacts_hold(artefacts);
    }
    return room;
}

static void hear_all(struct room *room)
{
    room->heard[WHITE] = room->heard[BLACK] = room->hosted.changed;
}

void room_hear(struct room *room, int64_t person, int64_t now)
{
    unsigned sides = hosted_sides(&room->hosted, person);

    for (int side = 0; side < 2; side++) {
        if (sides >> side & 1) {
            room->heard[side] = now;
        }
    }
}

struct room *room_create(const char *id, const struct hosted_setup *setup,
                         struct artefacts *artefacts)
{
    struct room *room = room_new(id, artefacts);

    if (room != NULL && !hosted_init(&room->hosted, setup)) {
        room_destroy(room);
        return NULL;
    }
    if (room != NULL) {
        hear_all(room);
    }
    return room;
}

void room_destroy(struct room *room)
{
    if (room != NULL) {
        hosted_fini(&room->hosted);
        artefacts_release(room->artefacts);
        free(room);
    }
}

bool room_is_new(const struct room *room)
{
    return room->change != NULL && (room->change->parts & CHANGE_GAME) != 0;
}

static uint32_t bucket_number(const char *id)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *id != '\0'; id++) {
        hash = (hash ^ (unsigned char)*id) * 16777619u;
    }
    return hash % ROOM_BUCKETS;
}

static struct room **bucket_of(struct rooms *rooms, const char *id)
{
    return &rooms->bucket[bucket_number(id)];
}

struct room *rooms_held(const struct rooms *rooms, const char *id)
{
    struct room *room = rooms->bucket[bucket_number(id)];

    while (room != NULL && strcmp(room->id, id) != 0) {
        room = room->next;
    }
    return room;
}

void rooms_name(struct rooms *rooms, struct room *room)
{
    struct person person;
    struct err err;
    bool found;

    for (int side = 0; side < 2; side++) {
        if (store_person(rooms->store, room->hosted.person[side], &person, &found, &err)) {
            memcpy(room->name[side], person.name, sizeof room->name[side]);
        }
    }
}

void rooms_person_changed(struct rooms *rooms, int64_t person)
{
    for (int i = 0; i < ROOM_BUCKETS; i++) {
        for (struct room *room = rooms->bucket[i]; room != NULL; room = room->next) {
            if (hosted_sides(&room->hosted, person) != 0) {
                rooms_name(rooms, room);
            }
        }
    }
}

static bool is_idle(const struct room *room)
{
    return room->change == NULL && room->job == NULL && room->waiters == NULL &&
           room->lives == NULL && !room->wanting;
}

/* Lets go of rooms in which nothing goes on; the store has them. */
static void evict(struct rooms *rooms)
{
    for (int i = 0; i < ROOM_BUCKETS; i++) {
        struct room **at = &rooms->bucket[i];
        while (*at != NULL) {
            struct room *room = *at;
            if (is_idle(room)) {
                *at = room->next;
                room_destroy(room);
                rooms->count--;
            } else {
                at = &room->next;
            }
        }
    }
}

void rooms_add(struct rooms *rooms, struct room *room)
{
    struct room **bucket = bucket_of(rooms, room->id);

    if (rooms->count >= rooms->max) {
        evict(rooms);
    }
    room->next = *bucket;
    *bucket = room;
    rooms->count++;
}

void rooms_remove(struct rooms *rooms, const struct room *room)
{
    struct room **at = bucket_of(rooms, room->id);

    while (*at != room) {
        at = &(*at)->next;
    }
    *at = room->next;
    rooms->count--;
}

/* Puts a set first among those of the past. */
static void remember(struct rooms *rooms, struct artefacts *set, int place)
{
    for (int i = place; i > 0; i--) {
        rooms->past[i] = rooms->past[i - 1];
    }
    rooms->past[0] = set;
}

/* What a stored game is played with: a reference that is the caller's. NULL: the store fails. */
static struct artefacts *artefacts_for(struct rooms *rooms, const struct hosted_setup *setup,
                                       struct artefacts *served, struct err *err)
{
    const struct variant *variant = setup->variant;
    struct artefacts *set;

    if (setup->weights_id[0] == '\0' ||
        strcmp(artefacts_of(served, variant)->weights_id, setup->weights_id) == 0) {
        return artefacts_hold(served);
    }
    for (int i = 0; i < ROOMS_PAST && rooms->past[i] != NULL; i++) {
        set = rooms->past[i];
        if (strcmp(artefacts_of(set, variant)->weights_id, setup->weights_id) == 0) {
            remember(rooms, set, i);
            return artefacts_hold(set);
        }
    }
    if (!store_weights(rooms->store, setup->weights_id, variant, &set, err)) {
        return NULL;
    }
    if (set == NULL) {
        return artefacts_hold(served);
    }
    artefacts_release(rooms->past[ROOMS_PAST - 1]);
    remember(rooms, set, ROOMS_PAST - 1);
    return artefacts_hold(set);
}

bool rooms_find(struct rooms *rooms, const char *id, struct artefacts *artefacts, struct room **out,
                struct err *err)
{
    struct hosted hosted;
    bool found;

    *out = rooms_held(rooms, id);
    if (*out != NULL || strlen(id) >= GAME_ID) {
        return true;
    }
    if (!store_game(rooms->store, id, &hosted, &found, err)) {
        return false;
    }
    if (!found) {
        return true;
    }
    struct artefacts *own = artefacts_for(rooms, &hosted.setup, artefacts, err);
    if (own == NULL) {
        hosted_fini(&hosted);
        return err_prefix(err, "game %s", id);
    }
    struct room *room = room_new(id, own);
    artefacts_release(own);
    if (room == NULL) {
        hosted_fini(&hosted);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    room->hosted = hosted;
    hear_all(room);
    rooms_name(rooms, room);
    rooms_add(rooms, room);
    *out = room;
    return true;
}
