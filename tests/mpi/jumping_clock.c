/* A library for LD_PRELOAD under which the calendar jumps 400 days ahead and back every second, as
 * if somebody set the clock; the monotonic clock is left alone, as the system leaves it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

typedef int clock_function(clockid_t, struct timespec *);

static clock_function *system_clock(void)
{
    return (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
}

static time_t jump(void)
{
    struct timespec now = {0};
    system_clock()(CLOCK_MONOTONIC, &now);
    return (now.tv_sec % 2 == 0 ? 400 : -400) * (time_t)86400;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = system_clock()(clock, now);
    now->tv_sec += clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? jump() : 0;
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact = {0};
    int status = clock_gettime(CLOCK_REALTIME, &exact);
    (void)zone;
    *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
    return status;
}

time_t time(time_t *out)
{
    struct timespec exact = {0};
    clock_gettime(CLOCK_REALTIME, &exact);
    if (out != NULL) {
        *out = exact.tv_sec;
    }
    return exact.tv_sec;
}
