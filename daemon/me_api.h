/* What the daemon knows of who asks. */
#pragma once

#include "daemon/api.h"

/* GET /v1/me; `id` is not looked at. */
struct answer me_get(const struct api *api, const struct request *request, const char *id);
