/* The lock of a run directory: one program at a time works on a run.
 *
 * It is a file that names host, process, batch job and a count that goes up every few seconds: a
 * sign of life. Like a file made with O_EXCL it works on NFS and Lustre, and no clock is compared
 * with another. A thread of its own writes the count, so that it does not matter how long the
 * program is busy with something else. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/base/file.h"
#include "engine/base/log.h"

enum { LOCK_HOST = 256 };

/* The name of this machine, "unknown" when it has none. */
void lock_host(char out[LOCK_HOST]);

/* A lock that is held; it must not be moved. Zero: not held. */
struct lock {
    bool held;
    char path[FILE_PATH];
    int fd;
    pthread_t thread; /* writes the count */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool ending, lost; /* under the mutex */
};

/* Takes the lock. One left by a dead process of this host, or by an earlier start of the same batch
 * job, is taken over at once; another is watched for `patience` seconds, which the log says, and
 * taken over when it shows no sign of life. ERR_FAILED with host, process and job when another
 * program holds it. */
bool lock_take(struct lock *lock, const char *directory, double patience, const struct log *log,
               struct err *err);

/* False when the file is gone or another program's: the directory has vanished, or this program was
 * silent for so long that it was taken for dead. SIGTERM is sent to this process when that is
 * noticed, so that it stops soon. */
bool lock_check(struct lock *lock, struct err *err);

/* Gives it back. A lock that is not held is fine. */
void lock_release(struct lock *lock);

/* Whether a program holds it (a dead one of this host does not). */
bool lock_is_held(const char *directory);
