/* People, their names and their sessions. */
#include "daemon/store/store_people.h"

#include <stdio.h>
#include <string.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

/* --- writing --------------------------------------------------------------------------------- */

enum database_status store_add_person(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, ADD_PERSON);

    query_integer(&query, change->person);
    query_integer(&query, change->at);
    return query_run(&query);
}

static enum database_status add_look(struct store *store, const char *look, int64_t person)
{
    struct query query = query_begin(store->database, ADD_LOOK);

    query_text(&query, look);
    query_integer(&query, person);
    return query_run(&query);
}

/* A statement about the person alone. */
static enum database_status of_person(struct store *store, enum statement statement,
                                      const struct change *change)
{
    struct query query = query_begin(store->database, (int)statement);

    query_integer(&query, change->person);
    return query_run(&query);
}

static enum database_status add_looks(struct store *store, const struct change *change)
{
    const struct name *name = &change->name;
    enum database_status status = add_look(store, name->look[0], change->person);

    return status == DATABASE_DONE && strcmp(name->look[0], name->look[1]) != 0
               ? add_look(store, name->look[1], change->person)
               : status;
}

/* Sets name and key, and has the person look so and no longer otherwise. */
enum database_status store_rename(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, RENAME);

    query_text(&query, change->name.text);
    query_text(&query, change->name.key);
    query_integer(&query, change->person);
    enum database_status status = query_run(&query);
    status = status == DATABASE_DONE ? of_person(store, FORGET_LOOKS, change) : status;
    return status == DATABASE_DONE ? add_looks(store, change) : status;
}

enum database_status store_ban(struct store *store, const struct change *change)
{
    if (!change->banned) {
        enum database_status status = of_person(store, UNBAN, change);
        return status == DATABASE_DONE ? of_person(store, LIST_PERSON, change) : status;
    }
    struct query query = query_begin(store->database, BAN);
    query_integer(&query, change->at);
    query_text(&query, change->label);
    query_integer(&query, change->person);
    enum database_status status = query_run(&query);
    return status == DATABASE_DONE ? of_person(store, UNLIST_PERSON, change) : status;
}

/* Who has a name already does not get another this way. */
enum database_status store_add_account(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, ADD_ACCOUNT);

    query_text(&query, change->name.text);
    query_text(&query, change->name.key);
    query_text(&query, change->password);
    query_blob(&query, change->recovery, TOKEN_HASH);
    query_integer(&query, change->person);
    enum database_status status = query_run(&query);
    if (status == DATABASE_DONE && database_touched(store->database) == 0) {
        return DATABASE_CONFLICT;
    }
    status = status == DATABASE_DONE ? add_looks(store, change) : status;
    return status == DATABASE_DONE ? of_person(store, LIST_PERSON, change) : status;
}

enum database_status store_set_password(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, SET_PASSWORD);

    query_text(&query, change->password);
    query_integer(&query, change->person);
    return query_run(&query);
}

enum database_status store_set_recovery(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, SET_RECOVERY);

    query_blob(&query, change->recovery, TOKEN_HASH);
    query_integer(&query, change->person);
    return query_run(&query);
}

enum database_status store_add_session(struct store *store, const struct change *change)
{
    struct query query = query_begin(store->database, ADD_SESSION);

    query_blob(&query, change->token, TOKEN_HASH);
    query_integer(&query, change->person);
    query_integer(&query, change->at);
    query_integer(&query, change->expires);
    return query_run(&query);
}

enum database_status store_end_sessions(struct store *store, const struct change *change)
{
    if (change->all_ended) {
        return of_person(store, END_SESSIONS, change);
    }
    struct query query = query_begin(store->database, END_SESSION);
    query_blob(&query, change->ended, TOKEN_HASH);
    return query_run(&query);
}

/* Games with a friend stay: they are the friend's too, and the number in them is nobody's then. */
enum database_status store_forget(struct store *store, const struct change *change)
{
    static const enum statement STEPS[] = {END_SESSIONS, FORGET_EVENTS,   FORGET_GAMES,
                                           FORGET_LOOKS, FORGET_PROGRESS, FORGET_STANDINGS,
                                           FORGET_PERSON};
    enum database_status status = DATABASE_DONE;

    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0] && status == DATABASE_DONE; i++) {
        status = of_person(store, STEPS[i], change);
    }
    return status;
}

/* --- reading --------------------------------------------------------------------------------- */

bool store_session(struct store *store, const unsigned char token[TOKEN_HASH], int64_t now,
                   int64_t *person, struct err *err)
{
    struct query query = query_begin(store->database, FIND_SESSION);

    query_blob(&query, token, TOKEN_HASH);
    query_integer(&query, now);
    enum database_status status = query_step(&query);
    *person = status == DATABASE_ROW ? query_get_integer(&query, 0) : NOBODY;
    bool read =
        status == DATABASE_ROW || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}

static void take_person(const struct query *row, struct person *out)
{
    size_t size;
    const void *recovery = query_get_blob(row, 5, &size);

    *out = (struct person){.id = query_get_integer(row, 0),
                           .created = query_get_integer(row, 1),
                           .banned = !query_is_null(row, 6)};
    snprintf(out->name, sizeof out->name, "%s", query_get_text(row, 2));
    snprintf(out->key, sizeof out->key, "%s", query_get_text(row, 3));
    snprintf(out->password, sizeof out->password, "%s", query_get_text(row, 4));
    snprintf(out->banned_for, sizeof out->banned_for, "%s", query_get_text(row, 7));
    if (recovery != NULL && size == TOKEN_HASH) {
        memcpy(out->recovery, recovery, TOKEN_HASH);
    }
}

/* The one row, or none, of a query for a person. */
static bool read_person(struct store *store, struct query *query, struct person *out, bool *found,
                        struct err *err)
{
    enum database_status status = query_step(query);

    *out = (struct person){.id = NOBODY};
    *found = status == DATABASE_ROW;
    if (*found) {
        take_person(query, out);
    }
    bool read = *found || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(query);
    return read;
}

bool store_person(struct store *store, int64_t id, struct person *out, bool *found, struct err *err)
{
    struct query query = query_begin(store->database, FIND_PERSON);

    query_integer(&query, id);
    return read_person(store, &query, out, found, err);
}

bool store_person_named(struct store *store, const char *key, struct person *out, bool *found,
                        struct err *err)
{
    struct query query = query_begin(store->database, FIND_NAMED);

    query_text(&query, key);
    return read_person(store, &query, out, found, err);
}

bool store_look_taken(struct store *store, const struct name *name, bool *taken, struct err *err)
{
    *taken = false;
    for (int i = 0; i < NAME_LOOKS && !*taken; i++) {
        struct query query = query_begin(store->database, FIND_LOOK);
        query_text(&query, name->look[i]);
        enum database_status status = query_step(&query);
        *taken = status == DATABASE_ROW;
        if (!*taken && status != DATABASE_DONE) {
            database_fail(store->database, err);
            query_end(&query);
            return false;
        }
        query_end(&query);
    }
    return true;
}
