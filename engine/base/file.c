/* Files that are whole or absent: content is prepared under another name in the same directory,
 * made durable, and only then renamed over the old one. */
#include "engine/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fits(int length, const char *path, struct err *err)
{
    if (length >= 0 && length < FILE_PATH) {
        return true;
    }
    return err_set(err, ERR_USAGE, "path '%.60s...' is too long, at most %d bytes", path,
                   FILE_PATH - 1);
}

bool file_join(char out[FILE_PATH], const char *directory, const char *name, struct err *err)
{
    size_t length = strlen(directory);
    const char *slash = length == 0 || directory[length - 1] == '/' ? "" : "/";
    return fits(snprintf(out, FILE_PATH, "%s%s%s", directory, slash, name), directory, err);
}

/* The file's descriptor, or -1. */
static int open_regular(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        bool missing = errno == ENOENT || errno == ENOTDIR;
        err_set(err, missing ? ERR_USAGE : ERR_FAILED, "%s: %s", path,
                missing ? "no such file" : strerror(errno));
        return -1;
    }
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        err_set(err, ERR_USAGE, "%s: is a directory, a file is needed", path);
        close(fd);
        return -1;
    }
    return fd;
}

/* Reads on until the end of the file; the size is not known beforehand (it may be a pipe). */
static char *read_all(int fd, const char *path, size_t limit, size_t *size, struct err *err)
{
    char *data = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        if (room - used < 2) {
            size_t wider = room == 0 ? 4096 : 2 * room;
            char *moved = realloc(data, wider);
            if (moved == NULL) {
                err_set(err, ERR_FAILED, "%s: out of memory at %zu bytes", path, wider);
                break;
            }
            data = moved;
            room = wider;
        }
        ssize_t got = read(fd, data + used, room - used - 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
            break;
        }
        used += (size_t)got;
        if (used > limit) {
            err_set(err, ERR_USAGE, "%s: over the limit of %zu bytes", path, limit);
            break;
        }
        if (got == 0) {
            data[used] = '\0';
            *size = used;
            return data;
        }
    }
    free(data);
    return NULL;
}

char *file_read(const char *path, size_t limit, size_t *size, struct err *err)
{
    int fd = open_regular(path, err);
    if (fd < 0) {
        return NULL;
    }
    size_t used = 0;
    char *data = read_all(fd, path, limit, &used, err);
    close(fd);
    if (data != NULL && size != NULL) {
        *size = used;
    }
    return data;
}

bool file_temporary(char out[FILE_PATH], const char *path, struct err *err)
{
    return fits(snprintf(out, FILE_PATH, "%s.tmp.%ld", path, (long)getpid()), path, err);
}

/* Makes durable what is open as `fd`, and closes it. */
static bool sync_and_close(int fd, const char *path, struct err *err)
{
    /* Some file systems know no fsync of a directory and say EINVAL. */
    bool synced = fsync(fd) == 0 || errno == EINVAL;
    int reason = errno;
    bool closed = close(fd) == 0;
    if (synced && closed) {
        return true;
    }
    return err_set(err, ERR_FAILED, "%s: cannot make it durable: %s", path,
                   strerror(synced ? errno : reason));
}

static bool sync_path(const char *path, int flags, struct err *err)
{
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    return sync_and_close(fd, path, err);
}

bool file_sync_name(const char *path, struct err *err)
{
    char directory[FILE_PATH];
    if (!fits(snprintf(directory, sizeof directory, "%s", path), path, err)) {
        return false;
    }
    char *slash = strrchr(directory, '/');
    if (slash == NULL) {
        strcpy(directory, ".");
    } else if (slash == directory) {
        strcpy(directory, "/");
    } else {
        *slash = '\0';
    }
    return sync_path(directory, O_RDONLY | O_DIRECTORY, err);
}

/* A device or a pipe would not be written to but replaced by a file, /dev/null for everybody. That
 * a directory cannot be replaced, rename says. */
static bool may_be_replaced(const char *path, struct err *err)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ||
           err_set(err, ERR_USAGE, "%s: cannot replace it: it is no ordinary file", path);
}

bool file_commit(const char *temporary, const char *path, struct err *err)
{
    bool renamed = false;
    if (may_be_replaced(path, err) && sync_path(temporary, O_RDONLY, err)) {
        renamed = rename(temporary, path) == 0;
        if (!renamed) {
            err_set(err, ERR_FAILED, "%s: cannot replace it: %s", path, strerror(errno));
        }
    }
    if (!renamed) {
        unlink(temporary);
        return false;
    }
    return file_sync_name(path, err);
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

bool file_replace(const char *path, const void *data, size_t size, struct err *err)
{
    char temporary[FILE_PATH];
    if (!file_temporary(temporary, path, err)) {
        return false;
    }
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return err_set(err, ERR_FAILED, "%s: cannot write it: %s", path, strerror(errno));
    }
    bool written = write_all(fd, data, size);
    int reason = errno;
    bool closed = close(fd) == 0;
    if (!written || !closed) {
        err_set(err, ERR_FAILED, "%s: cannot write it: %s", path,
                strerror(written ? errno : reason));
        unlink(temporary);
        return false;
    }
    return file_commit(temporary, path, err);
}

static bool make_directory(const char *path, struct err *err)
{
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    int reason = errno;
    struct stat status;
    if (reason == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return true;
    }
    return err_set(err, ERR_FAILED, "%s: cannot make the directory: %s", path, strerror(reason));
}

bool file_make_directories(const char *path, struct err *err)
{
    char partial[FILE_PATH];
    if (!fits(snprintf(partial, sizeof partial, "%s", path), path, err)) {
        return false;
    }
    for (char *slash = strchr(partial + (partial[0] == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_directory(partial, err)) {
            return false;
        }
        *slash = '/';
    }
    return make_directory(partial, err);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
