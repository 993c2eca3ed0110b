/* Deleting a bounded number of rows at a time, so that a sweep never holds a move up for long. */
#include "daemon/store/store_sweep.h"

#include <stdio.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

/* Runs a statement with one time in it. */
static enum database_status before(struct store *store, enum statement statement, int64_t time)
{
    struct query query = query_begin(store->database, (int)statement);

    query_integer(&query, time);
    return query_run(&query);
}

enum database_status store_sweep(struct store *store, const struct change *change)
{
    const struct {
        enum statement statement;
        int64_t time;
    } STEPS[] = {
        {SWEEP_SESSIONS, change->at},           {SWEEP_WEIGHTS, change->at},
        {SWEEP_EVENTS, change->sweep.games},    {SWEEP_GAMES_ENDED, change->sweep.games},
        {SWEEP_PROGRESS, change->sweep.guests}, {SWEEP_STANDINGS, change->sweep.guests},
        {SWEEP_GUESTS, change->sweep.guests},
    };
    enum database_status status = DATABASE_DONE;

    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0] && status == DATABASE_DONE; i++) {
        status = before(store, STEPS[i].statement, STEPS[i].time);
    }
    return status;
}

bool store_idle_games(struct store *store, int64_t before, char out[SWEEP_GAMES][GAME_ID],
                      int *count, struct err *err)
{
    struct query query = query_begin(store->database, FIND_IDLE);
    enum database_status status = DATABASE_DONE;

    query_integer(&query, before);
    query_integer(&query, before);
    for (*count = 0; *count < SWEEP_GAMES && (status = query_step(&query)) == DATABASE_ROW;
         ++*count) {
        snprintf(out[*count], GAME_ID, "%s", query_get_text(&query, 0));
    }
    bool read = status != DATABASE_FAILED || database_fail(store->database, err);
    query_end(&query);
    return read;
}
