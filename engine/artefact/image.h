/* HDF5 files in memory: built there and taken apart there, so that reading and replacing the file
 * itself is left to engine/base/file.h.
 *
 * The format of HDF5 1.8 is written, whose object headers carry a checksum, with small datasets
 * within the headers: a damaged byte is found rather than read. Large ones (over 32 kB) lie in
 * compressed chunks with checksums of their own, but nothing guards the list of chunks: their
 * contents need a checksum by whoever reads them. No times are recorded: the same content makes the
 * same bytes. image.c is the engine's only file that knows HDF5; the calls are serial and not
 * thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

enum image_kind { IMAGE_INT, IMAGE_INT16, IMAGE_INT64, IMAGE_UINT64, IMAGE_REAL, IMAGE_TEXT };

enum {
    IMAGE_TEXT_MAX = 128,
    IMAGE_PATH = 64, /* bytes of an object's path within the file */
};

/* A member of a struct and its name in the file. */
struct image_field {
    const char *name;
    enum image_kind kind;
    size_t offset, size; /* of the member, in bytes; a text has at most IMAGE_TEXT_MAX */
};

struct image; /* an open file */

/* Takes a file's bytes, which are copied. NULL when they are damaged or memory is out. */
struct image *image_open(void *bytes, size_t size);

/* A new, empty file. NULL when memory is out. */
struct image *image_create(void);

/* Closes it; NULL is fine. */
void image_close(struct image *image);

/* The bytes of a created file, to be freed. NULL when memory is out. */
void *image_bytes(struct image *image, size_t *size);

/* "/weights/man" of a group and a name in it, which fit. */
void image_path(char out[IMAGE_PATH], const char *group, const char *name);

bool image_has(const struct image *image, const char *path);
bool image_add_group(struct image *image, const char *path);

/* One value at object `path`. Reading fails with ERR_USAGE when it is missing, damaged, of another
 * type or too long, a real number that is not finite, a text that is not printable ASCII. */
bool image_read_attribute(const struct image *image, const char *path,
                          const struct image_field *field, void *member, struct err *err);
bool image_write_attribute(struct image *image, const char *path, const struct image_field *field,
                           const void *member);

/* Length of the 1-D dataset at `path`, or -1. */
int64_t image_rows(const struct image *image, const char *path);

/* Values of the field's kind and size, dims[0..rank) of them (rank 1 or 2), one behind the other.
 * Reading fails when the dataset is missing, damaged, of another type or other dimensions. */
bool image_read(const struct image *image, const char *path, const struct image_field *field,
                int rank, const int *dims, void *values);
bool image_write(struct image *image, const char *path, const struct image_field *field, int rank,
                 const int *dims, const void *values);

/* Copies a member for storing; what stands behind the end of a text does not go along. */
void image_copy_member(const struct image_field *field, void *to, const void *from);
