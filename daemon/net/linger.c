/* Sockets from which is read for nobody. */
#include "daemon/net/linger.h"

#include <fcntl.h>
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

static void linger_end(struct lingerer *lingerer)
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
    close(lingerer->fd);
    free(lingerer);
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

void linger_begin(struct lingerers *all, int fd)
{
    const struct timeval patience = {.tv_sec = (time_t)PATIENCE};
    struct lingerer *lingerer = all->count < LINGERERS ? calloc(1, sizeof *lingerer) : NULL;
    const int share = lingerer != NULL ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;

    if (share < 0) {
        free(lingerer);
        return;
    }
    *lingerer = (struct lingerer){
        .all = all,
        .fd = share,
        .until = clock_seconds() + PATIENCE,
        .event = event_new(all->base, share, EV_READ | EV_PERSIST, on_readable, lingerer),
        .next = all->first};
    all->first = lingerer;
    all->count++;
    if (shutdown(share, SHUT_WR) != 0 || lingerer->event == NULL ||
        event_add(lingerer->event, &patience) != 0) {
        linger_end(lingerer);
    }
}

void lingerers_fini(struct lingerers *all)
{
    while (all->first != NULL) {
        linger_end(all->first);
    }
}
