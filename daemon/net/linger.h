/* The end of connections whose client is refused in the middle of sending. Closing at once would
 * have the system throw the refusal away with what has not been read; so our half is closed, and
 * what still comes is thrown away until the client closes, for a short time. On the event loop's
 * thread. */
#pragma once

#include <event2/event.h>
#include <stdbool.h>

enum { LINGERERS = 32 }; /* at once; one more is closed at once */

struct lingerer;

struct lingerers {
    struct event_base *base;
    struct lingerer *first;
    int count;
};

/* Takes over a socket behind all that was sent; false: it stays its owner's to close. It may be no
 * copy: a loop that tells epoll of changes in batches leaves the original in epoll for as long as
 * its copy is open, and then never sleeps. */
bool linger_begin(struct lingerers *all, int fd);

/* Closes all. */
void lingerers_fini(struct lingerers *all);
