/* "Did you mean ...?": the known name nearest to one that a user got wrong. */
#pragma once

#include <stddef.h>

enum { NEAREST_NAME = 64 };

struct nearest {
    const char *word; /* what the user wrote; not owned */
    char best[NEAREST_NAME];
    size_t distance; /* of `best` from `word`, in edits */
};

/* A search for `word` that has seen no name yet. */
struct nearest nearest_start(const char *word);

/* Offers a known name; the first of those equally near is kept. Names of NEAREST_NAME bytes or more
 * are passed over. */
void nearest_offer(struct nearest *nearest, const char *name);

/* The best name when it is near enough to be meant (a third of its letters changed, at least one),
 * else NULL. Points into *nearest. */
const char *nearest_found(const struct nearest *nearest);
