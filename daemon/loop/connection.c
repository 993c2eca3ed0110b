/* Connections as evhttp's user sees them.
 *
 * evhttp has no callback for a new connection. It asks for a transport when it accepts, so that is
 * where a connection is counted; the evhttp_connection exists only after that call has returned
 * and is then found as the argument of the transport's callbacks. */
#include "daemon/loop/connection.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "daemon/base/interval.h"
#include "daemon/net/problem.h"

enum { TURNED_AWAY = 512 }; /* bytes of that answer */

static void count_down(struct connections *all)
{
    all->count--;
    if (all->listener != NULL) {
        evconnlistener_enable(all->listener);
    }
}

static void connection_free(struct connection *connection)
{
    if (connection->timer != NULL) {
        event_free(connection->timer);
    }
    if (connection->leaving != NULL) {
        event_free(connection->leaving);
    }
    free(connection);
}

static void on_closed(struct evhttp_connection *evhttp, void *argument)
{
    struct connection *connection = argument;
    struct connections *all = connection->all;

    (void)evhttp;
    all->by_fd[connection->fd] = NULL;
    if (connection->refused && linger_begin(&all->lingerers, connection->fd)) {
        (void)bufferevent_setfd(connection->transport, -1);
    }
    count_down(all);
    all->gone(all->context, connection);
    connection_free(connection);
}

static void on_timer(evutil_socket_t fd, short what, void *argument)
{
    struct connection *connection = argument;

    (void)fd;
    (void)what;
    if (connection->request != NULL) {
        connection->all->late(connection->all->context, connection);
    } else {
        evhttp_connection_free(connection->evhttp);
    }
}

/* Whether the client has closed its end, or both; also behind what it has sent. */
static bool has_left(const struct connection *connection)
{
    struct pollfd end = {.fd = connection->fd, .events = POLLRDHUP};

    return poll(&end, 1, 0) > 0;
}

static void on_leaving(evutil_socket_t fd, short what, void *argument)
{
    static const struct timeval PAUSE = {.tv_sec = 1};
    struct connection *connection = argument;

    (void)fd;
    if (what & EV_WRITE) {
        connection->refused = connection->all->unread(connection->all->context, connection);
        connection->refusing = false;
    } else if (has_left(connection)) {
        evhttp_connection_free(connection->evhttp);
    } else { /* it has sent more, which stays unread: we look from time to time */
        event_assign(connection->leaving, connection->all->base, -1, 0, on_leaving, connection);
        event_add(connection->leaving, &PAUSE);
    }
}

/* Something is to be sent. While nothing is asked that is evhttp's own: it comes here before the
 * loop sends anything, in the middle of evhttp's work. */
static void on_output(struct evbuffer *output, const struct evbuffer_cb_info *info, void *argument)
{
    struct connection *connection = argument;

    (void)output;
    if (info->n_added > 0 && connection->request == NULL && !connection->refusing) {
        connection->refusing = true;
        event_active(connection->leaving, EV_WRITE, 0);
    }
}

/* Makes room in the table for a descriptor. */
static bool table_reserve(struct connections *all, int fd)
{
    if (fd < all->by_fd_size) {
        return true;
    }
    int size = fd + 64;
    struct connection **grown = realloc(all->by_fd, (size_t)size * sizeof(struct connection *));
    if (grown == NULL) {
        return false;
    }
    for (int i = all->by_fd_size; i < size; i++) {
        grown[i] = NULL;
    }
    all->by_fd = grown;
    all->by_fd_size = size;
    return true;
}

static void note_peer(struct connection *connection)
{
    char *address = NULL;
    ev_uint16_t port;

    evhttp_connection_get_peer(connection->evhttp, &address, &port);
    snprintf(connection->peer, sizeof connection->peer, "%s", address != NULL ? address : "");
}

