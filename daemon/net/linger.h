/* The end of connections whose client is refused in the middle of sending. Closing at once would
 * have the system throw the refusal away with what has not been read; so our half is closed, and
 * what still comes is thrown away until the client closes, for a short time. On the event loop's
 * thread. */
#pragma once

#include <event2/event.h>

enum { LINGERERS = 32 }; /* at once; one more is closed at once */

struct lingerer;

struct lingerers {
    struct event_base *base;
    struct lingerer *first;
    int count;
};

/* Takes a share in a socket that is about to be closed by its owner, behind all that was sent. */
void linger_begin(struct lingerers *all, int fd);

/* Closes all. */
void lingerers_fini(struct lingerers *all);
