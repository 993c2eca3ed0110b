/* Service keys and the users that come with them. */
#include "daemon/store/store_services.h"

#include <stdio.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

/* --- writing --------------------------------------------------------------------------------- */

enum database_status store_add_service(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, ADD_SERVICE);

    query_text(&query, change->label);
    query_blob(&query, change->token, TOKEN_HASH);
    query_integer(&query, change->at);
    return query_run(&query);
}

enum database_status store_revoke_service(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, REVOKE_SERVICE);

    query_integer(&query, change->at);
    query_text(&query, change->label);
    enum database_status status = query_run(&query);
    return status == DATABASE_DONE && database_touched(store->database) == 0 ? DATABASE_CONFLICT
                                                                             : status;
}

enum database_status store_add_user(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, ADD_USER);

    query_integer(&query, change->person);
    query_integer(&query, change->at);
    query_integer(&query, change->service);
    query_text(&query, change->user);
    return query_run(&query);
}

/* --- reading --------------------------------------------------------------------------------- */

bool store_service(struct store *store, const unsigned char key[TOKEN_HASH], int64_t *id,
                   struct err *err)
{
    struct query query = query_begin(store->database, FIND_SERVICE);

    query_blob(&query, key, TOKEN_HASH);
    enum database_status status = query_step(&query);
    *id = status == DATABASE_ROW ? query_get_integer(&query, 0) : 0;
    bool read =
        status == DATABASE_ROW || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}

bool store_services(struct store *store, struct service_key out[SERVICES_MAX], int *count,
                    struct err *err)
{
    struct query query = query_begin(store->database, FIND_SERVICES);
    enum database_status status = DATABASE_DONE;

    for (*count = 0; *count < SERVICES_MAX && (status = query_step(&query)) == DATABASE_ROW;
         ++*count) {
        struct service_key *row = &out[*count];
        *row = (struct service_key){.id = query_get_integer(&query, 0),
                                    .created = query_get_integer(&query, 2),
                                    .revoked = !query_is_null(&query, 3),
                                    .users = query_get_integer(&query, 4)};
        snprintf(row->name, sizeof row->name, "%s", query_get_text(&query, 1));
    }
    bool read = status != DATABASE_FAILED || database_fail(store->database, err);
    query_end(&query);
    return read;
}
