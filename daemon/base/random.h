/* Random bits for ids, tokens and seeds, fetched from the system in large pieces: a system call for
 * each request would be felt. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RANDOM_POOL = 4096 };

struct random_pool {
    unsigned char bytes[RANDOM_POOL];
    size_t left; /* unused ones, at the end; 0 in a fresh pool */
};

/* Takes size <= RANDOM_POOL bytes, which the pool forgets. False when the system has none. */
bool random_take(struct random_pool *pool, void *out, size_t size);
