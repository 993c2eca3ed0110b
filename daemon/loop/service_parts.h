/* What arrival.c and service.c share of a service. */
#pragma once

#include "daemon/loop/service.h"

/* Handles the request of a connection; `last`: it is to wait no more. */
void service_dispatch(struct service *service, struct connection *connection, bool last);

/* Sends a response, whose body it takes, and counts and logs it; `close`: the connection ends
 * behind it. */
void service_send(struct service *service, struct connection *connection, struct response *response,
                  bool close);
