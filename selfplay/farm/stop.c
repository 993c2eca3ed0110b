/* Signals looked for with sigtimedwait. */
#include "selfplay/farm/stop.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static sigset_t stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGUSR1);
    return set;
}

void stop_prepare(struct stop *stop)
{
    sigset_t set = stop_signals();
    stop->signal = 0;
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool stop_requested(struct stop *stop)
{
    if (stop->signal != 0) {
        return true;
    }
    sigset_t set = stop_signals();
    int signal = sigtimedwait(&set, NULL, &(struct timespec){0, 0});
    if (signal <= 0) {
        return false;
    }
    stop->signal = signal;
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
    return true;
}
