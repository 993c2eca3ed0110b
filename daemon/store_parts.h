/* What the files of store.h share. */
#pragma once

#include "daemon/database.h"
#include "daemon/store.h"

struct store {
    struct database *database;
};

/* One part of a change. */
enum database_status store_add_person(struct store *store, const struct change *change);
enum database_status store_add_game(struct store *store, const struct change *change);
enum database_status store_add_event(struct store *store, const struct change *change);
enum database_status store_end_game(struct store *store, const struct change *change);
