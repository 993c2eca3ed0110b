/* The lock as a file that names host and process. */
#include "selfplay/lock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"

enum { LOCK_SIZE = LOCK_HOST + 32 };

static const char LOCK_NAME[] = "lock";

void lock_host(char out[LOCK_HOST])
{
    if (gethostname(out, LOCK_HOST) != 0) {
        snprintf(out, LOCK_HOST, "unknown");
    }
    out[LOCK_HOST - 1] = '\0';
}

/* What the lock file of this process says. */
static void lock_text(char out[LOCK_SIZE])
{
    char host[LOCK_HOST];

    lock_host(host);
    snprintf(out, LOCK_SIZE, "%s %ld\n", host, (long)getpid());
}

/* Whether the process that wrote `text` is surely gone: same host, and no such process. */
static bool is_stale(const char *text)
{
    char host[LOCK_HOST], mine[LOCK_SIZE];
    long pid;

    lock_text(mine);
    if (sscanf(text, "%255s %ld", host, &pid) != 2) {
        return false;
    }
    return strncmp(mine, host, strlen(host)) == 0 && mine[strlen(host)] == ' ' &&
           (pid == (long)getpid() || (kill((pid_t)pid, 0) != 0 && errno == ESRCH));
}

/* 1: made; 0: it exists; -1: failed. The file gets its name with its text in it, so that nobody
 * reads half a lock; link, like O_EXCL, fails when the name is taken. */
static int make_lock(const char *path, struct err *err)
{
    char text[LOCK_SIZE], prepared[FILE_PATH];

    lock_text(text);
    if (!file_temporary(prepared, path, err) || !file_replace(prepared, text, strlen(text), err)) {
        return -1;
    }
    int made = link(prepared, path) == 0 ? 1 : errno == EEXIST ? 0 : -1;
    if (made < 0) {
        err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    unlink(prepared);
    return made;
}

/* Moves a stale lock out of the way. Somebody else may have done so and made a fresh one in the
 * meantime: what was moved is looked at again, and put back when it is not the stale one. */
static bool remove_stale(const char *path, const char *stale, struct err *err)
{
    char aside[FILE_PATH];

    if (!file_temporary(aside, path, err)) {
        return false;
    }
    if (rename(path, aside) != 0) {
        return errno == ENOENT || err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    char *moved = file_read(aside, LOCK_SIZE, NULL, err);
    if (moved && strcmp(moved, stale) != 0 && link(aside, path) != 0 && errno != EEXIST) {
        err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    bool ok = moved != NULL;
    free(moved);
    unlink(aside);
    return ok;
}

bool lock_take(const char *directory, struct err *err)
{
    char path[FILE_PATH];

    if (!file_join(path, directory, LOCK_NAME, err)) {
        return false;
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        int made = make_lock(path, err);
        if (made != 0) {
            return made > 0;
        }
        char *holder = file_read(path, LOCK_SIZE, NULL, err);
        if (!holder) {
            return false;
        }
        bool stale = is_stale(holder) && remove_stale(path, holder, err);
        holder[strcspn(holder, "\n")] = '\0';
        if (!stale) {
            err_set(err, ERR_FAILED,
                    "%s: another program works on this run (host and process: %s); if it does "
                    "not exist any more, remove %s",
                    directory, *holder ? holder : "not yet known", path);
        }
        free(holder);
        if (!stale) {
            return false;
        }
    }
    return err_set(err, ERR_FAILED, "%s: cannot take the lock", path);
}

void lock_release(const char *directory)
{
    char path[FILE_PATH];

    if (file_join(path, directory, LOCK_NAME, NULL)) {
        unlink(path);
    }
}

bool lock_is_held(const char *directory)
{
    char path[FILE_PATH];
    char *holder =
        file_join(path, directory, LOCK_NAME, NULL) ? file_read(path, LOCK_SIZE, NULL, NULL) : NULL;
    bool locked = holder && !is_stale(holder);
    free(holder);
    return locked;
}
