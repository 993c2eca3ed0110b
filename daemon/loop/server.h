/* The daemon's shell: sockets, signals, time. It decides nothing; api.h does. */
#pragma once

#include "daemon/loop/settings.h"
#include "daemon/think/artefacts.h"
#include "engine/base/err.h"
#include "engine/base/log.h"

struct server;

/* Opens the port and starts the search threads. Takes over the caller's reference to artefacts
 * when it succeeds. settings and log are not owned and must outlive it. NULL with ERR_USAGE for an
 * address that cannot be read, ERR_FAILED for one that is taken. */
struct server *server_create(const struct settings *settings, struct artefacts *artefacts,
                             const struct log *log, struct err *err);

/* Serves until SIGTERM or SIGINT, then lets what runs finish; SIGHUP reloads weights.dir. */
bool server_run(struct server *server, struct err *err);

/* Takes NULL. */
void server_destroy(struct server *server);
