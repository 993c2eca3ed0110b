/* Opening, bringing up to date, and writing whole changes. */
#include "daemon/store/store.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

/* --- opening --------------------------------------------------------------------------------- */

/* Brings the file up to date, each step whole. */
static bool migrate(struct database *database, struct err *err)
{
    char pragma[64];
    int version;

    if (!database_script(database, "BEGIN IMMEDIATE", err) ||
        !database_version(database, &version, err)) {
        return false;
    }
    for (; version < STORE_VERSION; version++) {
        if (!database_script(database, STORE_MIGRATIONS[version], err)) {
            return err_prefix(err, "version %d", version + 1);
        }
    }
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d; COMMIT", STORE_VERSION);
    return database_script(database, pragma, err);
}

static bool prepare(struct database *database, const char *path, int64_t max_megabytes,
                    struct err *err)
{
    int version;

    if (!database_version(database, &version, err)) {
        return false;
    }
    if (version > STORE_VERSION) {
        return err_set(err, ERR_USAGE,
                       "%s has version %d, this draughtsd knows %d: use a newer one", path, version,
                       STORE_VERSION);
    }
    return database_script(database,
                           "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                           "PRAGMA foreign_keys = ON",
                           err) &&
           (version == STORE_VERSION || migrate(database, err)) &&
           database_limit(database, max_megabytes, err) &&
           database_prepare(database, STORE_SQL, STATEMENTS, err);
}

struct store *store_open(const char *path, int64_t max_megabytes, struct err *err)
{
    struct store *store = calloc(1, sizeof *store);

    if (store == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    store->database = database_open(path, err);
    if (store->database == NULL || !prepare(store->database, path, max_megabytes, err)) {
        store_close(store);
        return NULL;
    }
    return store;
}

void store_close(struct store *store)
{
    if (store != NULL) {
        database_close(store->database);
        free(store);
    }
}

/* --- writing --------------------------------------------------------------------------------- */

static void mark(struct store *store, struct change *change, enum database_status status)
{
    static const enum change_status STATUS[] = {
        [DATABASE_DONE] = CHANGE_STORED,       [DATABASE_ROW] = CHANGE_FAILED,
        [DATABASE_CONFLICT] = CHANGE_CONFLICT, [DATABASE_FULL] = CHANGE_FULL,
        [DATABASE_FAILED] = CHANGE_FAILED,
    };
    struct err err;

    database_fail(store->database, &err);
    change->status = STATUS[status];
    snprintf(change->detail, sizeof change->detail, "%s", err.text);
}

/* One change, marked; a conflict leaves nothing of it behind. */
static enum database_status write_one(struct store *store, struct change *change)
{
    static const struct {
        enum change_part part;
        store_part *add;
    } PARTS[] = {
        {CHANGE_PERSON, store_add_person},
        {CHANGE_USER, store_add_user},
        {CHANGE_ACCOUNT, store_add_account},
        {CHANGE_RENAME, store_rename},
        {CHANGE_BAN, store_ban},
        {CHANGE_PASSWORD, store_set_password},
        {CHANGE_RECOVERY, store_set_recovery},
        {CHANGE_LOGOUT, store_end_sessions},
        {CHANGE_SESSION, store_add_session},
        {CHANGE_SERVICE, store_add_service},
        {CHANGE_REVOKE, store_revoke_service},
        {CHANGE_GAME, store_add_game},
        {CHANGE_EVENT, store_add_event},
        {CHANGE_END, store_end_game},
        {CHANGE_RESULT, store_count_result},
        {CHANGE_SWEEP, store_sweep},
        {CHANGE_WEIGHTS, store_keep_weights},
        {CHANGE_FORGET, store_forget},
    };
    enum database_status status = database_command(store->database, "SAVEPOINT one");

    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0] && status == DATABASE_DONE; i++) {
        if (change->parts & PARTS[i].part) {
            status = PARTS[i].add(store, change);
        }
    }
    if (status == DATABASE_DONE) {
        status = database_command(store->database, "RELEASE one");
    }
    mark(store, change, status);
    if (status == DATABASE_CONFLICT) {
        enum database_status back =
            database_command(store->database, "ROLLBACK TO one; RELEASE one");
        return back == DATABASE_DONE ? DATABASE_CONFLICT : back;
    }
    return status;
}

void store_write(struct store *store, struct change *first)
{
    enum database_status status = database_command(store->database, "BEGIN IMMEDIATE");

    for (struct change *at = first; at != NULL && status == DATABASE_DONE; at = at->next) {
        enum database_status one = write_one(store, at);
        status = one == DATABASE_CONFLICT ? DATABASE_DONE : one;
    }
    if (status == DATABASE_DONE) {
        status = database_command(store->database, "COMMIT");
    }
    if (status == DATABASE_DONE) {
        return;
    }
    for (struct change *at = first; at != NULL; at = at->next) {
        mark(store, at, status);
    }
    if (database_in_transaction(store->database)) {
        database_command(store->database, "ROLLBACK");
    }
}
