/* The store's tables and statements, as SQL. */
#pragma once

#include "daemon/store/store.h"

/* [n] leads from version n to n + 1; what has been released is never changed. */
extern const char *const STORE_MIGRATIONS[STORE_VERSION];

enum statement {
    ADD_PERSON,
    ADD_USER,
    ADD_ACCOUNT,
    RENAME,
    BAN,
    UNBAN,
    UNLIST_PERSON,
    ADD_SERVICE,
    REVOKE_SERVICE,
    ADD_LOOK,
    LIST_PERSON,
    SET_PASSWORD,
    SET_RECOVERY,
    ADD_SESSION,
    END_SESSION,
    END_SESSIONS,
    SWEEP_SESSIONS,
    SWEEP_WEIGHTS,
    SWEEP_EVENTS,
    SWEEP_GAMES_ENDED,
    SWEEP_PROGRESS,
    SWEEP_STANDINGS,
    SWEEP_GUESTS,
    FORGET_EVENTS,
    FORGET_GAMES,
    FORGET_LOOKS,
    FORGET_PROGRESS,
    FORGET_STANDINGS,
    FORGET_PERSON,
    ADD_WEIGHTS,
    ADD_GAME,
    ADD_EVENT,
    END_GAME,
    COUNT_PROGRESS,
    COUNT_STANDING,
    COUNT_OVERALL,
    FIND_SESSION,
    FIND_PERSON,
    FIND_SERVICE,
    FIND_SERVICES,
    FIND_IDLE,
    FIND_NAMED,
    FIND_LOOK,
    FIND_WEIGHTS,
    FIND_GAME,
    FIND_PLAYED,
    FIND_EVENTS,
    FIND_PROGRESS,
    FIND_LEADERS,
    FIND_STANDING,
    FIND_RESULTS,
    STATEMENTS,
};

/* By enum statement. */
extern const char *const STORE_SQL[STATEMENTS];
