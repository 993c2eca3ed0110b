/* Games and their events, written and read. */
#include <stdio.h>
#include <string.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_people.h"
#include "daemon/store/store_sql.h"
#include "engine/rules/fen.h"

/* --- writing --------------------------------------------------------------------------------- */

enum database_status store_add_game(struct store *store, const struct change *change)
{
    const struct hosted_setup *setup = &change->setup;
    struct query game = query_begin(store->database, ADD_GAME);
    char fen[FEN_SIZE];

    fen_write(setup->variant->rules, &setup->start, fen);
    query_text(&game, change->game);
    query_text(&game, setup->variant->rules->name);
    query_text(&game, fen);
    query_integer(&game, setup->set_up);
    query_text(&game, opponent_name(setup->opponent));
    query_integer(&game, setup->host);
    query_integer(&game, setup->host_person);
    query_integer(&game, setup->level.number);
    query_text(&game, setup->level.name);
    query_integer(&game, (int64_t)setup->level.nodes);
    query_integer(&game, setup->level.depth);
    query_integer(&game, setup->level.noise);
    query_integer(&game, (int64_t)setup->seed);
    query_text(&game, setup->weights_id);
    query_integer(&game, setup->created);
    return query_run(&game);
}

enum database_status store_add_event(struct store *store, const struct change *change)
{
    const struct event *event = &change->event;
    struct query row = query_begin(store->database, ADD_EVENT);

    query_text(&row, change->game);
    query_integer(&row, change->number);
    query_text(&row, event_name(event->kind));
    query_integer(&row, event->side);
    query_integer(&row, event->at);
    query_text(&row, event->text);
    return query_run(&row);
}

enum database_status store_end_game(struct store *store, const struct change *change)
{
    struct query end = query_begin(store->database, END_GAME);

    query_integer(&end, change->event.at);
    query_integer(&end, change->outcome);
    query_integer(&end, change->clean);
    query_text(&end, change->game);
    return query_run(&end);
}

/* --- reading --------------------------------------------------------------------------------- */

static bool read_setup(const struct query *row, struct hosted_setup *setup, struct err *err)
{
    *setup = (struct hosted_setup){.variant = variant_by_name(query_get_text(row, 0), err)};
    if (setup->variant == NULL ||
        !fen_read(setup->variant->rules, query_get_text(row, 1), &setup->start, err)) {
        return false;
    }
    for (int kind = 0; kind < OPPONENT_KINDS; kind++) {
        if (strcmp(query_get_text(row, 3), opponent_name((enum opponent)kind)) == 0) {
            setup->opponent = (enum opponent)kind;
        }
    }
    setup->set_up = query_get_integer(row, 2) != 0;
    setup->host = query_get_integer(row, 4) ? BLACK : WHITE;
    setup->host_person = query_get_integer(row, 5);
    setup->level.number = (int)query_get_integer(row, 6);
    snprintf(setup->level.name, sizeof setup->level.name, "%s", query_get_text(row, 7));
    setup->level.nodes = (uint64_t)query_get_integer(row, 8);
    setup->level.depth = (int)query_get_integer(row, 9);
    setup->level.noise = (int)query_get_integer(row, 10);
    setup->seed = (uint64_t)query_get_integer(row, 11);
    snprintf(setup->weights_id, sizeof setup->weights_id, "%s", query_get_text(row, 12));
    setup->created = query_get_integer(row, 13);
    return true;
}

static bool read_event(const struct query *row, struct event *event, struct err *err)
{
    int kind = 0;

    while (kind < EVENT_KINDS &&
           strcmp(query_get_text(row, 0), event_name((enum event_kind)kind)) != 0) {
        kind++;
    }
    *event = (struct event){.kind = (enum event_kind)kind,
                            .side = query_get_integer(row, 1) ? BLACK : WHITE,
                            .at = query_get_integer(row, 2)};
    snprintf(event->text, sizeof event->text, "%s", query_get_text(row, 3));
    return kind < EVENT_KINDS ||
           err_set(err, ERR_FAILED, "no event is called '%s'", query_get_text(row, 0));
}

static bool replay(struct store *store, const char *id, struct hosted *hosted, struct err *err)
{
    struct query events = query_begin(store->database, FIND_EVENTS);
    struct event event;
    bool fits = true;
    enum database_status status;

    query_text(&events, id);
    while ((status = query_step(&events)) == DATABASE_ROW && fits) {
        fits = read_event(&events, &event, err) && hosted_apply(hosted, &event, err);
    }
    fits = fits && (status == DATABASE_DONE || database_fail(store->database, err));
    query_end(&events);
    return fits;
}

bool store_events(struct store *store, const char *id, int since, struct event *out, int max,
                  int *count, struct err *err)
{
    struct query events = query_begin(store->database, FIND_EVENTS);
    enum database_status status = DATABASE_DONE;
    bool read = true;

    query_text(&events, id);
    *count = 0;
    while (*count < max && read && (status = query_step(&events)) == DATABASE_ROW) {
        if (since > 0) {
            since--; /* they are numbered from 1 without a gap */
        } else {
            read = read_event(&events, &out[(*count)++], err);
        }
    }
    read =
        read && (*count == max || status == DATABASE_DONE || database_fail(store->database, err));
    query_end(&events);
    return read;
}

bool store_game(struct store *store, const char *id, struct hosted *out, bool *found,
                struct err *err)
{
    struct query query = query_begin(store->database, FIND_GAME);
    struct hosted_setup setup;

    query_text(&query, id);
    enum database_status status = query_step(&query);
    *found = status == DATABASE_ROW;
    bool read = *found ? read_setup(&query, &setup, err)
                       : status == DATABASE_DONE || database_fail(store->database, err);
    query_end(&query);
    if (!read || !*found) {
        return read;
    }
    if (!hosted_init(out, &setup)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    if (!replay(store, id, out, err)) {
        hosted_fini(out);
        return err_prefix(err, "game %s", id);
    }
    return true;
}

/* --- what somebody has played ---------------------------------------------------------------- */

static void take_played(const struct query *row, int64_t person, struct played *out)
{
    enum colour host = query_get_integer(row, 4) ? BLACK : WHITE;
    struct err err;

    *out = (struct played){.variant = variant_by_name(query_get_text(row, 1), &err),
                           .level = (int)query_get_integer(row, 3),
                           .over = !query_is_null(row, 7),
                           .ended = query_get_integer(row, 7),
                           .created = query_get_integer(row, 6),
                           .outcome = (enum outcome)query_get_integer(row, 8),
                           .clean = query_get_integer(row, 9) != 0};
    out->colour = query_get_integer(row, 5) == person ? host : colour_other(host);
    snprintf(out->id, sizeof out->id, "%s", query_get_text(row, 0));
    snprintf(out->opponent, sizeof out->opponent, "%s", query_get_text(row, 2));
}

bool store_played(struct store *store, int64_t person,
                  bool (*take)(void *context, const struct played *), void *context,
                  struct err *err)
{
    struct query query = query_begin(store->database, FIND_PLAYED);
    enum database_status status;
    struct played played;
    bool more = true;

    query_integer(&query, person);
    query_integer(&query, person);
    while ((status = query_step(&query)) == DATABASE_ROW && more) {
        take_played(&query, person, &played);
        more = take(context, &played);
    }
    bool read =
        status == DATABASE_DONE || status == DATABASE_ROW || database_fail(store->database, err);
    query_end(&query);
    return read;
}
