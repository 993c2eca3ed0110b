/* Framed entries in append-only files. */
#include "selfplay/store/journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "selfplay/game/bytes.h"
#include "selfplay/game/hash.h"

/* A frame: length, its complement, hash of offset and bytes. */
static void make_frame(uint8_t frame[JOURNAL_FRAME], int64_t offset, const void *data, size_t size)
{
    uint64_t hash = hash_mix(hash_bytes(HASH_START, data, size), (uint64_t)offset);
    bytes_put32(frame, (uint32_t)size);
    bytes_put32(frame + 4, ~(uint32_t)size);
    bytes_put64(frame + 8, hash);
}

bool journal_put(FILE *out, int64_t offset, const void *data, size_t size)
{
    uint8_t frame[JOURNAL_FRAME];
    make_frame(frame, offset, data, size);
    return fwrite(frame, sizeof frame, 1, out) == 1 && fwrite(data, size, 1, out) == 1;
}

static bool cannot(const struct journal *journal, const char *what, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s: cannot %s: %s", journal->path, what, strerror(errno));
}

bool journal_open(struct journal *journal, const char *path, const char *about, double sync_seconds,
                  struct err *err)
{
    *journal = (struct journal){.sync_seconds = sync_seconds, .synced = clock_seconds()};
    assert(strlen(path) < sizeof journal->path && strlen(about) <= JOURNAL_ABOUT_MAX);
    snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (journal->fd < 0) {
        return cannot(journal, "make it", err);
    }
    if (journal_append(journal, about, strlen(about), err) &&
        (fsync(journal->fd) == 0 || cannot(journal, "make it durable", err)) &&
        file_sync_name(path, err)) {
        return true;
    }
    close(journal->fd);
    unlink(path);
    return false;
}

bool journal_resume(struct journal *journal, const char *path, int64_t size, double sync_seconds,
                    struct err *err)
{
    *journal =
        (struct journal){.size = size, .sync_seconds = sync_seconds, .synced = clock_seconds()};
    assert(strlen(path) < sizeof journal->path);
    snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (journal->fd < 0) {
        return cannot(journal, "open it", err);
    }
    if (ftruncate(journal->fd, size) != 0) {
        cannot(journal, "cut off what is torn", err);
        close(journal->fd);
        journal->fd = -1;
        return false;
    }
    return true;
}

/* All of the bytes or none: what a failed write left is cut off again. */
static bool write_whole(struct journal *journal, const uint8_t *data, size_t size, struct err *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(journal->fd, data + done, size - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            cannot(journal, "write to it", err);
            if (ftruncate(journal->fd, journal->size) != 0) {
                err_prefix(err, "a torn entry stays behind");
            }
            return false;
        }
        done += (size_t)wrote;
    }
    journal->size += (int64_t)size;
    return true;
}

bool journal_append(struct journal *journal, const void *data, size_t size, struct err *err)
{
    assert(size >= 1 && size <= JOURNAL_ENTRY_MAX);
    uint8_t *entry = malloc(JOURNAL_FRAME + size);
    if (entry == NULL) {
        return err_set(err, ERR_FAILED, "%s: out of memory for %zu bytes", journal->path, size);
    }
    make_frame(entry, journal->size, data, size);
    memcpy(entry + JOURNAL_FRAME, data, size);
    bool ok = write_whole(journal, entry, JOURNAL_FRAME + size, err);
    free(entry);
    bool due = clock_seconds() - journal->synced >= journal->sync_seconds;
    return ok && (!due || journal_sync(journal, err));
}

bool journal_sync(struct journal *journal, struct err *err)
{
    struct stat status;
    journal->synced = clock_seconds();
    if (fdatasync(journal->fd) != 0 || fstat(journal->fd, &status) != 0) {
        return cannot(journal, "make it durable", err);
    }
    return status.st_size == journal->size ||
           err_set(err, ERR_FAILED,
                   "%s: %lld bytes long instead of %lld: another process writes it", journal->path,
                   (long long)status.st_size, (long long)journal->size);
}

bool journal_rename(struct journal *journal, const char *path, struct err *err)
{
    assert(strlen(path) < sizeof journal->path);
    if (!journal_sync(journal, err)) {
        return false;
    }
    if (rename(journal->path, path) != 0) {
        return err_set(err, ERR_FAILED, "%s: cannot replace it: %s", path, strerror(errno));
    }
    snprintf(journal->path, sizeof journal->path, "%s", path);
    return file_sync_name(path, err);
}

bool journal_close(struct journal *journal, struct err *err)
{
    bool ok = journal_sync(journal, err);
    if (close(journal->fd) != 0 && ok) {
        ok = cannot(journal, "close it", err);
    }
    journal->fd = -1;
    return ok;
}

