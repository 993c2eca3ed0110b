/* The lock of a run directory: one program at a time works on a run. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"

enum { LOCK_HOST = 256 };

/* The name of this machine, "unknown" when it has none. */
void lock_host(char out[LOCK_HOST]);

/* Takes the lock; one left by a dead process of this host is taken over. ERR_FAILED with host and
 * process when another program holds it. */
bool lock_take(const char *directory, struct err *err);

/* Gives it back; to be called by the process that took it. */
void lock_release(const char *directory);

/* Whether a program holds it (a dead one of this host does not). */
bool lock_is_held(const char *directory);
