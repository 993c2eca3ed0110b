/* The paths that are WebSockets: from a request to the opening of one. */
#pragma once

#include "daemon/api/api.h"

/* GET /v1/games/{id}/live?since=NUMBER */
struct answer live_open_game(const struct api *api, const struct request *request, const char *id);

/* GET /v1/echo: sends back what it gets. For conformance runs; only where it is switched on. */
struct answer echo_open(const struct api *api, const struct request *request, const char *id);
