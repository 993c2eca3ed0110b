/* Sockets and searches around dxp_session.h. */
#include "daemon/loop/dxp_server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdlib.h>

#include "daemon/base/interval.h"
#include "daemon/dxp/dxp_session.h"
#include "daemon/net/listen.h"
#include "engine/base/clock.h"

static const struct timeval RETRY = {.tv_usec = 200000}; /* when the pool has no place */

struct dxp_client {
    struct dxp_server *server;
    struct dxp_client *previous, *next;
    struct bufferevent *transport;
    struct event *retry;
    struct dxp_session session;
    struct job *job; /* the search for our move; NULL: none runs */
    double since;    /* clock_seconds when our move began */
    bool closing;    /* behind what is still to be sent */
};

struct dxp_server {
    struct event_base *base;
    struct service *service;
    struct dxp_settings settings;
    struct evconnlistener *listener;
    struct dxp_client *clients;
    int count;
};

static const struct artefact_slot *slot_of(const struct dxp_server *server)
{
    return artefacts_of(server->service->artefacts, &variant_international);
}

static void give_up_search(struct dxp_client *client)
{
    if (client->job != NULL) {
        client->job->owner = NULL;
        pool_cancel(client->server->service->pool, client->job);
        client->job = NULL;
    }
    event_del(client->retry);
}

static void client_free(struct dxp_client *client)
{
    struct dxp_server *server = client->server;

    give_up_search(client);
    if (client->previous != NULL) {
        client->previous->next = client->next;
    } else {
        server->clients = client->next;
    }
    if (client->next != NULL) {
        client->next->previous = client->previous;
    }
    server->count--;
    dxp_session_fini(&client->session);
    event_free(client->retry);
    bufferevent_free(client->transport);
    free(client);
}

/* Starts the search for our move; without a place for it, soon. */
static void start_search(struct dxp_client *client)
{
    struct service *service = client->server->service;
    const struct level *level =
        &slot_of(client->server)->artefact.levels.level[client->server->settings.level - 1];
    uint64_t seed = 0;

    random_take(&service->random, &seed, sizeof seed); /* else the same choices again */
    struct task *task =
        task_for_game(PURPOSE_DXP, &client->session.game, level, seed, service->artefacts);
    struct job *job = task != NULL ? job_create(task, client, (uint64_t)(uintptr_t)client) : NULL;
    if (job != NULL) {
        if (pool_submit(service->pool, job)) {
            client->job = job;
            return;
        }
        job_destroy(job);
    } else {
        task_destroy(task);
    }
    event_add(client->retry, &RETRY);
}

/* Does what the session says. False: the client is gone. */
static bool carry_out(struct dxp_client *client, const struct dxp_reply *reply, bool was_ours)
{
    bool ours = client->session.state == DXP_OURS;

    if (was_ours && !ours) {
        give_up_search(client);
    } else if (!was_ours && ours) {
        client->since = clock_seconds();
        start_search(client);
    }
    if (reply->size > 0 && bufferevent_write(client->transport, reply->text, reply->size) != 0) {
        client_free(client);
        return false;
    }
    client->closing = client->closing || reply->close;
    if (client->closing && evbuffer_get_length(bufferevent_get_output(client->transport)) == 0) {
        client_free(client);
        return false;
    }
    return true;
}

static void log_game(const struct dxp_client *client, bool was_playing)
{
    bool playing = client->session.state != DXP_IDLE;

    if (playing && !was_playing) {
        log_line(client->server->service->log, LOG_INFO, "dxp: a game with %s",
                 client->session.opponent);
    } else if (was_playing && !playing) {
        log_line(client->server->service->log, LOG_INFO, "dxp: the game with %s is over",
                 client->session.opponent);
    }
}

/* Takes the next message out of what has come. False: there is none yet. */
static bool next_message(struct evbuffer *input, char text[DXP_SIZE], size_t *size, bool *too_long)
{
    struct evbuffer_ptr end = evbuffer_search(input, "", 1, NULL);

    *too_long = end.pos < 0 ? evbuffer_get_length(input) >= DXP_SIZE : end.pos >= DXP_SIZE;
    if (end.pos < 0 || *too_long) {
        return false;
    }
    *size = (size_t)end.pos;
    evbuffer_remove(input, text, *size + 1);
    return true;
}