/* Bytes of the whole entry at `offset`, frame included; 0 when there is none. */
static size_t whole_entry(const uint8_t *data, size_t size, size_t offset)
{
    if (size - offset < JOURNAL_FRAME) {
        return 0;
    }
    const uint8_t *entry = data + offset;
    uint32_t length = bytes_get32(entry);
    if (length == 0 || length > JOURNAL_ENTRY_MAX || bytes_get32(entry + 4) != ~length ||
        length > size - offset - JOURNAL_FRAME) {
        return 0;
    }
    uint8_t frame[JOURNAL_FRAME];
    make_frame(frame, (int64_t)offset, entry + JOURNAL_FRAME, length);
    return memcmp(frame, entry, JOURNAL_FRAME) == 0 ? JOURNAL_FRAME + length : 0;
}

/* Takes the next line from *text: its start, and its length without the end of line. */
static const char *next_line(const char **text, int *length)
{
    const char *line = *text;
    *length = (int)strcspn(line, "\n");
    *text = line + *length + (line[*length] == '\n');
    return line;
}

/* Where the first whole entry at `offset` or behind it begins, *entry its bytes with the frame;
 * size when there is none. */
static size_t find_entry(const uint8_t *data, size_t size, size_t offset, size_t *entry)
{
    for (; offset < size; offset++) {
        *entry = whole_entry(data, size, offset);
        if (*entry > 0) {
            return offset;
        }
    }
    return size;
}

/* Compares what the file says it belongs to, line by line, and names the differences. */
static bool check_about(const struct journal_map *map, const char *path, const char *about,
                        struct err *err)
{
    char theirs[JOURNAL_ABOUT_MAX + 1] = "", list[ERR_TEXT / 2] = "";
    size_t size = map->size == 0 ? 0 : bytes_get32(map->data), length = 0;
    if (map->size == 0 || size > JOURNAL_ABOUT_MAX) {
        return map->size == 0 || err_set(err, ERR_USAGE, "%s: no file of games", path);
    }
    memcpy(theirs, map->data + JOURNAL_FRAME, size);
    for (const char *were = theirs, *are = about; *were != '\0' || *are != '\0';) {
        int was_length, is_length;
        const char *was = next_line(&were, &was_length), *is = next_line(&are, &is_length);
        if ((was_length != is_length || memcmp(was, is, (size_t)is_length) != 0) &&
            length < sizeof list) {
            length += (size_t)snprintf(list + length, sizeof list - length, "%s'%.*s', now '%.*s'",
                                       length > 0 ? "; " : "", was_length, was, is_length, is);
        }
    }
    return length == 0 ||
           err_set(err, ERR_USAGE, "%s: its games were made otherwise: %s", path, list);
}

/* Maps the first `size` bytes of an open file, > 0, or all of them when `size` is 0. */
static bool map_bytes(struct journal_map *map, int fd, const char *path, int64_t size,
                      struct err *err)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    if (status.st_size < size) {
        return err_set(
            err, ERR_FAILED,
            "%s: %lld bytes long, %lld were written; does every node see the same files?", path,
            (long long)status.st_size, (long long)size);
    }
    map->mapped = (size_t)(size > 0 ? size : status.st_size);
    if (map->mapped == 0) {
        return true;
    }
    void *data = mmap(NULL, map->mapped, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) {
        return err_set(err, ERR_FAILED, "%s: cannot read it: %s", path, strerror(errno));
    }
    map->data = data;
    return true;
}

/* Finds the whole entries of an open file. */
static bool map_entries(struct journal_map *map, int fd, const char *path, struct err *err)
{
    if (!map_bytes(map, fd, path, 0, err)) {
        return false;
    }
    if (map->mapped == 0) {
        return true;
    }
    size_t entry = whole_entry(map->data, map->mapped, 0);
    for (size_t at = 0; entry > 0 && at < map->mapped;) {
        map->size = at + entry;
        at = find_entry(map->data, map->mapped, map->size, &entry);
        map->torn = map->torn || at > map->size;
    }
    map->torn = map->torn || map->size < map->mapped;
    return true;
}

bool journal_map(struct journal_map *map, const char *path, const char *about, struct err *err)
{
    *map = (struct journal_map){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, errno == ENOENT ? ERR_USAGE : ERR_FAILED, "%s: %s", path,
                       strerror(errno));
    }
    bool ok =
        map_entries(map, fd, path, err) && (about == NULL || check_about(map, path, about, err));
    close(fd);
    if (!ok) {
        journal_unmap(map);
    } else if (map->size > 0) {
        map->next = JOURNAL_FRAME + bytes_get32(map->data);
    }
    return ok;
}

bool journal_map_part(struct journal_map *map, const char *path, int64_t begin, int64_t end,
                      struct err *err)
{
    *map = (struct journal_map){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    bool ok = map_bytes(map, fd, path, end, err);
    close(fd);
    map->size = map->mapped;
    map->next = (size_t)begin;
    return ok;
}

const uint8_t *journal_next(struct journal_map *map, size_t *size)
{
    size_t length, at = find_entry(map->data, map->size, map->next, &length);
    if (at >= map->size) {
        return NULL;
    }
    map->next = at + length;
    *size = length - JOURNAL_FRAME;
    return map->data + at + JOURNAL_FRAME;
}

void journal_unmap(struct journal_map *map)
{
    if (map->data != NULL) {
        munmap(map->data, map->mapped);
    }
    *map = (struct journal_map){0};
}
