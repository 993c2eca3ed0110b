/* SQLite with the project's manners: values bound by a line of type letters, errors that name the
 * file and give SQLite's text. selfplay's only file that knows SQLite.
 *
 * The rollback journal stays SQLite's default, so that the file can lie on a network disk; a kill
 * at any moment leaves the last commit. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct database;

/* Opens a file; with `create` it is made when it is missing. NULL on failure. */
struct database *database_open(const char *path, bool create, struct err *err);

/* Rolls back what is not committed. Takes NULL. */
void database_close(struct database *database);

/* The path it was opened with. */
const char *database_path(const struct database *database);

/* Runs statements that have no parameters and whose rows, if any, do not matter. */
bool database_script(struct database *database, const char *sql, struct err *err);

/* The number that a pragma returns. ERR_USAGE when the file is not an SQLite database at all. */
bool database_pragma(struct database *database, const char *name, int *value, struct err *err);

/* Runs one statement without rows. `types` has a letter for each `?` and each value behind it:
 * t const char *, i int, l int64_t, r double, b const void * and
 * size_t (copied). */
bool database_execute(struct database *database, struct err *err, const char *sql,
                      const char *types, ...);

/* Runs one statement that returns rows; values as above. NULL on failure. Stands before the first
 * row. */
struct cursor;
struct cursor *database_query(struct database *database, struct err *err, const char *sql,
                              const char *types, ...);

/* Goes to the next row; *more is false behind the last one. */
bool cursor_next(struct cursor *cursor, bool *more, struct err *err);

/* The present row's values, columns from 0. A text is cut to size - 1 bytes; NULL reads as "". */
int64_t cursor_integer(const struct cursor *cursor, int column);
double cursor_real(const struct cursor *cursor, int column);
void cursor_text(const struct cursor *cursor, int column, char *out, size_t size);

/* A blob stays until the next row or the end of the cursor; NULL when it is empty. */
const void *cursor_blob(const struct cursor *cursor, int column, size_t *size);

/* Lets `take` fill one element of `size` bytes a row of a fresh array, and closes the cursor. The
 * caller frees *array (NULL when there are no rows). cursor may be NULL: false, *err untouched. */
typedef void cursor_take(const struct cursor *cursor, void *element);
bool cursor_collect(struct cursor *cursor, size_t size, cursor_take *take, void **array,
                    size_t *count, struct err *err);

/* The same for a query of at most one row: fills *value when there is one (*found). */
bool cursor_only_row(struct cursor *cursor, cursor_take *take, void *value, bool *found,
                     struct err *err);

/* Takes NULL. */
void cursor_close(struct cursor *cursor);
