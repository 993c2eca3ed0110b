/* The table of the daemon's settings. */
#include "daemon/settings.h"

#include <stddef.h>

static const struct option TABLE[] = {
    /* section, key, type, place, default, least, most, choices, help */
    {"http", "listen", OPTION_TEXT, offsetof(struct settings, listen), "127.0.0.1:8080", 0, 0, NULL,
     "address and port to listen on; [::1]:8080 for IPv6; port 0 takes a free one"},
    {"http", "max_connections", OPTION_INT, offsetof(struct settings, max_connections), "1000", 1,
     100000, NULL, "open connections at most; further ones wait to be accepted"},
    {"http", "timeout", OPTION_REAL, offsetof(struct settings, timeout), "10", 0.1, 3600, NULL,
     "seconds a request may take to arrive, seconds it may take to be answered"},
    {"http", "drain", OPTION_REAL, offsetof(struct settings, drain), "0", 0, 3600, NULL,
     "seconds between SIGTERM (/readyz says no) and the closing of the port"},
    {"weights", "dir", OPTION_TEXT, offsetof(struct settings, weights_dir), "data", 0, 0, NULL,
     "directory of international.h5, classic.h5 and flying.h5"},
    {"search", "threads", OPTION_INT, offsetof(struct settings, threads), "0", 0, 1024, NULL,
     "search threads; 0: one for each processor"},
    {"search", "queue", OPTION_INT, offsetof(struct settings, queue), "64", 1, 100000, NULL,
     "searches that may wait; one more is answered 503"},
};

const struct option *settings_table(size_t *count)
{
    *count = sizeof TABLE / sizeof TABLE[0];
    return TABLE;
}
