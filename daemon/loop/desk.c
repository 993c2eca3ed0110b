/* Between a request, the hashing threads and the writer. */
#include "daemon/loop/desk.h"

#include <stdlib.h>
#include <time.h>

#include "daemon/api/account_api.h"
#include "daemon/net/problem.h"

void desk_hash(struct service *service, struct connection *connection, struct hash_work *work)
{
    work->owner = connection;
    if (hasher_submit(service->hasher, work)) {
        connection->hashing = work;
        connection_rearm(connection);
        connection_watch(connection);
        return;
    }
    hash_work_destroy(work);
    struct response refusal =
        problem(PROBLEM_OVERLOADED, NULL, "too many passwords wait to be hashed");
    service_reply(service, connection, &refusal);
}

void desk_hashed(struct service *service)
{
    struct hash_work *next;

    for (struct hash_work *work = hasher_take(service->hasher); work != NULL; work = next) {
        struct connection *connection = work->owner;
        next = work->next;
        if (connection != NULL) {
            connection->hashing = NULL;
            connection->hashed = work;
            service_again(service, connection);
            connection->hashed = NULL;
        }
        hash_work_destroy(work);
    }
}

struct response desk_full(void)
{
    return problem(PROBLEM_OVERLOADED, NULL, "too much waits to be stored already");
}

void desk_store(struct service *service, struct connection *connection, struct change *change)
{
    change->owner = NULL;
    change->asker = connection;
    if (writer_submit(service->writer, change)) {
        connection->change = change;
        connection_rearm(connection);
        connection_watch(connection);
        return;
    }
    change_destroy(change);
    struct response refusal = desk_full();
    service_reply(service, connection, &refusal);
}

void desk_stored(struct service *service, struct change *change)
{
    struct connection *connection = change->asker;

    if (change->status != CHANGE_STORED) {
        log_line(service->log, LOG_ERROR, "not stored: %s", change->detail);
    } else if (service->sessions_ended != NULL &&
               (change->parts & (CHANGE_LOGOUT | CHANGE_FORGET)) != 0) {
        service->sessions_ended(service, change);
    }
    if (change->status == CHANGE_STORED &&
        (change->parts & (CHANGE_ACCOUNT | CHANGE_FORGET)) != 0) {
        rooms_person_changed(&service->rooms, change->person);
    }
    if (connection != NULL) {
        struct response response = account_changed(change);
        connection->change = NULL;
        service_reply(service, connection, &response);
    } else if (change->replay != NULL) { /* who asked has gone, and may ask again */
        struct response response = account_changed(change);
        replay_finish(change->replay, &response);
        response_fini(&response);
    }
}

void desk_leave(struct connection *connection)
{
    if (connection->hashing != NULL) {
        connection->hashing->owner = NULL;
        connection->hashing = NULL;
    }
    if (connection->change != NULL) {
        connection->change->asker = NULL;
        connection->change = NULL;
    }
}

void desk_keep_weights(struct service *service)
{
    struct change *change = calloc(1, sizeof *change);

    if (change != NULL) {
        *change = (struct change){.parts = CHANGE_WEIGHTS,
                                  .at = (int64_t)time(NULL),
                                  .artefacts = artefacts_hold(service->artefacts)};
        if (writer_submit(service->writer, change)) {
            return;
        }
        change_destroy(change);
    }
    log_line(service->log, LOG_ERROR, "these weights are not kept for the games begun with them");
}
