/* SQLite behind a few functions. Every statement is prepared where it is used: none runs often
 * enough here for a cache to matter. */
#include "selfplay/store/database.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/file.h"

enum { BUSY_MILLISECONDS = 20000 };

struct database {
    sqlite3 *handle;
    char path[FILE_PATH];
};

struct cursor {
    struct database *database;
    sqlite3_stmt *statement;
};

static bool fail(const struct database *database, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s: %s", database->path, sqlite3_errmsg(database->handle));
}

struct database *database_open(const char *path, bool create, struct err *err)
{
    struct database *database = calloc(1, sizeof *database);
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);

    if (!database) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    snprintf(database->path, sizeof database->path, "%s", path);
    if (sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(database->handle, BUSY_MILLISECONDS) != SQLITE_OK) {
        fail(database, err);
        database_close(database);
        return NULL;
    }
    return database;
}

void database_close(struct database *database)
{
    if (database) {
        sqlite3_close(database->handle);
        free(database);
    }
}

const char *database_path(const struct database *database)
{
    return database->path;
}

bool database_script(struct database *database, const char *sql, struct err *err)
{
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(database, err);
}

/* One value by its letter. */
static int bind(sqlite3_stmt *statement, int column, char type, va_list *values)
{
    switch (type) {
    case 't':
        return sqlite3_bind_text(statement, column, va_arg(*values, const char *), -1,
                                 SQLITE_TRANSIENT);
    case 'i':
        return sqlite3_bind_int(statement, column, va_arg(*values, int));
    case 'l':
        return sqlite3_bind_int64(statement, column, va_arg(*values, int64_t));
    case 'b': {
        const void *data = va_arg(*values, const void *);
        return sqlite3_bind_blob64(statement, column, data, va_arg(*values, size_t),
                                   SQLITE_TRANSIENT);
    }
    default:
        assert(type == 'r');
        return sqlite3_bind_double(statement, column, va_arg(*values, double));
    }
}

static sqlite3_stmt *prepare(struct database *database, struct err *err, const char *sql,
                             const char *types, va_list *values)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);

    for (int i = 0; status == SQLITE_OK && types[i]; i++) {
        status = bind(statement, i + 1, types[i], values);
    }
    if (status != SQLITE_OK) {
        fail(database, err);
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

bool database_execute(struct database *database, struct err *err, const char *sql,
                      const char *types, ...)
{
    va_list values;

    va_start(values, types);
    sqlite3_stmt *statement = prepare(database, err, sql, types, &values);
    va_end(values);
    if (!statement) {
        return false;
    }
    bool ok = sqlite3_step(statement) == SQLITE_DONE || fail(database, err);
    sqlite3_finalize(statement);
    return ok;
}

struct cursor *database_query(struct database *database, struct err *err, const char *sql,
                              const char *types, ...)
{
    va_list values;

    va_start(values, types);
    sqlite3_stmt *statement = prepare(database, err, sql, types, &values);
    va_end(values);
    if (!statement) {
        return NULL;
    }
    struct cursor *cursor = malloc(sizeof *cursor);
    if (!cursor) {
        err_set(err, ERR_FAILED, "%s: out of memory", database->path);
        sqlite3_finalize(statement);
        return NULL;
    }
    *cursor = (struct cursor){database, statement};
    return cursor;
}

bool cursor_next(struct cursor *cursor, bool *more, struct err *err)
{
    int status = sqlite3_step(cursor->statement);

    *more = status == SQLITE_ROW;
    return *more || status == SQLITE_DONE || fail(cursor->database, err);
}

int64_t cursor_integer(const struct cursor *cursor, int column)
{
    return sqlite3_column_int64(cursor->statement, column);
}

double cursor_real(const struct cursor *cursor, int column)
{
    return sqlite3_column_double(cursor->statement, column);
}

void cursor_text(const struct cursor *cursor, int column, char *out, size_t size)
{
    const unsigned char *text = sqlite3_column_text(cursor->statement, column);

    snprintf(out, size, "%s", text ? (const char *)text : "");
}

const void *cursor_blob(const struct cursor *cursor, int column, size_t *size)
{
    const void *data = sqlite3_column_blob(cursor->statement, column);

    *size = data ? (size_t)sqlite3_column_bytes(cursor->statement, column) : 0;
    return data;
}

void cursor_close(struct cursor *cursor)
{
    if (cursor) {
        sqlite3_finalize(cursor->statement);
        free(cursor);
    }
}

bool cursor_collect(struct cursor *cursor, size_t size, cursor_take *take, void **array,
                    size_t *count, struct err *err)
{
    size_t capacity = 0;
    bool more = false, ok = cursor != NULL;

    *array = NULL;
    *count = 0;
    while (ok && (ok = cursor_next(cursor, &more, err)) && more) {
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            void *larger = realloc(*array, capacity * size);
            ok = larger || err_set(err, ERR_FAILED, "%s: out of memory", cursor->database->path);
            *array = larger ? larger : *array;
        }
        if (ok) {
            take(cursor, (char *)*array + (*count)++ * size);
        }
    }
    cursor_close(cursor);
    if (!ok) {
        free(*array);
        *array = NULL;
        *count = 0;
    }
    return ok;
}

bool cursor_only_row(struct cursor *cursor, cursor_take *take, void *value, bool *found,
                     struct err *err)
{
    *found = false;
    bool ok = cursor && cursor_next(cursor, found, err);
    if (ok && *found) {
        take(cursor, value);
    }
    cursor_close(cursor);
    return ok;
}

bool database_pragma(struct database *database, const char *name, int *value, struct err *err)
{
    char sql[64];
    bool more = false;

    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    struct cursor *cursor = database_query(database, err, sql, "");
    bool ok = cursor && cursor_next(cursor, &more, err);
    if (more) {
        *value = (int)cursor_integer(cursor, 0);
    }
    cursor_close(cursor);
    if (!ok && sqlite3_errcode(database->handle) == SQLITE_NOTADB) {
        return err_set(err, ERR_USAGE, "%s: not a database", database->path);
    }
    return ok && (more || err_set(err, ERR_FAILED, "%s: no pragma %s", database->path, name));
}
