/* Counting results, and reading what has been counted. */
#include "daemon/store/store_progress.h"

#include <stdio.h>
#include <string.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_sql.h"

/* --- writing --------------------------------------------------------------------------------- */

/* A statement about the game of a change. */
static enum database_status of_game(struct store *store, enum statement statement,
                                    const struct change *change)
{
    struct query query = query_begin(store->database, (int)statement);

    query_text(&query, change->game);
    return query_run(&query);
}

enum database_status store_count_result(struct store *store, const struct change *change)
{
    struct query progress = query_begin(store->database, COUNT_PROGRESS);

    query_text(&progress, change->game);
    query_integer(&progress, change->result == RESULT_WON);
    query_integer(&progress, change->result == RESULT_DRAWN);
    query_integer(&progress, change->clean);
    enum database_status status = query_run(&progress);
    if (status == DATABASE_DONE) {
        struct query standing = query_begin(store->database, COUNT_STANDING);
        query_text(&standing, change->game);
        query_integer(&standing, change->result == RESULT_WON);
        status = query_run(&standing);
    }
    return status == DATABASE_DONE ? of_game(store, COUNT_OVERALL, change) : status;
}

/* --- reading --------------------------------------------------------------------------------- */

bool store_progress(struct store *store, int64_t person, const struct variant *variant,
                    struct progress *out, struct err *err)
{
    struct query query = query_begin(store->database, FIND_PROGRESS);
    enum database_status status;

    *out = (struct progress){.opened = 1};
    query_integer(&query, person);
    query_text(&query, variant->rules->name);
    while ((status = query_step(&query)) == DATABASE_ROW) {
        int64_t level = query_get_integer(&query, 0);
        if (level >= 1 && level <= LEVELS_MAX) {
            out->games[level - 1] = query_get_integer(&query, 1);
            out->wins[level - 1] = query_get_integer(&query, 2);
            out->draws[level - 1] = query_get_integer(&query, 3);
            out->cleared[level - 1] = query_get_integer(&query, 4);
        }
    }
    bool read = status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    while (out->opened < LEVELS_MAX && out->cleared[out->opened - 1] > 0) {
        out->opened++;
    }
    return read;
}

static void take_standing(const struct query *row, struct standing *out)
{
    snprintf(out->name, sizeof out->name, "%s", query_get_text(row, 0));
    out->beaten = (int)query_get_integer(row, 1);
    out->wins = query_get_integer(row, 2);
    out->games = query_get_integer(row, 3);
    out->reached = query_get_integer(row, 4);
}

bool store_leaders(struct store *store, const char *rules, int64_t offset, int limit,
                   struct standing *out, int *count, struct err *err)
{
    struct query query = query_begin(store->database, FIND_LEADERS);
    enum database_status status;

    query_text(&query, rules);
    query_integer(&query, limit);
    query_integer(&query, offset);
    for (*count = 0; (status = query_step(&query)) == DATABASE_ROW; ++*count) {
        take_standing(&query, &out[*count]);
        out[*count].rank = offset + *count + 1;
    }
    bool read = status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}

bool store_standing(struct store *store, const char *rules, int64_t person, struct standing *out,
                    bool *found, struct err *err)
{
    struct query query = query_begin(store->database, FIND_STANDING);

    query_text(&query, rules);
    query_integer(&query, person);
    enum database_status status = query_step(&query);
    *found = status == DATABASE_ROW;
    if (*found) {
        take_standing(&query, out);
        out->rank = query_get_integer(&query, 5) + 1;
    }
    bool read = *found || status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    return read;
}

bool store_results(struct store *store, struct level_results out[RESULTS_MAX], int *count,
                   struct err *err)
{
    struct query query = query_begin(store->database, FIND_RESULTS);
    enum database_status status;

    for (*count = 0; (status = query_step(&query)) == DATABASE_ROW && *count < RESULTS_MAX;
         ++*count) {
        struct level_results *row = &out[*count];
        snprintf(row->rules, sizeof row->rules, "%s", query_get_text(&query, 0));
        row->level = (int)query_get_integer(&query, 1);
        row->people = query_get_integer(&query, 2);
        row->cleared = query_get_integer(&query, 3);
        row->games = query_get_integer(&query, 4);
        row->wins = query_get_integer(&query, 5);
        row->draws = query_get_integer(&query, 6);
        row->games_to_clear = query_get_integer(&query, 7);
    }
    bool read = status != DATABASE_FAILED || database_fail(store->database, err);
    query_end(&query);
    return read;
}