/* Says that there are too many, without waiting for what is asked, and closes. */
static void turn_away(struct connection *connection)
{
    struct response refusal =
        problem(PROBLEM_TOO_MANY, NULL, "this address has as many connections as it may");
    char text[TURNED_AWAY];
    int size =
        snprintf(text, sizeof text,
                 "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Type: %s\r\n"
                 "Content-Length: %zu\r\nConnection: close\r\n\r\n%.*s",
                 refusal.content_type, refusal.body_size, (int)refusal.body_size, refusal.body);

    response_fini(&refusal);
    connection->refused = size > 0 && size < TURNED_AWAY &&
                          send(connection->fd, text, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
    evhttp_connection_free(connection->evhttp);
}

/* Runs as soon as evhttp has made its connection for the transport. */
static void on_adopt(evutil_socket_t none, short what, void *argument)
{
    struct connection *connection = argument;
    struct connections *all = connection->all;
    bufferevent_event_cb alive;
    void *evhttp;

    (void)none;
    (void)what;
    event_free(connection->timer);
    bufferevent_getcb(connection->transport, NULL, NULL, &alive, &evhttp);
    connection->evhttp = evhttp;
    connection->fd = bufferevent_getfd(connection->transport);
    connection->timer = evtimer_new(all->base, on_timer, connection);
    connection->leaving = event_new(all->base, -1, 0, on_leaving, connection);
    bufferevent_decref(connection->transport);
    if (alive == NULL) { /* evhttp failed to set it up and has freed it */
        count_down(all);
        connection_free(connection);
    } else if (connection->timer == NULL || connection->leaving == NULL ||
               !table_reserve(all, connection->fd) ||
               evbuffer_add_cb(bufferevent_get_output(connection->transport), on_output,
                               connection) == NULL) {
        count_down(all);
        connection_free(connection);
        evhttp_connection_free(evhttp);
    } else {
        all->by_fd[connection->fd] = connection;
        evhttp_connection_set_closecb(connection->evhttp, on_closed, connection);
        connection_rearm(connection);
        note_peer(connection);
        connection->counted = all->enter(all->context, connection);
        if (!connection->counted) {
            turn_away(connection);
        }
    }
}

/* evhttp accepts a connection and wants a transport for it. */
static struct bufferevent *on_accept(struct event_base *base, void *argument)
{
    struct connections *all = argument;
    struct connection *connection = calloc(1, sizeof *connection);
    struct bufferevent *transport = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);

    if (connection == NULL || transport == NULL ||
        (connection->timer = event_new(base, -1, 0, on_adopt, connection)) == NULL) {
        free(connection);
        return transport; /* connection_of will find nothing */
    }
    connection->all = all;
    connection->transport = transport;
    bufferevent_incref(transport);
    event_active(connection->timer, EV_TIMEOUT, 0);
    if (++all->count >= all->max) {
        evconnlistener_disable(all->listener);
    }
    return transport;
}

void connections_attach(struct connections *connections, struct evhttp *http)
{
    const struct timeval *common =
        event_base_init_common_timeout(connections->base, &connections->timeout);

    if (common != NULL) { /* else each timer is kept by itself, which is only slower */
        connections->timeout = *common;
    }
    connections->lingerers = (struct lingerers){.base = connections->base};
    evhttp_set_bevcb(http, on_accept, connections);
}

void connections_fini(struct connections *connections)
{
    lingerers_fini(&connections->lingerers);
    free(connections->by_fd);
    connections->by_fd = NULL;
    connections->by_fd_size = 0;
}

struct connection *connection_of(const struct connections *connections,
                                 struct evhttp_request *request)
{
    struct evhttp_connection *evhttp = evhttp_request_get_connection(request);
    int fd = bufferevent_getfd(evhttp_connection_get_bufferevent(evhttp));

    return fd >= 0 && fd < connections->by_fd_size ? connections->by_fd[fd] : NULL;
}

void connection_rearm(struct connection *connection)
{
    event_add(connection->timer, &connection->all->timeout);
}

void connection_rearm_for(struct connection *connection, double seconds)
{
    const struct timeval delay = interval(seconds);

    event_add(connection->timer, &delay);
}

void connection_unarm(struct connection *connection)
{
    event_del(connection->timer);
}

/* Libevent tells a reset to those who read or write; with nobody of these there it would hear of it
 * again and again, and tell nobody. */
void connection_watch(struct connection *connection)
{
    event_del(connection->leaving);
    event_assign(connection->leaving, connection->all->base, connection->fd, EV_READ | EV_CLOSED,
                 on_leaving, connection);
    event_add(connection->leaving, NULL);
}

void connection_unwatch(struct connection *connection)
{
    event_del(connection->leaving);
}

void connections_close_idle(struct connections *connections)
{
    for (int fd = 0; fd < connections->by_fd_size; fd++) {
        struct connection *connection = connections->by_fd[fd];
        if (connection != NULL && connection->request == NULL &&
            evbuffer_get_length(bufferevent_get_output(connection->transport)) == 0) {
            evhttp_connection_free(connection->evhttp);
        }
    }
}
