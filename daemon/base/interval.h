/* Times as libevent takes them. */
#pragma once

#include <sys/time.h>

/* Seconds, 0 or more. */
static inline struct timeval interval(double seconds)
{
    return (struct timeval){.tv_sec = (time_t)seconds,
                            .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)};
}
