/* Time, read from the system's clocks, and durations written for people. */
#include "engine/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void clock_stamp(char out[CLOCK_STAMP])
{
    time_t now = time(NULL);
    struct tm calendar;
    if (gmtime_r(&now, &calendar) == NULL ||
        strftime(out, CLOCK_STAMP, "%Y-%m-%dT%H:%M:%SZ", &calendar) == 0) {
        memcpy(out, "unknown", sizeof "unknown");
    }
}

void clock_duration(double seconds, char *out, size_t size)
{
    if (!isfinite(seconds) || seconds > 1e15) {
        snprintf(out, size, "for ever");
        return;
    }
    double positive = seconds > 0 ? seconds : 0;
    if (positive < 59.95) { /* what would print as 60.0 is a minute */
        snprintf(out, size, "%.1f s", positive);
        return;
    }
    long long whole = llround(positive);
    if (whole < 3600) {
        snprintf(out, size, "%lld min %lld s", whole / 60, whole % 60);
    } else {
        snprintf(out, size, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
    }
}
