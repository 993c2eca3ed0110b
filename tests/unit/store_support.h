/* A store in a directory of its own, and the changes that fill it. */
#pragma once

#include "daemon/store/store.h"

struct place {
    char directory[64], path[80];
};

/* A fresh directory with the name of a file in it that is not there yet; and its end. */
void place_make(struct place *place);
void place_remove(const struct place *place);

/* A test whose state is a place. */
int place_setup(void **state);
int place_teardown(void **state);

/* The store of a place, which must open. */
struct store *place_open(const struct place *place);

/* A change that makes person `person` and their international game `id` against level `level`, as
 * White. */
struct change new_game(const char *id, int64_t person, int level);

/* The event with this number of a game, at 1000 + number. */
struct change new_event(const char *id, int number, enum event_kind kind, const char *text);

/* The first event of a game, which ends it so. */
struct change new_end(const char *id, enum result result, bool clean);

/* Stores one change, with this status. */
void store_one(struct store *store, struct change change, enum change_status wanted);
