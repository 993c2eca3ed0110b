/* SQLite: the tables, how they came to be, and the statements. */
#include "daemon/store.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store_sql.h"
#include "engine/base/file.h"
#include "engine/fen.h"

enum { BUSY_MILLISECONDS = 10000, MEGABYTE = 1 << 20 };

struct store {
    sqlite3 *handle;
    char path[FILE_PATH];
    sqlite3_stmt *statement[STATEMENTS];
};

static bool fail(const struct store *store, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s: %s", store->path, sqlite3_errmsg(store->handle));
}

static bool script(struct store *store, const char *sql, struct err *err)
{
    return sqlite3_exec(store->handle, sql, NULL, NULL, NULL) == SQLITE_OK || fail(store, err);
}

/* --- opening --------------------------------------------------------------------------------- */

static bool read_version(struct store *store, int *version, struct err *err)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(store->handle, "PRAGMA user_version", -1, &statement, NULL) !=
            SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        sqlite3_finalize(statement);
        return err_set(err, ERR_USAGE, "%s: %s", store->path, sqlite3_errmsg(store->handle));
    }
    *version = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return *version <= STORE_VERSION ||
           err_set(err, ERR_USAGE, "%s has version %d, this draughtsd knows %d: use a newer one",
                   store->path, *version, STORE_VERSION);
}

/* Brings the file up to date, each step whole. */
static bool migrate(struct store *store, struct err *err)
{
    char pragma[64];
    int version;

    if (!script(store, "BEGIN IMMEDIATE", err) || !read_version(store, &version, err)) {
        return false;
    }
    for (; version < STORE_VERSION; version++) {
        if (!script(store, STORE_MIGRATIONS[version], err)) {
            return err_prefix(err, "version %d", version + 1);
        }
    }
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d; COMMIT", STORE_VERSION);
    return script(store, pragma, err);
}

