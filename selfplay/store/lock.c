/* The lock as a file with a sign of life. */
#include "selfplay/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/clock.h"

enum { LOCK_JOB = 64, LOCK_SIZE = LOCK_HOST + LOCK_JOB + 64 };

static const char LOCK_NAME[] = "lock";
static const int BEAT_SECONDS = 2;
static const long LOOK_NANOSECONDS = 100000000; /* between two looks at another's sign of life */

void lock_host(char out[LOCK_HOST])
{
    if (gethostname(out, LOCK_HOST) != 0) {
        snprintf(out, LOCK_HOST, "unknown");
    }
    out[LOCK_HOST - 1] = '\0';
}

/* Who holds a lock: the words of its file but for the count. */
struct holder {
    char host[LOCK_HOST];
    long pid;
    char job[LOCK_JOB]; /* "4711.2": Slurm's job and how often it was requeued; "-": none */
};

static struct holder myself(void)
{
    struct holder me = {.pid = (long)getpid(), .job = "-"};
    const char *job = getenv("SLURM_JOB_ID"), *start = getenv("SLURM_RESTART_COUNT");

    lock_host(me.host);
    if (job) {
        snprintf(me.job, sizeof me.job, "%.31s.%.15s", job, start ? start : "0");
    }
    return me;
}

/* Reads who holds a lock; older versions wrote no job. */
static bool parse(const char *text, struct holder *out)
{
    int words = sscanf(text, "%255s %ld %63s", out->host, &out->pid, out->job);

    if (words == 2) {
        snprintf(out->job, sizeof out->job, "-");
    }
    return words >= 2;
}

/* Whether `them` is an earlier start of the batch job `me`, which runs at one place at a time. */
static bool is_requeued(const struct holder *them, const struct holder *me)
{
    const char *theirs = strchr(them->job, '.'), *mine = strchr(me->job, '.');

    return theirs && mine && theirs - them->job == mine - me->job &&
           strncmp(them->job, me->job, (size_t)(mine - me->job)) == 0 &&
           atoi(theirs + 1) < atoi(mine + 1);
}

/* Whether the process that wrote `text` is surely gone. */
static bool is_stale(const char *text)
{
    struct holder me = myself(), them;

    if (!parse(text, &them)) {
        return false;
    }
    bool dead = strcmp(them.host, me.host) == 0 &&
                (them.pid == me.pid || (kill((pid_t)them.pid, 0) != 0 && errno == ESRCH));
    return dead || is_requeued(&them, &me);
}

/* Writes who holds the lock, and the count, always in as many bytes. */
static bool write_beat(int fd, unsigned count)
{
    struct holder me = myself();
    char text[LOCK_SIZE];
    int size = snprintf(text, sizeof text, "%s %ld %s %010u\n", me.host, me.pid, me.job, count);

    return pwrite(fd, text, (size_t)size, 0) == size && fsync(fd) == 0;
}

/* 1: made, *fd open; 0: it exists; -1: failed. The file gets its name with its text in it, so that
 * nobody reads half a lock; link, like O_EXCL, fails when the name is taken. */