static void on_readable(struct bufferevent *transport, void *context)
{
    struct dxp_client *client = context;
    struct evbuffer *input = bufferevent_get_input(transport);
    const struct artefact_slot *slot = slot_of(client->server);
    struct dxp_reply reply;
    char text[DXP_SIZE];
    bool too_long = false;
    size_t size;

    while (!client->closing && next_message(input, text, &size, &too_long)) {
        bool was_ours = client->session.state == DXP_OURS;
        bool was_playing = client->session.state != DXP_IDLE;
        client->session.serving = slot->loaded && slot->artefact.levels.count > 0;
        dxp_session_receive(&client->session, text, size, &reply);
        log_game(client, was_playing);
        if (!carry_out(client, &reply, was_ours)) {
            return;
        }
    }
    if (too_long) {
        client_free(client);
    }
}

/* Everything is sent. */
static void on_writable(struct bufferevent *transport, void *context)
{
    struct dxp_client *client = context;

    (void)transport;
    if (client->closing) {
        client_free(client);
    }
}

static void on_event(struct bufferevent *transport, short what, void *context)
{
    (void)transport;
    (void)what;
    client_free(context);
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    start_search(context);
}

void dxp_searched(struct job *job)
{
    struct dxp_client *client = job->owner;
    struct dxp_reply reply;

    if (client == NULL) {
        return;
    }
    client->job = NULL;
    if (job->cancelled || job->refused || !job->task->has_move) {
        event_add(client->retry, &RETRY);
        return;
    }
    dxp_session_move(&client->session, &job->task->best, clock_seconds() - client->since, &reply);
    carry_out(client, &reply, true);
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int size, void *context)
{
    struct dxp_server *server = context;
    const struct timeval limit = interval(server->settings.patience);
    struct dxp_client *client =
        server->count < server->settings.clients ? calloc(1, sizeof *client) : NULL;

    (void)listener;
    (void)address;
    (void)size;
    if (client == NULL ||
        (client->transport = bufferevent_socket_new(server->base, fd, BEV_OPT_CLOSE_ON_FREE)) ==
            NULL ||
        (client->retry = evtimer_new(server->base, on_retry, client)) == NULL) {
        if (client != NULL && client->transport != NULL) {
            bufferevent_free(client->transport);
        } else {
            evutil_closesocket(fd);
        }
        free(client);
        return;
    }
    client->server = server;
    client->next = server->clients;
    if (client->next != NULL) {
        client->next->previous = client;
    }
    server->clients = client;
    server->count++;
    dxp_session_init(&client->session, &variant_international, "Draughtsmith");
    bufferevent_setcb(client->transport, on_readable, on_writable, on_event, client);
    bufferevent_set_timeouts(client->transport, &limit, &limit);
    bufferevent_enable(client->transport, EV_READ | EV_WRITE);
}

struct dxp_server *dxp_server_create(struct event_base *base, struct service *service,
                                     const struct dxp_settings *settings, struct err *err)
{
    struct dxp_server *server = calloc(1, sizeof *server);
    char url[URL_SIZE];

    if (server == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    *server = (struct dxp_server){.base = base, .service = service, .settings = *settings};
    server->listener = listen_open(base, settings->listen, err);
    if (server->listener == NULL) {
        free(server);
        err_prefix(err, "dxp.listen");
        return NULL;
    }
    evconnlistener_set_cb(server->listener, on_accept, server);
    evconnlistener_enable(server->listener);
    listen_url(server->listener, url);
    log_line(service->log, LOG_INFO, "DXP on %s, level %d", url + sizeof "http://" - 1,
             settings->level);
    return server;
}

void dxp_server_destroy(struct dxp_server *server)
{
    struct dxp_reply reply;

    if (server == NULL) {
        return;
    }
    evconnlistener_free(server->listener);
    for (struct dxp_client *client = server->clients, *next; client != NULL; client = next) {
        next = client->next;
        dxp_session_stop(&client->session, &reply);
        struct evbuffer *output = bufferevent_get_output(client->transport);
        if (bufferevent_write(client->transport, reply.text, reply.size) == 0 &&
            evbuffer_unfreeze(output, 1) == 0) {
            evbuffer_write(output, bufferevent_getfd(client->transport)); /* what goes, goes */
        }
        client_free(client);
    }
    free(server);
}
