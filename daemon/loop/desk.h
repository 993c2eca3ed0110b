/* Requests that wait for a password's hash or for a change that is about no game. On the event
 * loop's thread. */
#pragma once

#include "daemon/loop/service.h"

/* Has a password hashed; the connection waits, and its request is handled again behind it. */
void desk_hash(struct service *service, struct connection *connection, struct hash_work *work);

/* Handles the requests again whose passwords have been hashed. */
void desk_hashed(struct service *service);

/* What is answered when too many changes wait already, of whatever kind. */
struct response desk_full(void);

/* Has a change about no game stored; the connection waits. */
void desk_store(struct service *service, struct connection *connection, struct change *change);

/* Answers for such a change that has been stored, or could not be. */
void desk_stored(struct service *service, struct change *change);

/* Has the weights that are served kept, so that games begun with them go on with them. */
void desk_keep_weights(struct service *service);

/* Parts a connection from what it waits for here. */
void desk_leave(struct connection *connection);
