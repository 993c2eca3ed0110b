/* The beginning and the end of a service. */
#pragma once

#include "daemon/loop/service.h"
#include "daemon/loop/settings.h"

/* Opens what requests are answered from; the settings' texts must outlive it. On failure, too,
 * service_close is to be called. */
bool service_open(struct service *service, const struct settings *settings, struct err *err);

/* Behind the last request: ends the threads, closes the store. Of a zeroed service, too. */
void service_close(struct service *service);
