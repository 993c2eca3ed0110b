/* Files that are whole or absent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"

enum { FILE_PATH = 1024 };

/* Joins directory and name into out[FILE_PATH]. ERR_USAGE when the result does not fit. */
bool file_join(char out[FILE_PATH], const char *directory, const char *name, struct err *err);

/* Reads a whole file into a fresh buffer with a NUL behind it; *size is without the NUL (size may
 * be NULL). The caller frees it. Files over `limit` bytes are refused. NULL on failure; a missing
 * file is ERR_USAGE, an unreadable one ERR_FAILED. */
char *file_read(const char *path, size_t limit, size_t *size, struct err *err);

/* The name under which `path` is prepared before file_commit: "path.tmp.<pid>". */
bool file_temporary(char out[FILE_PATH], const char *path, struct err *err);

/* Makes a finished temporary file durable and gives it its name: fsync, rename, fsync of the
 * directory. On failure the temporary file is removed and `path` is as before, unless only the last
 * step failed: then the new content is there but might not outlive a power cut. A `path` that is a
 * device or a pipe (/dev/null) is refused with ERR_USAGE. */
bool file_commit(const char *temporary, const char *path, struct err *err);

/* Makes the name of a file durable, by fsync of its directory. */
bool file_sync_name(const char *path, struct err *err);

/* Replaces `path` by `size` bytes, atomically: either the old or the new content is there. */
bool file_replace(const char *path, const void *data, size_t size, struct err *err);

/* Makes a directory and its parents; one that exists is fine. */
bool file_make_directories(const char *path, struct err *err);

bool file_exists(const char *path);
