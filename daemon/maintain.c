/* Copying and checking the store. Both only read it. */
#include "daemon/maintain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/loop/settings.h"
#include "daemon/store/database.h"
#include "daemon/store/store.h"
#include "engine/base/commands.h"
#include "engine/base/file.h"
#include "engine/base/progress.h"
#include "engine/base/streams.h"

static const char *store_of(const struct invocation *invocation, struct err *err)
{
    const char *path = ((const struct settings *)invocation->program->settings)->store_file;

    if (!file_exists(path)) {
        err_set(err, ERR_USAGE, "there is no %s: store.file names the daemon's store", path);
        return NULL;
    }
    return path;
}

/* --- backup ---------------------------------------------------------------------------------- */

static bool copy_to(struct database *database, const char *target, struct err *err)
{
    char temporary[FILE_PATH];

    if (!file_temporary(temporary, target, err)) {
        return false;
    }
    if (!database_backup(database, temporary, err)) {
        unlink(temporary);
        return false;
    }
    return file_commit(temporary, target, err);
}

static bool backup(const struct invocation *invocation, struct err *err)
{
    struct command_line line;

    if (!invocation_parse(invocation, NULL, 0, "FILE", 1, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const char *path = store_of(invocation, err);
    struct database *database = path != NULL ? database_open(path, err) : NULL;
    bool done = database != NULL && copy_to(database, line.operands[0], err);
    database_close(database);
    return done;
}

/* --- verify ---------------------------------------------------------------------------------- */

enum { ASK_INTEGRITY, ASK_REFERENCES, ASK_COUNT, ASK_GAMES, ASKS };

static const char *const ASK_SQL[ASKS] = {
    [ASK_INTEGRITY] = "PRAGMA integrity_check(10)",
    [ASK_REFERENCES] =
        "SELECT \"table\" || ': row ' || ifnull(rowid, '?') || ' refers to no row of '"
        " || parent FROM pragma_foreign_key_check LIMIT 10",
    [ASK_COUNT] = "SELECT count(*) FROM games",
    [ASK_GAMES] = "SELECT id FROM games ORDER BY id",
};

/* Prints each row of a check that is not "ok"; *faults counts them. */
static bool run_check(struct database *database, int statement, int64_t *faults, struct err *err)
{
    struct query query = query_begin(database, statement);
    enum database_status status;

    while ((status = query_step(&query)) == DATABASE_ROW) {
        const char *text = query_get_text(&query, 0);
        if (strcmp(text, "ok") != 0) {
            printf("%s\n", text);
            ++*faults;
        }
    }
    query_end(&query);
    return status == DATABASE_DONE || database_fail(database, err);
}

/* Plays every game through, as a restart of the daemon would. */
static bool play_games(struct database *database, struct store *store, const struct log *log,
                       int64_t *games, int64_t *faults, struct err *err)
{
    struct query count = query_begin(database, ASK_COUNT);
    int64_t total = query_step(&count) == DATABASE_ROW ? query_get_integer(&count, 0) : 0;
    query_end(&count);
    struct progress progress = progress_start(log, "games", "games", total, 0);
    struct query query = query_begin(database, ASK_GAMES);
    enum database_status status;

    while ((status = query_step(&query)) == DATABASE_ROW) {
        const char *id = query_get_text(&query, 0);
        struct hosted hosted;
        struct err fault;
        bool found = false;
        if (store_game(store, id, &hosted, &found, &fault) && found) {
            hosted_fini(&hosted);
        } else {
            printf("game %s: %s\n", id, found ? fault.text : "cannot be read");
            ++*faults;
        }
        progress_update(&progress, ++*games);
    }
    query_end(&query);
    progress_end(&progress, *games);
    return status == DATABASE_DONE || database_fail(database, err);
}

static bool check_all(const char *path, const struct log *log, struct err *err)
{
    struct database *database = database_open(path, err);
    struct store *store = NULL;
    int64_t games = 0, faults = 0;
    bool done = database != NULL && database_prepare(database, ASK_SQL, ASKS, err) &&
                run_check(database, ASK_INTEGRITY, &faults, err) &&
                run_check(database, ASK_REFERENCES, &faults, err);

    if (done && faults == 0) {
        store = store_open(path, 0, err);
        done = store != NULL && play_games(database, store, log, &games, &faults, err);
    }
    store_close(store);
    database_close(database);
    if (!done) {
        return false;
    }
    printf("games %" PRId64 ", faults %" PRId64 "\n", games, faults);
    return faults == 0 || err_set(err, ERR_FAILED, "%s is damaged", path);
}

static bool verify(const struct invocation *invocation, struct err *err)
{
    struct command_line line;

    if (!invocation_parse(invocation, NULL, 0, "", 0, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const char *path = store_of(invocation, err);
    return path != NULL && check_all(path, &line.log, err);
}

/* --- both ------------------------------------------------------------------------------------ */

static const struct command_entry COMMANDS[] = {
    {"backup", "copies the store to a file, while the daemon runs or not", backup},
    {"verify", "checks the store and plays every game in it through", verify},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

bool maintain_is(int argc, char *const argv[])
{
    for (int i = 0; argc > 1 && i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], COMMANDS[i].name) == 0) {
            return true;
        }
    }
    return false;
}

int maintain_main(int argc, char *argv[])
{
    struct settings settings;
    struct program program = {
        .name = "draughtsd", .summary = "the play daemon", .settings = &settings};
    struct invocation invocation;
    struct err err;

    program.options = settings_table(&program.option_count);
    bool done = streams_reserve(&err) &&
                invocation_find(&program, COMMANDS, COMMAND_COUNT, argc, argv, &invocation, &err) &&
                invocation.command->run(&invocation, &err);
    if (!output_flush(&err) || !done) {
        return command_fail(&program, &err);
    }
    return 0;
}