static int make_lock(const char *path, int *fd, struct err *err)
{
    char prepared[FILE_PATH];

    if (!file_temporary(prepared, path, err)) {
        return -1;
    }
    unlink(prepared); /* of a dead process that had this id */
    *fd = open(prepared, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool written = *fd >= 0 && write_beat(*fd, 0);
    int made = written && link(prepared, path) == 0 ? 1 : written && errno == EEXIST ? 0 : -1;
    if (made < 0) {
        err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    if (*fd >= 0) {
        unlink(prepared);
    }
    if (*fd >= 0 && made <= 0) {
        close(*fd);
    }
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

/* Whether the lock stays as it is for so long. */
static bool is_silent(const char *path, const char *text, double patience)
{
    for (double end = clock_seconds() + patience; clock_seconds() < end;) {
        nanosleep(&(struct timespec){0, LOOK_NANOSECONDS}, NULL);
        char *now = file_read(path, LOCK_SIZE, NULL, NULL);
        bool same = now && strcmp(now, text) == 0;
        free(now);
        if (!same) {
            return false;
        }
    }
    return true;
}

/* Takes over a lock whose holder, by its `text`, is dead; else says who it is. */
static bool take_over(const char *path, const char *text, double patience, const struct log *log,
                      struct err *err)
{
    struct holder me = myself(), them = {.host = "unknown", .job = "-"};

    if (is_stale(text)) {
        return remove_stale(path, text, err);
    }
    if (!parse(text, &them) || strcmp(them.host, me.host) != 0) {
        log_line(log, LOG_INFO,
                 "%s: of host %s, process %ld; watched for %.0f s for a sign of life", path,
                 them.host, them.pid, patience);
        if (is_silent(path, text, patience)) {
            log_line(log, LOG_WARNING, "%s: no sign of life; taken over", path);
            return remove_stale(path, text, err);
        }
    }
    return err_set(err, ERR_FAILED,
                   "%s: another program works on this run (host and process: %s %ld, job: %s)",
                   path, them.host, them.pid, them.job);
}

/* Whether the file of this name is still the one that was made. */
static bool is_mine(const struct lock *lock)
{
    struct stat mine, named;

    return fstat(lock->fd, &mine) == 0 && stat(lock->path, &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

static void *beat(void *context)
{
    struct lock *lock = context;

    pthread_mutex_lock(&lock->mutex);
    for (unsigned count = 1; !lock->ending && !lock->lost; count++) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec += BEAT_SECONDS;
        pthread_cond_timedwait(&lock->wake, &lock->mutex, &next);
        if (!lock->ending && !is_mine(lock)) {
            lock->lost = true;
            kill(getpid(), SIGTERM);
        } else if (!lock->ending) {
            write_beat(lock->fd, count); /* a failure is a sign of life missed, no more */
        }
    }
    pthread_mutex_unlock(&lock->mutex);
    return NULL;
}

static bool start_beat(struct lock *lock, struct err *err)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&lock->mutex, NULL);
    pthread_cond_init(&lock->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    lock->ending = lock->lost = false;
    int reason = pthread_create(&lock->thread, NULL, beat, lock);
    if (reason == 0) {
        lock->held = true;
        return true;
    }
    unlink(lock->path);
    close(lock->fd);
    return err_set(err, ERR_FAILED, "%s: no thread for its sign of life: %s", lock->path,
                   strerror(reason));
}

bool lock_take(struct lock *lock, const char *directory, double patience, const struct log *log,
               struct err *err)
{
    lock->held = false;
    if (!file_join(lock->path, directory, LOCK_NAME, err)) {
        return false;
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        int made = make_lock(lock->path, &lock->fd, err);
        if (made != 0) {
            return made > 0 && start_beat(lock, err);
        }
        char *text = file_read(lock->path, LOCK_SIZE, NULL, NULL);
        bool ok = !text || take_over(lock->path, text, patience, log, err);
        free(text);
        if (!ok) {
            return false;
        }
    }
    return err_set(err, ERR_FAILED, "%s: cannot take the lock", lock->path);
}

bool lock_check(struct lock *lock, struct err *err)
{
    pthread_mutex_lock(&lock->mutex);
    lock->lost = lock->lost || !is_mine(lock);
    bool lost = lock->lost;
    pthread_mutex_unlock(&lock->mutex);
    return !lost || err_set(err, ERR_FAILED,
                            "%s: gone or another program's; the directory has vanished, or this "
                            "program was taken for dead",
                            lock->path);
}

void lock_release(struct lock *lock)
{
    if (!lock->held) {
        return;
    }
    pthread_mutex_lock(&lock->mutex);
    lock->ending = true;
    pthread_cond_signal(&lock->wake);
    pthread_mutex_unlock(&lock->mutex);
    pthread_join(lock->thread, NULL);
    pthread_cond_destroy(&lock->wake);
    pthread_mutex_destroy(&lock->mutex);
    if (is_mine(lock)) {
        unlink(lock->path);
    }
    close(lock->fd);
    lock->held = false;
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
