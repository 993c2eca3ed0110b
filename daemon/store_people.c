/* People and their sessions. */
#include "daemon/store_parts.h"
#include "daemon/store_sql.h"

enum database_status store_add_person(struct store *store, const struct change *change)
{
    struct query person = query_begin(store->database, ADD_PERSON),
                 session = query_begin(store->database, ADD_SESSION);

    query_integer(&person, change->person);
    query_integer(&person, change->event.at);
    query_blob(&session, change->token, TOKEN_HASH);
    query_integer(&session, change->person);
    query_integer(&session, change->event.at);
    enum database_status status = query_run(&person);
    return status == DATABASE_DONE ? query_run(&session) : status;
}

bool store_session(struct store *store, const unsigned char token[TOKEN_HASH], int64_t *person,
                   struct err *err)
{
    struct query query = query_begin(store->database, FIND_SESSION);

    query_blob(&query, token, TOKEN_HASH);
    enum database_status status = query_step(&query);
    *person = status == DATABASE_ROW ? query_get_integer(&query, 0) : NOBODY;
    bool read =
        status == DATABASE_ROW || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}

bool store_opened(struct store *store, int64_t person, const struct variant *variant, int *level,
                  struct err *err)
{
    struct query query = query_begin(store->database, FIND_OPENED);
    enum database_status status;

    *level = 1;
    query_integer(&query, person);
    query_text(&query, variant->rules->name);
    while ((status = query_step(&query)) == DATABASE_ROW) {
        if (query_get_integer(&query, 0) == *level && *level < LEVELS_MAX) {
            (*level)++;
        }
    }
    bool read = status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}
