/* What the daemon does by the clock: abandoned games end, what need not be kept is deleted, sockets
 * whose sessions are over are closed. On the event loop's thread. */
#pragma once

#include "daemon/loop/service.h"

/* How long what is kept, in seconds; 0: for ever. */
struct retention {
    int64_t games;  /* finished games, counted from their end */
    int64_t guests; /* what guests have won, counted from their first game; not before their session
                       has ended */
};

/* Seconds from one sweep to the next: games are over at most so much later than they should. */
double sweep_interval(const struct service *service);

/* Does one sweep's work, a bounded amount. */
void sweep(struct service *service, const struct retention *retention);
