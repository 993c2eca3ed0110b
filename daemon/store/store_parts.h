/* What the files of store.h share. */
#pragma once

#include "daemon/store/database.h"
#include "daemon/store/store.h"

struct store {
    struct database *database;
};

/* One part of a change. */
typedef enum database_status store_part(struct store *store, const struct change *change);
store_part store_add_person, store_add_user, store_add_account, store_rename, store_ban;
store_part store_set_password, store_set_recovery, store_end_sessions, store_add_session;
store_part store_add_service, store_revoke_service;
store_part store_add_game, store_add_event, store_end_game, store_count_result;
store_part store_sweep, store_keep_weights, store_forget;
