/* Files of columns: HDF5 with one 1-D dataset a column, all of one length, in chunks of 65 536 rows
 * (shuffle, deflate 1, fletcher32), and attributes of the file; h5py and pandas open them as they
 * are. What the columns mean is the caller's: rows go in and come out as structs that a table of
 * columns describes.
 *
 * A file is made in memory as its rows come and stored when it is complete: a disk that is full
 * leaves HDF5 1.10 a file that it cannot close, and then it crashes at exit. Memory: the
 * compressed bytes and one chunk of a column. Equal rows make equal files. This is
 * selfplay's only file that knows HDF5; the calls are serial and not thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

/* A member of the rows' struct and its dataset. */
struct column {
    const char *name;
    size_t offset, bytes; /* of the member: 1, 2, 4 or 8 bytes */
    bool is_signed;
    const char *unit, *encoding; /* attributes of the dataset */
};

/* The rows' struct and all of its columns; to outlive the files. */
struct column_table {
    const struct column *column;
    size_t count;
    size_t row_bytes;
};

enum { COLUMNS_TEXT = 256, COLUMNS_CHUNK = 65536 };

struct columns; /* an open file */

/* Begins a file that is to be stored as `path`, which is copied. NULL when memory is out. */
struct columns *columns_create(const char *path, const struct column_table *table, struct err *err);

/* Appends rows[0..count), structs of table->row_bytes: COLUMNS_CHUNK of them, the last time fewer.
 */
bool columns_append(struct columns *columns, const void *rows, size_t count, struct err *err);

/* Attributes of the file that are not there yet: number[0..count), members of the struct *from, of
 * which name, offset, bytes (4 or 8) and is_signed count; and a text. */
bool columns_put_numbers(struct columns *columns, const struct column *number, size_t count,
                         const void *from, struct err *err);
bool columns_put_text(struct columns *columns, const char *name, const char *text, struct err *err);

/* Stores a created file under its name: it is durable and whole there, or as it was before. */
bool columns_store(struct columns *columns, struct err *err);

/* Opens a file for reading. NULL with ERR_USAGE when it is missing, no HDF5, without one of the
 * columns, or when they are not all of one length. */
struct columns *columns_open(const char *path, const struct column_table *table, struct err *err);

/* That length. */
int64_t columns_rows(const struct columns *columns);

/* An attribute into its member of the struct *to, or a text. False when it is missing, damaged or
 * no single number or text. */
bool columns_get_number(struct columns *columns, const struct column *number, void *to);
bool columns_get_text(struct columns *columns, const char *name, char out[COLUMNS_TEXT]);

/* Reads rows [first, first + count), which must be there, at most COLUMNS_CHUNK, into
 * rows[0..count). Cheapest when they are of one chunk. ERR_USAGE when they are damaged. */
bool columns_read(struct columns *columns, int64_t first, size_t count, void *rows,
                  struct err *err);

/* "PATH: WHAT: the first thing that HDF5 said against the file"; returns false. */
bool columns_refuse(const struct columns *columns, enum err_code code, const char *what,
                    struct err *err);

/* Closes it; one that was created and not stored is gone. NULL is fine. */
void columns_close(struct columns *columns);
