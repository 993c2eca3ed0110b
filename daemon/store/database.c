/* sqlite3 behind a few words. */
#include "daemon/store/database.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/file.h"

enum { BUSY_MILLISECONDS = 10000, MEGABYTE = 1 << 20, PAGE = 4096 };

struct database {
    sqlite3 *handle;
    char path[FILE_PATH];
    sqlite3_stmt **statement;
    int statements;
};

bool database_fail(const struct database *database, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s: %s", database->path, sqlite3_errmsg(database->handle));
}

static enum database_status status_of(int status)
{
    switch (status & 0xff) {
    case SQLITE_OK:
    case SQLITE_DONE:
        return DATABASE_DONE;
    case SQLITE_ROW:
        return DATABASE_ROW;
    case SQLITE_CONSTRAINT:
        return DATABASE_CONFLICT;
    case SQLITE_FULL:
        return DATABASE_FULL;
    default:
        return DATABASE_FAILED;
    }
}

/* --- the file -------------------------------------------------------------------------------- */

struct database *database_open(const char *path, struct err *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    struct database *database = calloc(1, sizeof *database);

    if (database == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    snprintf(database->path, sizeof database->path, "%s", path);
    if (sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(database->handle, BUSY_MILLISECONDS) != SQLITE_OK) {
        database_fail(database, err);
        database_close(database);
        return NULL;
    }
    return database;
}

void database_close(struct database *database)
{
    if (database != NULL) {
        for (int i = 0; i < database->statements; i++) {
            sqlite3_finalize(database->statement[i]);
        }
        free(database->statement);
        sqlite3_close(database->handle);
        free(database);
    }
}

bool database_version(struct database *database, int *version, struct err *err)
{
    sqlite3_stmt *statement;
    bool read = sqlite3_prepare_v2(database->handle, "PRAGMA user_version", -1, &statement, NULL) ==
                    SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;

    if (read) {
        *version = sqlite3_column_int(statement, 0);
    } else {
        err_set(err, ERR_USAGE, "%s: %s", database->path, sqlite3_errmsg(database->handle));
    }
    sqlite3_finalize(statement);
    return read;
}

bool database_script(struct database *database, const char *sql, struct err *err)
{
    return database_command(database, sql) == DATABASE_DONE || database_fail(database, err);
}

enum database_status database_command(struct database *database, const char *sql)
{
    return status_of(sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
}

bool database_limit(struct database *database, int64_t megabytes, struct err *err)
{
    char pragma[64] = "PRAGMA max_page_count = 4294967294";

    if (megabytes > 0) {
        snprintf(pragma, sizeof pragma, "PRAGMA max_page_count = %lld",
                 (long long)megabytes * MEGABYTE / PAGE);
    }
    return database_script(database, pragma, err);
}

/* All pages at once: a reader of a write-ahead log stops nobody. */
bool database_backup(struct database *database, const char *path, struct err *err)
{
    struct database *copy = database_open(path, err);

    if (copy == NULL) {
        return false;
    }
    sqlite3_backup *backup = sqlite3_backup_init(copy->handle, "main", database->handle, "main");
    bool done = backup != NULL && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
    done = sqlite3_backup_finish(backup) == SQLITE_OK && done;
    if (!done) {
        database_fail(copy, err);
    }
    /* One file, without a log beside it: that is what is copied and kept. */
    done = done && database_script(copy, "PRAGMA journal_mode = DELETE", err);
    database_close(copy);
    return done;
}

bool database_prepare(struct database *database, const char *const *sql, int count, struct err *err)
{
    assert(database->statement == NULL);
    database->statement = calloc((size_t)count, sizeof(sqlite3_stmt *));
    if (database->statement == NULL) {
        return err_set(err, ERR_FAILED, "%s: out of memory", database->path);
    }
    for (; database->statements < count; database->statements++) {
        if (sqlite3_prepare_v3(database->handle, sql[database->statements], -1,
                               SQLITE_PREPARE_PERSISTENT,
                               &database->statement[database->statements], NULL) != SQLITE_OK) {
            return database_fail(database, err);
        }
    }
    return true;
}

bool database_in_transaction(const struct database *database)
{
    return !sqlite3_get_autocommit(database->handle);
}

int64_t database_touched(const struct database *database)
{
    return sqlite3_changes64(database->handle);
}

/* --- queries --------------------------------------------------------------------------------- */

struct query query_begin(struct database *database, int statement)
{
    assert(statement >= 0 && statement < database->statements);
    return (struct query){
        .database = database, .statement = database->statement[statement], .status = SQLITE_OK};
}

static void keep(struct query *query, int status)
{
    query->status = query->status == SQLITE_OK ? status : query->status;
}

void query_integer(struct query *query, int64_t value)
{
    keep(query, sqlite3_bind_int64(query->statement, ++query->column, value));
}

void query_text(struct query *query, const char *value)
{
    keep(query, sqlite3_bind_text(query->statement, ++query->column, value, -1, SQLITE_TRANSIENT));
}

void query_blob(struct query *query, const void *value, size_t size)
{
    keep(query,
         sqlite3_bind_blob64(query->statement, ++query->column, value, size, SQLITE_TRANSIENT));
}

void query_null(struct query *query)
{
    keep(query, sqlite3_bind_null(query->statement, ++query->column));
}

enum database_status query_step(struct query *query)
{
    return status_of(query->status == SQLITE_OK ? sqlite3_step(query->statement) : query->status);
}

enum database_status query_run(struct query *query)
{
    enum database_status status = query_step(query);

    query_end(query);
    return status;
}

void query_end(struct query *query)
{
    sqlite3_reset(query->statement);
}

int64_t query_get_integer(const struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

const char *query_get_text(const struct query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text != NULL ? (const char *)text : "";
}

const void *query_get_blob(const struct query *query, int column, size_t *size)
{
    const void *blob = sqlite3_column_blob(query->statement, column);
    *size = (size_t)sqlite3_column_bytes(query->statement, column);
    return blob;
}

bool query_is_null(const struct query *query, int column)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}
