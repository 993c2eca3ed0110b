/* The table of the daemon's settings. */
#include "daemon/settings.h"

#include <stddef.h>

static const struct option TABLE[] = {
    {.section = "http",
     .key = "listen",
     .type = OPTION_TEXT,
     .offset = offsetof(struct settings, listen),
     .initial = "127.0.0.1:8080",
     .help = "address and port to listen on; [::1]:8080 for IPv6; port 0 takes a free one"},
    {.section = "http",
     .key = "max_connections",
     .type = OPTION_INT,
     .offset = offsetof(struct settings, max_connections),
     .initial = "1000",
     .min = 1,
     .max = 100000,
     .help = "open connections at most; further ones wait to be accepted"},
    {.section = "http",
     .key = "timeout",
     .type = OPTION_REAL,
     .offset = offsetof(struct settings, timeout),
     .initial = "10",
     .min = 0.1,
     .max = 3600,
     .help = "seconds a request may take to arrive, seconds it may take to be answered"},
    {.section = "http",
     .key = "drain",
     .type = OPTION_REAL,
     .offset = offsetof(struct settings, drain),
     .initial = "0",
     .min = 0,
     .max = 3600,
     .help = "seconds between SIGTERM (/readyz says no) and the closing of the port"},
    {.section = "weights",
     .key = "dir",
     .type = OPTION_TEXT,
     .offset = offsetof(struct settings, weights_dir),
     .initial = "data",
     .help = "directory of international.h5, classic.h5 and flying.h5"},
    {.section = "search",
     .key = "threads",
     .type = OPTION_INT,
     .offset = offsetof(struct settings, threads),
     .initial = "0",
     .min = 0,
     .max = 1024,
     .help = "search threads; 0: one for each processor"},
    {.section = "search",
     .key = "queue",
     .type = OPTION_INT,
     .offset = offsetof(struct settings, queue),
     .initial = "64",
     .min = 1,
     .max = 100000,
     .help = "searches that may wait; one more is answered 503"},
};

const struct option *settings_table(size_t *count)
{
    *count = sizeof TABLE / sizeof TABLE[0];
    return TABLE;
}
