/* Who may reach the daemon through a browser: the names it is served under, and the pages whose
 * scripts may use it. Lists are texts with blanks or commas between their elements. */
#pragma once

#include <stdbool.h>

struct origin_lists {
    const char *hosts, *origins;
};

/* Whether a Host header names this daemon: a numeric address, localhost, or a name of the list,
 * each with any port or none; NULL is refused. What keeps a foreign name that is made to point here
 * (DNS rebinding) from being served. */
bool origin_host_allowed(const char *host, const char *hosts);

/* Whether a page of this Origin may connect: there is none (no browser), it is the daemon's own
 * under `host`, or it is in the list. */
bool origin_allowed(const char *origin, const char *host, const char *origins);
