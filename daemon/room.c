/* A table of rooms by id. */
#include "daemon/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct room **bucket_of(struct rooms *rooms, const char *id)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *id != '\0'; id++) {
        hash = (hash ^ (unsigned char)*id) * 16777619u;
    }
    return &rooms->bucket[hash % ROOM_BUCKETS];
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

bool rooms_find(struct rooms *rooms, const char *id, struct artefacts *artefacts, struct room **out,
                struct err *err)
{
    struct hosted hosted;
    bool found;

    for (struct room *room = *bucket_of(rooms, id); room != NULL; room = room->next) {
        if (strcmp(room->id, id) == 0) {
            *out = room;
            return true;
        }
    }
    *out = NULL;
    if (strlen(id) >= GAME_ID) {
        return true;
    }
    if (!store_game(rooms->store, id, &hosted, &found, err)) {
        return false;
    }
    if (!found) {
        return true;
    }
    struct room *room = room_new(id, artefacts);
    if (room == NULL) {
        hosted_fini(&hosted);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    room->hosted = hosted;
    hear_all(room);
    rooms_add(rooms, room);
    *out = room;
    return true;
}
