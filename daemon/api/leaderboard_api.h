/* Who has come how far. */
#pragma once

#include "daemon/api/api.h"

/* GET /v1/leaderboard?rules=&offset=&limit=; `id` is not looked at. */
struct answer leaderboard_get(const struct api *api, const struct request *request, const char *id);
