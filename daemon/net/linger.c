/* Sockets from which is read for nobody. */
#include "daemon/net/linger.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/clock.h"

static const double PATIENCE = 2.0; /* seconds */

struct lingerer {
    struct lingerers *all;
    struct event *event;
    int fd;
    double until; /* clock_seconds */
    struct lingerer *next;
};

static void forget(struct lingerer *lingerer)
{
    struct lingerer **at = &lingerer->all->first;

    while (*at != lingerer) {
        at = &(*at)->next;
    }
    *at = lingerer->next;
    lingerer->all->count--;
    if (lingerer->event != NULL) {
        event_free(lingerer->event);
    }
    free(lingerer);
}

static void linger_end(struct lingerer *lingerer)
{
    const int fd = lingerer->fd;

    forget(lingerer);
    close(fd);
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
    struct lingerer *lingerer = context;
    char thrown_away[4096];

    if (what & EV_TIMEOUT || recv(fd, thrown_away, sizeof thrown_away, MSG_DONTWAIT) <= 0 ||
        clock_seconds() > lingerer->until) {
        linger_end(lingerer);
    }
}

bool linger_begin(struct lingerers *all, int fd)
{
    const struct timeval patience = {.tv_sec = (time_t)PATIENCE};
    struct lingerer *lingerer = all->count < LINGERERS ? calloc(1, sizeof *lingerer) : NULL;

    if (lingerer == NULL) {
        return false;
    }
    *lingerer = (struct lingerer){
        .all = all,
        .fd = fd,
        .until = clock_seconds() + PATIENCE,
        .event = event_new(all->base, fd, EV_READ | EV_PERSIST, on_readable, lingerer),
        .next = all->first};
    all->first = lingerer;
    all->count++;
    if (shutdown(fd, SHUT_WR) != 0 || lingerer->event == NULL ||
        event_add(lingerer->event, &patience) != 0) {
        forget(lingerer);
        return false;
    }
    return true;
}

void lingerers_fini(struct lingerers *all)
{
    for (struct lingerer *lingerer = all->first, *next; lingerer != NULL; lingerer = next) {
        next = lingerer->next;
        linger_end(lingerer);
    }
}
