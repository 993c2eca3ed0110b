/* What the daemon knows of who asks. */
#pragma once

#include "daemon/api/api.h"

/* GET /v1/me and /v1/me/export; `id` is not looked at. */
struct answer me_get(const struct api *api, const struct request *request, const char *id);
struct answer me_get_export(const struct api *api, const struct request *request, const char *id);
