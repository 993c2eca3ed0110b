/* The DXP listener: programs connect, request games of the international rules and play a level. On
 * the event loop's thread. */
#pragma once

#include "daemon/loop/service.h"

struct dxp_server;

struct dxp_settings {
    const char *listen; /* address and port */
    int level;
    int clients;     /* at most; one more is closed at once */
    double patience; /* seconds a client may say nothing */
};

/* Listens. `service` is not owned: its pool searches, its artefacts have the level. NULL with
 * ERR_USAGE for an address that cannot be read, ERR_FAILED when the system refuses. */
struct dxp_server *dxp_server_create(struct event_base *base, struct service *service,
                                     const struct dxp_settings *settings, struct err *err);

/* Ends all games and closes the port; before the pool is destroyed. Takes NULL. */
void dxp_server_destroy(struct dxp_server *server);

/* Takes the result of a search with PURPOSE_DXP. */
void dxp_searched(struct job *job);
