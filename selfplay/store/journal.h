/* The journal: finished games appended to a file, so that a kill at any instant loses only what was
 * in flight.
 *
 * A file is a row of entries, each framed by its length and a checksum of its bytes and its place
 * (docs/formats.md). The first entry is text that says what the file belongs to. A file is written
 * by one process at a time; one that lives on after its job has been restarted is noticed by the
 * size of the file (journal_sync). A torn tail and a broken entry are recognised by their checksums
 * and left out; what follows is looked through for the next whole entry, which is known by its
 * checksum of 64 bits and its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/base/file.h"

enum { JOURNAL_ENTRY_MAX = 1 << 20, JOURNAL_ABOUT_MAX = 1024 };

/* A journal open for appending. */
struct journal {
    int fd;
    int64_t size;        /* bytes of whole entries */
    double sync_seconds; /* fsync at most this often, when appending; INFINITY: never */
    double synced;       /* clock_seconds of the last fsync */
    char path[FILE_PATH];
};

/* Makes a new file, `about` its first entry. ERR_FAILED when there is one of that name. */
bool journal_open(struct journal *journal, const char *path, const char *about, double sync_seconds,
                  struct err *err);

/* Goes on with a file whose whole entries end at byte `size`, as journal_map says; what is torn
 * behind them is cut off. */
bool journal_resume(struct journal *journal, const char *path, int64_t size, double sync_seconds,
                    struct err *err);

/* Appends one entry, 1..JOURNAL_ENTRY_MAX bytes, with one write. After a failure (a full disk) the
 * file is cut back to its last whole entry. */
bool journal_append(struct journal *journal, const void *data, size_t size, struct err *err);

/* Makes what was appended durable. ERR_FAILED also when another process has written to the file. */
bool journal_sync(struct journal *journal, struct err *err);

/* Gives the file the name `path`, durable and atomically in place of what has that name. */
bool journal_rename(struct journal *journal, const char *path, struct err *err);

/* Makes what was appended durable and closes the file; always closes. */
bool journal_close(struct journal *journal, struct err *err);

/* A journal's whole entries, mapped read-only. The mapping stays valid when the file is removed. */
struct journal_map {
    uint8_t *data; /* NULL when empty */
    size_t mapped; /* bytes mapped */
    size_t size;   /* bytes up to the end of the last whole entry */
    size_t next;   /* from here journal_next looks for an entry */
    bool torn;     /* there are bytes of no whole entry */
};

/* Maps a file and checks every entry. A file whose first entry is torn is empty. ERR_USAGE when the
 * file belongs to something else than `about`: the differences are listed. With `about` NULL any
 * file of games will do. */
bool journal_map(struct journal_map *map, const char *path, const char *about, struct err *err);

/* Maps entries that are known to stand at bytes [begin, end) of a file; journal_next begins with
 * the first of them, and checks them. ERR_FAILED when the file is shorter. */
bool journal_map_part(struct journal_map *map, const char *path, int64_t begin, int64_t end,
                      struct err *err);

/* The next entry behind the first, or NULL after the last; points into the mapping. */
const uint8_t *journal_next(struct journal_map *map, size_t *size);

void journal_unmap(struct journal_map *map);

/* Writes one framed entry that begins at byte `offset` of a file, for files that are made whole. */
bool journal_put(FILE *out, int64_t offset, const void *data, size_t size);

/* Bytes of the frame of an entry. */
enum { JOURNAL_FRAME = 16 };
