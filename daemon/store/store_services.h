/* Other back ends that play for users of their own: each has a key, of which only a hash is kept.
 */
#pragma once

#include "daemon/store/store.h"

enum { SERVICES_MAX = 256 };

struct service_key {
    int64_t id;
    char name[LABEL_TEXT];
    int64_t created;
    bool revoked;
    int64_t users; /* who have played */
};

/* Whose key it is that has this hash; 0: nobody's, or revoked. */
bool store_service(struct store *store, const unsigned char key[TOKEN_HASH], int64_t *id,
                   struct err *err);

/* All of them, in order of their making, at most SERVICES_MAX. */
bool store_services(struct store *store, struct service_key out[SERVICES_MAX], int *count,
                    struct err *err);