static bool prepare(struct store *store, int64_t max_megabytes, struct err *err)
{
    char pragma[64] = "PRAGMA max_page_count = 4294967294";
    int version;

    if (!read_version(store, &version, err) ||
        !script(store,
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                "PRAGMA foreign_keys = ON",
                err) ||
        (version < STORE_VERSION && !migrate(store, err))) {
        return false;
    }
    if (max_megabytes > 0) {
        snprintf(pragma, sizeof pragma, "PRAGMA max_page_count = %lld",
                 (long long)max_megabytes * MEGABYTE / 4096);
    }
    if (!script(store, pragma, err)) {
        return false;
    }
    for (int i = 0; i < STATEMENTS; i++) {
        if (sqlite3_prepare_v3(store->handle, STORE_SQL[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statement[i], NULL) != SQLITE_OK) {
            return fail(store, err);
        }
    }
    return true;
}

struct store *store_open(const char *path, int64_t max_megabytes, struct err *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    struct store *store = calloc(1, sizeof *store);

    if (store == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    snprintf(store->path, sizeof store->path, "%s", path);
    if (sqlite3_open_v2(path, &store->handle, flags, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(store->handle, BUSY_MILLISECONDS) != SQLITE_OK) {
        fail(store, err);
    } else if (prepare(store, max_megabytes, err)) {
        return store;
    }
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (store != NULL) {
        for (int i = 0; i < STATEMENTS; i++) {
            sqlite3_finalize(store->statement[i]);
        }
        sqlite3_close(store->handle);
        free(store);
    }
}

/* --- statements ------------------------------------------------------------------------------ */

/* A statement whose values are bound one after the other; a failure to bind shows in step. */
struct binder {
    sqlite3_stmt *statement;
    int column, status;
};

static struct binder bind_to(struct store *store, enum statement statement)
{
    return (struct binder){.statement = store->statement[statement], .status = SQLITE_OK};
}

static void keep(struct binder *binder, int status)
{
    binder->status = binder->status == SQLITE_OK ? status : binder->status;
}

static void bind_integer(struct binder *binder, int64_t value)
{
    keep(binder, sqlite3_bind_int64(binder->statement, ++binder->column, value));
}

static void bind_text(struct binder *binder, const char *value)
{
    keep(binder,
         sqlite3_bind_text(binder->statement, ++binder->column, value, -1, SQLITE_TRANSIENT));
}

static void bind_blob(struct binder *binder, const void *value, int size)
{
    keep(binder,
         sqlite3_bind_blob(binder->statement, ++binder->column, value, size, SQLITE_TRANSIENT));
}

static int step(const struct binder *binder)
{
    return binder->status == SQLITE_OK ? sqlite3_step(binder->statement) : binder->status;
}

/* Runs a statement without rows. Returns SQLITE_OK or what went wrong. */
static int run(const struct binder *binder)
{
    int status = step(binder);

    sqlite3_reset(binder->statement);
    return status == SQLITE_DONE ? SQLITE_OK : status;
}

static const char *text_of(const struct binder *binder, int column)
{
    const unsigned char *text = sqlite3_column_text(binder->statement, column);
    return text != NULL ? (const char *)text : "";
}

/* --- writing --------------------------------------------------------------------------------- */

static int add_person(struct store *store, const struct change *change)
{
    struct binder person = bind_to(store, ADD_PERSON), session = bind_to(store, ADD_SESSION);

    bind_integer(&person, change->person);
    bind_integer(&person, change->event.at);
    bind_blob(&session, change->token, TOKEN_HASH);
    bind_integer(&session, change->person);
    bind_integer(&session, change->event.at);
    int status = run(&person);
    return status == SQLITE_OK ? run(&session) : status;
}

static int add_game(struct store *store, const struct change *change)
{
    const struct hosted_setup *setup = &change->setup;
    struct binder game = bind_to(store, ADD_GAME);
    char fen[FEN_SIZE];

    fen_write(setup->variant->rules, &setup->start, fen);
    bind_text(&game, change->game);
    bind_text(&game, setup->variant->rules->name);
    bind_text(&game, fen);
    bind_integer(&game, setup->set_up);
    bind_text(&game, opponent_name(setup->opponent));
    bind_integer(&game, setup->host);
    bind_integer(&game, setup->host_person);
    bind_integer(&game, setup->level.number);
    bind_text(&game, setup->level.name);
    bind_integer(&game, (int64_t)setup->level.nodes);
    bind_integer(&game, setup->level.depth);
    bind_integer(&game, setup->level.noise);
    bind_integer(&game, (int64_t)setup->seed);
    bind_text(&game, setup->weights_id);
    bind_integer(&game, setup->created);
    return run(&game);
}

static int add_event(struct store *store, const struct change *change)
{
    const struct event *event = &change->event;
    struct binder row = bind_to(store, ADD_EVENT);

    bind_text(&row, change->game);
    bind_integer(&row, change->number);
    bind_text(&row, event_name(event->kind));
    bind_integer(&row, event->side);
    bind_integer(&row, event->at);
    bind_text(&row, event->text);
    return run(&row);
}

static int end_game(struct store *store, const struct change *change)
{
    struct binder end = bind_to(store, END_GAME);

    bind_integer(&end, change->event.at);
    bind_integer(&end, change->outcome);
    bind_integer(&end, change->clean);
    bind_text(&end, change->game);
    return run(&end);
}

static enum change_status status_of(int status)
{
    switch (status & 0xff) {
    case SQLITE_OK:
        return CHANGE_STORED;
    case SQLITE_CONSTRAINT:
        return CHANGE_CONFLICT;
    case SQLITE_FULL:
        return CHANGE_FULL;
    default:
        return CHANGE_FAILED;
    }
}

static void mark(struct store *store, struct change *change, int status)
{
    change->status = status_of(status);
    snprintf(change->detail, sizeof change->detail, "%s: %s", store->path,
             sqlite3_errmsg(store->handle));
}

/* One change; a conflict leaves nothing of it behind. */
static int write_one(struct store *store, const struct change *change)
{
    static const struct {
        enum change_part part;
        int (*add)(struct store *store, const struct change *change);
    } PARTS[] = {{CHANGE_PERSON, add_person},
                 {CHANGE_GAME, add_game},
                 {CHANGE_EVENT, add_event},
                 {CHANGE_END, end_game}};
    int status = sqlite3_exec(store->handle, "SAVEPOINT one", NULL, NULL, NULL);

    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0] && status == SQLITE_OK; i++) {
        if (change->parts & PARTS[i].part) {
            status = PARTS[i].add(store, change);
        }
    }
    if (status == SQLITE_CONSTRAINT) {
        int back = sqlite3_exec(store->handle, "ROLLBACK TO one; RELEASE one", NULL, NULL, NULL);
        return back == SQLITE_OK ? SQLITE_CONSTRAINT : back;
    }
    return status == SQLITE_OK ? sqlite3_exec(store->handle, "RELEASE one", NULL, NULL, NULL)
                               : status;
}

void store_write(struct store *store, struct change *first)
{
    int status = sqlite3_exec(store->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);

    for (struct change *at = first; at != NULL && status == SQLITE_OK; at = at->next) {
        int one = write_one(store, at);
        mark(store, at, one);
        status = one == SQLITE_CONSTRAINT ? SQLITE_OK : one;
    }
    if (status == SQLITE_OK) {
        status = sqlite3_exec(store->handle, "COMMIT", NULL, NULL, NULL);
    }
    if (status == SQLITE_OK) {
        return;
    }
    for (struct change *at = first; at != NULL; at = at->next) {
        mark(store, at, status);
    }
    if (!sqlite3_get_autocommit(store->handle)) {
        sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
    }
}

/* --- reading --------------------------------------------------------------------------------- */

bool store_session(struct store *store, const unsigned char token[TOKEN_HASH], int64_t *person,
                   struct err *err)
{
    struct binder query = bind_to(store, FIND_SESSION);

    bind_blob(&query, token, TOKEN_HASH);
    int status = step(&query);
    *person = status == SQLITE_ROW ? sqlite3_column_int64(query.statement, 0) : NOBODY;
    bool read = status == SQLITE_ROW || status == SQLITE_DONE || fail(store, err);
    sqlite3_reset(query.statement);
    return read;
}

bool store_opened(struct store *store, int64_t person, const struct variant *variant, int *level,
                  struct err *err)
{
    struct binder query = bind_to(store, FIND_OPENED);
    int status;

    *level = 1;
    bind_integer(&query, person);
    bind_text(&query, variant->rules->name);
    while ((status = step(&query)) == SQLITE_ROW) {
        if (sqlite3_column_int(query.statement, 0) == *level && *level < LEVELS_MAX) {
            (*level)++;
        }
    }
    bool read = status == SQLITE_DONE || fail(store, err);
    sqlite3_reset(query.statement);
    return read;
}

static bool read_setup(const struct binder *row, struct hosted_setup *setup, struct err *err)
{
    *setup = (struct hosted_setup){.variant = variant_by_name(text_of(row, 0), err)};
    if (setup->variant == NULL ||
        !fen_read(setup->variant->rules, text_of(row, 1), &setup->start, err)) {
        return false;
    }
    for (int kind = 0; kind < OPPONENT_KINDS; kind++) {
        if (strcmp(text_of(row, 3), opponent_name((enum opponent)kind)) == 0) {
            setup->opponent = (enum opponent)kind;
        }
    }
    setup->set_up = sqlite3_column_int(row->statement, 2) != 0;
    setup->host = sqlite3_column_int(row->statement, 4) ? BLACK : WHITE;
    setup->host_person = sqlite3_column_int64(row->statement, 5);
    setup->level.number = sqlite3_column_int(row->statement, 6);
    snprintf(setup->level.name, sizeof setup->level.name, "%s", text_of(row, 7));
    setup->level.nodes = (uint64_t)sqlite3_column_int64(row->statement, 8);
    setup->level.depth = sqlite3_column_int(row->statement, 9);
    setup->level.noise = sqlite3_column_int(row->statement, 10);
    setup->seed = (uint64_t)sqlite3_column_int64(row->statement, 11);
    snprintf(setup->weights_id, sizeof setup->weights_id, "%s", text_of(row, 12));
    setup->created = sqlite3_column_int64(row->statement, 13);
    return true;
}

static bool read_event(const struct binder *row, struct event *event, struct err *err)
{
    int kind = 0;

    while (kind < EVENT_KINDS && strcmp(text_of(row, 0), event_name((enum event_kind)kind)) != 0) {
        kind++;
    }
    *event = (struct event){.kind = (enum event_kind)kind,
                            .side = sqlite3_column_int(row->statement, 1) ? BLACK : WHITE,
                            .at = sqlite3_column_int64(row->statement, 2)};
    snprintf(event->text, sizeof event->text, "%s", text_of(row, 3));
    return kind < EVENT_KINDS ||
           err_set(err, ERR_FAILED, "no event is called '%s'", text_of(row, 0));
}

static bool replay(struct store *store, const char *id, struct hosted *hosted, struct err *err)
{
    struct binder events = bind_to(store, FIND_EVENTS);
    struct event event;
    bool fits = true;
    int status;

    bind_text(&events, id);
    while ((status = step(&events)) == SQLITE_ROW && fits) {
        fits = read_event(&events, &event, err) && hosted_apply(hosted, &event, err);
    }
    fits = fits && (status == SQLITE_DONE || fail(store, err));
    sqlite3_reset(events.statement);
    return fits;
}

bool store_game(struct store *store, const char *id, struct hosted *out, bool *found,
                struct err *err)
{
    struct binder query = bind_to(store, FIND_GAME);
    struct hosted_setup setup;

    bind_text(&query, id);
    int status = step(&query);
    *found = status == SQLITE_ROW;
    bool read =
        *found ? read_setup(&query, &setup, err) : status == SQLITE_DONE || fail(store, err);
    sqlite3_reset(query.statement);
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
