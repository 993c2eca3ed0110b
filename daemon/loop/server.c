/* evhttp on one thread, searches on others; between them values. */
#include "daemon/loop/server.h"

#include <event2/http.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "daemon/base/interval.h"
#include "daemon/base/notify.h"
#include "daemon/loop/desk.h"
#include "daemon/loop/live.h"
#include "daemon/loop/server_parts.h"
#include "daemon/loop/service_open.h"
#include "daemon/net/http.h"
#include "daemon/net/listen.h"

enum {
    EVHTTP_BODY = 2 * BODY_MAX, /* up to here the 413 is ours, above it evhttp's */
    SPARE_FILES = 64,           /* descriptors beside the connections */
};

static void on_late(void *context, struct connection *connection)
{
    struct server *server = context;

    service_late(&server->service, connection);
}

static bool on_unread(void *context, struct connection *connection)
{
    struct server *server = context;

    return service_unread(&server->service, connection);
}

static bool on_enter(void *context, struct connection *connection)
{
    struct server *server = context;
    bool let_in = visitors_enter(server->service.visitors, connection->peer);

    server->service.metrics.turned_away += !let_in;
    return let_in;
}

static void on_gone(void *context, struct connection *connection)
{
    struct server *server = context;

    if (connection->counted) {
        visitors_leave(server->service.visitors, connection->peer);
    }
    service_leave(&server->service, connection);
    if (server->port == NULL && server->service.connections.count == 0) {
        event_base_loopbreak(server->base);
    }
}

/* Raises the limit of open files to what the settings need. */
static bool raise_file_limit(const struct settings *settings, struct err *err)
{
    const rlim_t need = (rlim_t)settings->max_connections + SPARE_FILES;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= need) {
        return true;
    }
    if (limit.rlim_max < need) {
        return err_set(err, ERR_USAGE,
                       "http.max_connections = %lld needs %llu open files, the system allows %llu",
                       (long long)settings->max_connections, (unsigned long long)need,
                       (unsigned long long)limit.rlim_max);
    }
    limit.rlim_cur = need;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ||
           err_set(err, ERR_FAILED, "cannot raise the limit of open files");
}

static bool open_port(struct server *server, struct err *err)
{
    const int handed = notify_socket();
    struct evconnlistener *listener =
        handed >= 0 ? listen_adopt(server->base, handed, err)
                    : listen_open(server->base, server->settings->listen, err);

    if (listener == NULL) {
        return err_prefix(err, "http.listen");
    }
    server->service.connections.listener = listener;
    server->port = evhttp_bind_listener(server->http, listener);
    if (server->port == NULL) {
        evconnlistener_free(listener);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    return true;
}

static bool open_http(struct server *server, struct err *err)
{
    const unsigned methods = EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT |
                             EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE |
                             EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH;

    server->http = evhttp_new(server->base);
    if (server->http == NULL) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    evhttp_set_max_headers_size(server->http, HEADER_MAX);
    evhttp_set_max_body_size(server->http, EVHTTP_BODY);
    evhttp_set_allowed_methods(server->http, (ev_uint16_t)methods);
    evhttp_set_default_content_type(server->http, NULL);
    evhttp_set_flags(server->http, EVHTTP_SERVER_LINGERING_CLOSE);
    evhttp_set_gencb(server->http, service_request, &server->service);
    server->service.connections = (struct connections){
        .base = server->base,
        .max = (int)server->settings->max_connections,
        .timeout = interval(server->settings->timeout),
        .context = server,
        .enter = on_enter,
        .late = on_late,
        .unread = on_unread,
        .gone = on_gone,
    };
    connections_attach(&server->service.connections, server->http);
    if (!live_init(&server->service)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    return open_port(server, err);
}

/* A loop used by one thread alone, which tells epoll of changes in batches. */
static struct event_base *make_loop(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    if (config != NULL &&
        event_config_set_flag(config,
                              EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST) == 0) {
        base = event_base_new_with_config(config);
    }
    if (config != NULL) {
        event_config_free(config);
    }
    return base;
}

static bool open_dxp(struct server *server, struct err *err)
{
    const struct settings *settings = server->settings;
    const struct dxp_settings dxp = {.listen = settings->dxp_listen,
                                     .level = (int)settings->dxp_level,
                                     .clients = (int)settings->dxp_clients,
                                     .patience = settings->dxp_patience};

    if (settings->dxp_listen[0] != '\0') {
        server->dxp = dxp_server_create(server->base, &server->service, &dxp, err);
        return server->dxp != NULL;
    }
    return true;
}

static bool open_all(struct server *server, struct err *err)
{
    server->base = make_loop();
    if (server->base == NULL) {
        return err_set(err, ERR_FAILED, "cannot make an event loop");
    }
    return raise_file_limit(server->settings, err) && open_http(server, err) &&
           service_open(&server->service, server->settings, err) &&
           server_open_events(server, err) && open_dxp(server, err);
}

struct server *server_create(const struct settings *settings, struct artefacts *artefacts,
                             const struct log *log, struct err *err)
{
    struct server *server = calloc(1, sizeof *server);

    if (server == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    server->settings = settings;
    server->log = log;
    server->service.log = log;
    server->service.sessions_ended = live_sessions_ended;
    server->service.live_limits = (struct live_limits){
        .ping = interval(settings->ping), .output = (size_t)settings->live_buffer * 1024};
    if (!open_all(server, err)) {
        server_destroy(server);
        return NULL;
    }
    server->service.artefacts = artefacts;
    desk_keep_weights(&server->service);
    return server;
}

bool server_run(struct server *server, struct err *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    char url[URL_SIZE];

    if (sigaction(SIGPIPE, &ignore, NULL) != 0) {
        return err_set(err, ERR_FAILED, "cannot ignore SIGPIPE");
    }
    listen_url(server->service.connections.listener, url);
    evconnlistener_enable(server->service.connections.listener);
    log_line(server->log, LOG_INFO, "listening on %s", url);
    notify_send("READY=1");
    if (event_base_dispatch(server->base) < 0) {
        return err_set(err, ERR_FAILED, "the event loop failed");
    }
    log_line(server->log, LOG_INFO, "stopped");
    return true;
}

void server_destroy(struct server *server)
{
    if (server == NULL) {
        return;
    }
    server->service.connections.listener = NULL;
    if (server->http != NULL) {
        evhttp_free(server->http); /* closes the connections, which abandon their searches */
    }
    dxp_server_destroy(server->dxp);
    service_close(&server->service);
    server_close_events(server);
    live_fini(&server->service);
    connections_fini(&server->service.connections);
    if (server->base != NULL) {
        event_base_free(server->base);
    }
    free(server);
}
