/* SQLite with the project's manners: statements prepared once and called by their number, results
 * as few words, errors that name the file. The daemon's only code that knows SQLite.
 *
 * Write-ahead log with synchronous FULL: what a commit has reported outlives a kill and a loss of
 * power. A database is one connection, used by one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct database;

/* How a statement went. */
enum database_status {
    DATABASE_DONE,
    DATABASE_ROW,
    DATABASE_CONFLICT, /* a constraint forbids it */
    DATABASE_FULL,     /* the disk, or what database_limit allows, is full */
    DATABASE_FAILED,
};

/* Opens a file; it is made when it is missing. NULL with ERR_FAILED when the system refuses. */
struct database *database_open(const char *path, struct err *err);

/* Takes NULL. Rolls back what is not committed. */
void database_close(struct database *database);

/* The number of the schema, PRAGMA user_version. ERR_USAGE when the file is no SQLite database. */
bool database_version(struct database *database, int *version, struct err *err);

/* Runs statements that have no parameters and whose rows do not matter. */
bool database_script(struct database *database, const char *sql, struct err *err);
enum database_status database_command(struct database *database, const char *sql);

/* At most so many megabytes are filled from now on; 0: no limit. */
bool database_limit(struct database *database, int64_t megabytes, struct err *err);

/* Copies what has been committed into a fresh file, also while others write; it is durable when the
 * call returns. */
bool database_backup(struct database *database, const char *path, struct err *err);

/* Prepares the statements sql[count], once. */
bool database_prepare(struct database *database, const char *const *sql, int count,
                      struct err *err);

/* Whether a transaction is open. */
bool database_in_transaction(const struct database *database);

/* How many rows the last INSERT, UPDATE or DELETE touched. */
int64_t database_touched(const struct database *database);

/* ERR_FAILED with the file's name and what SQLite says of its last failure. Returns false. */
bool database_fail(const struct database *database, struct err *err);

/* One call of a prepared statement: values are bound in their order, then it is run or stepped
 * through. A failure to bind shows in the first step. */
struct query {
    struct database *database;
    void *statement;
    int column, status;
};

struct query query_begin(struct database *database, int statement);

void query_integer(struct query *query, int64_t value);
void query_text(struct query *query, const char *value);
void query_blob(struct query *query, const void *value, size_t size);
void query_null(struct query *query);

/* Runs a statement without rows and ends the query: DATABASE_DONE or what went wrong. */
enum database_status query_run(struct query *query);

/* Goes to the next row: DATABASE_ROW, DATABASE_DONE behind the last one, or what went wrong. */
enum database_status query_step(struct query *query);

/* Ends a query that was stepped through. */
void query_end(struct query *query);

/* The present row's values, columns from 0. Text and blob stay until the next step; a NULL reads
 * as 0 and "". */
int64_t query_get_integer(const struct query *query, int column);
const char *query_get_text(const struct query *query, int column);
const void *query_get_blob(const struct query *query, int column, size_t *size);
bool query_is_null(const struct query *query, int column);
