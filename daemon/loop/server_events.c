/* What the server hears beside requests: finished work of other threads, signals, timers. */
#include <event2/http.h>
#include <signal.h>

#include "daemon/base/interval.h"
#include "daemon/base/notify.h"
#include "daemon/loop/desk.h"
#include "daemon/loop/live.h"
#include "daemon/loop/play.h"
#include "daemon/loop/server_parts.h"
#include "daemon/loop/sweep.h"
#include "daemon/think/pool.h"

enum { DAY_SECONDS = 86400 };

static void on_jobs(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;

    (void)fd;
    (void)what;
    service_jobs(&server->service);
}

static void on_stored(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;

    (void)fd;
    (void)what;
    play_stored(&server->service);
}

static void on_hashed(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;

    (void)fd;
    (void)what;
    desk_hashed(&server->service);
}

static void on_sweep(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;
    const struct retention retention = {.games = server->settings->games_days * DAY_SECONDS,
                                        .guests = server->settings->guests_days * DAY_SECONDS};

    (void)fd;
    (void)what;
    sweep(&server->service, &retention);
}

static void reload(struct server *server)
{
    struct err err;

    if (!access_log_reopen(server->service.access_log, &err)) {
        log_line(server->log, LOG_ERROR, "%s", err.text);
    }
    struct artefacts *fresh = artefacts_load(server->settings->weights_dir, server->log, &err);

    if (fresh == NULL) {
        server->service.metrics.reloads_failed++;
        log_line(server->log, LOG_ERROR, "weights and levels stay as they are: %s", err.text);
        return;
    }
    artefacts_release(server->service.artefacts);
    server->service.artefacts = fresh;
    desk_keep_weights(&server->service);
    server->service.metrics.reloads++;
    log_line(server->log, LOG_INFO, "weights and levels reloaded from %s",
             server->settings->weights_dir);
}

/* The loop is alive. */
static void on_watchdog(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    (void)context;
    notify_send("WATCHDOG=1");
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;

    (void)fd;
    (void)what;
    event_base_loopbreak(server->base);
}

/* Closes the port and whatever is idle; the rest has the time a request has. */
static void on_drain(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;
    const struct timeval limit = {.tv_sec = (time_t)server->settings->timeout + 1};

    (void)fd;
    (void)what;
    server->service.connections.listener = NULL;
    evhttp_del_accept_socket(server->http, server->port);
    server->port = NULL;
    play_wake_all(&server->service);
    dxp_server_destroy(server->dxp);
    server->dxp = NULL;
    live_close_all(&server->service, WEBSOCKET_AWAY, "shutting down");
    connections_close_idle(&server->service.connections);
    if (server->service.connections.count == 0) {
        event_base_loopbreak(server->base);
    } else {
        event_add(server->deadline, &limit);
    }
}

static void on_signal(evutil_socket_t number, short what, void *context)
{
    struct server *server = context;

    (void)what;
    if (number == SIGHUP) {
        notify_send("RELOADING=1");
        reload(server);
        notify_send("READY=1");
    } else if (server->service.draining) {
        event_base_loopbreak(server->base); /* asked twice */
    } else {
        const struct timeval delay = interval(server->settings->drain);
        log_line(server->log, LOG_INFO, "shutting down");
        notify_send("STOPPING=1");
        server->service.draining = true;
        event_add(server->drain, &delay);
    }
}

/* Says that the loop is alive twice as often as systemd wants to hear it. */
static bool start_watchdog(struct server *server)
{
    const double limit = notify_watchdog();
    const struct timeval half = interval(limit / 2.0);

    return !(limit > 0.0) || event_add(server->watchdog, &half) == 0;
}

bool server_open_events(struct server *server, struct err *err)
{
    static const int NUMBERS[SERVER_SIGNALS] = {SIGTERM, SIGINT, SIGHUP};

    for (int i = 0; i < SERVER_SIGNALS; i++) {
        server->signals[i] = evsignal_new(server->base, NUMBERS[i], on_signal, server);
        if (server->signals[i] == NULL || event_add(server->signals[i], NULL) != 0) {
            return err_set(err, ERR_FAILED, "cannot handle signals");
        }
    }
    server->drain = evtimer_new(server->base, on_drain, server);
    server->deadline = evtimer_new(server->base, on_deadline, server);
    server->watchdog = event_new(server->base, -1, EV_PERSIST, on_watchdog, server);
    server->jobs = event_new(server->base, pool_fd(server->service.pool), EV_READ | EV_PERSIST,
                             on_jobs, server);
    server->stored = event_new(server->base, writer_fd(server->service.writer),
                               EV_READ | EV_PERSIST, on_stored, server);
    server->hashed = event_new(server->base, hasher_fd(server->service.hasher),
                               EV_READ | EV_PERSIST, on_hashed, server);
    const struct timeval pause = interval(sweep_interval(&server->service));
    server->sweeps = event_new(server->base, -1, EV_PERSIST, on_sweep, server);
    if (server->sweeps == NULL || event_add(server->sweeps, &pause) != 0 || server->drain == NULL ||
        server->deadline == NULL || server->watchdog == NULL || !start_watchdog(server) ||
        server->jobs == NULL || server->stored == NULL || server->hashed == NULL ||
        event_add(server->jobs, NULL) != 0 || event_add(server->stored, NULL) != 0 ||
        event_add(server->hashed, NULL) != 0) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    return true;
}

static void free_event(struct event *event)
{
    if (event != NULL) {
        event_free(event);
    }
}

void server_close_events(struct server *server)
{
    free_event(server->jobs);
    free_event(server->stored);
    free_event(server->hashed);
    free_event(server->sweeps);
    free_event(server->drain);
    free_event(server->deadline);
    free_event(server->watchdog);
    for (int i = 0; i < SERVER_SIGNALS; i++) {
        free_event(server->signals[i]);
    }
}
