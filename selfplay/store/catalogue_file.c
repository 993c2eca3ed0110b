/* Tables, opening, transactions; what stands in the rows is catalogue.c's
 * and catalogue_games.c's and catalogue_fit.c's. */
#include "selfplay/store/catalogue_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/file.h"

enum {
    APPLICATION_ID = 0x44534d52, /* "DSMR", in the file's header */
    SCHEMA_VERSION = 3,          /* 1 had no games, 2 nothing of the quality of fits */
};

static const char SCHEMA[] =
    "CREATE TABLE starts (start INTEGER PRIMARY KEY, moment TEXT NOT NULL, software TEXT NOT NULL,"
    " host TEXT NOT NULL, configuration TEXT NOT NULL, ranks INTEGER NOT NULL) STRICT;"
    "CREATE TABLE stages (rules TEXT, generation INTEGER, stage TEXT, started TEXT NOT NULL,"
    " finished TEXT, PRIMARY KEY (rules, generation, stage)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE figures (rules TEXT, generation INTEGER, stage TEXT, name TEXT,"
    " value REAL NOT NULL, PRIMARY KEY (rules, generation, stage, name)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE shards (rules TEXT, generation INTEGER, name TEXT, first_game INTEGER NOT NULL,"
    " games INTEGER NOT NULL, rows INTEGER NOT NULL, hash TEXT NOT NULL,"
    " PRIMARY KEY (rules, generation, name)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE matches (match INTEGER PRIMARY KEY, rules TEXT NOT NULL,"
    " generation INTEGER NOT NULL, stage TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,"
    " settings TEXT NOT NULL, UNIQUE (rules, generation, stage, first, second, settings)) STRICT;"
    "CREATE TABLE pairs (match INTEGER REFERENCES matches, pair INTEGER, opening TEXT NOT NULL,"
    " score_0 INTEGER NOT NULL, reason_0 TEXT NOT NULL, plies_0 INTEGER NOT NULL,"
    " score_1 INTEGER NOT NULL, reason_1 TEXT NOT NULL, plies_1 INTEGER NOT NULL,"
    " PRIMARY KEY (match, pair)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE passes (rules TEXT, generation INTEGER, pass INTEGER, training REAL NOT NULL,"
    " heldout REAL NOT NULL, PRIMARY KEY (rules, generation, pass)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE ratings (rules TEXT, generation INTEGER, stage TEXT, player TEXT,"
    " model TEXT NOT NULL, elo REAL NOT NULL, error REAL NOT NULL, games INTEGER NOT NULL,"
    " PRIMARY KEY (rules, generation, stage, player)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE levels (rules TEXT, generation INTEGER, number INTEGER, name TEXT NOT NULL,"
    " nodes INTEGER NOT NULL, depth INTEGER NOT NULL, noise INTEGER NOT NULL,"
    " PRIMARY KEY (rules, generation, number)) STRICT, WITHOUT ROWID;";

static const char SCHEMA_GAMES[] =
    "CREATE TABLE games (match INTEGER REFERENCES matches, pair INTEGER, game INTEGER,"
    " record BLOB NOT NULL, PRIMARY KEY (match, pair, game)) STRICT;";

static const char SCHEMA_FITS[] =
    "CREATE TABLE fit_cells (rules TEXT, generation INTEGER, cell INTEGER, kind TEXT NOT NULL,"
    " label TEXT NOT NULL, positions INTEGER NOT NULL, decided INTEGER NOT NULL,"
    " predicted REAL NOT NULL, scored REAL NOT NULL, error REAL NOT NULL, favoured REAL NOT NULL,"
    " favoured_error REAL NOT NULL, loss REAL NOT NULL,"
    " PRIMARY KEY (rules, generation, cell)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE fit_terms (rules TEXT, generation INTEGER, term INTEGER, name TEXT NOT NULL,"
    " opening INTEGER NOT NULL, opening_error REAL NOT NULL, ending INTEGER NOT NULL,"
    " ending_error REAL NOT NULL, PRIMARY KEY (rules, generation, term)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE fit_surprises (rules TEXT, generation INTEGER, place INTEGER, fen TEXT NOT NULL,"
    " predicted REAL NOT NULL, result REAL NOT NULL, loss REAL NOT NULL,"
    " PRIMARY KEY (rules, generation, place)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE fit_windows (rules TEXT, generation INTEGER, window INTEGER,"
    " states INTEGER NOT NULL, possible INTEGER NOT NULL, seen INTEGER NOT NULL,"
    " fitted INTEGER NOT NULL, PRIMARY KEY (rules, generation, window)) STRICT, WITHOUT ROWID;";

/* Makes what a file of `version` lacks; 0: all. */
static bool make_tables(struct catalogue *catalogue, int version, struct err *err)
{
    char stamp[96];

    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             APPLICATION_ID, SCHEMA_VERSION);
    catalogue->version = SCHEMA_VERSION;
    return catalogue_begin(catalogue, err) &&
           (version > 0 || database_script(catalogue->database, SCHEMA, err)) &&
           (version > 1 || database_script(catalogue->database, SCHEMA_GAMES, err)) &&
           database_script(catalogue->database, SCHEMA_FITS, err) &&
           database_script(catalogue->database, stamp, err) && catalogue_commit(catalogue, err);
}

/* Checks whose file it is; makes the tables in an empty one when `create`. */
static bool check_schema(struct catalogue *catalogue, bool create, struct err *err)
{
    const char *path = database_path(catalogue->database);
    int application = 0, version = 0, schema = 0;

    if (!database_pragma(catalogue->database, "application_id", &application, err) ||
        !database_pragma(catalogue->database, "user_version", &version, err) ||
        !database_pragma(catalogue->database, "schema_version", &schema, err)) {
        return false;
    }
    if (schema == 0 && create) {
        return make_tables(catalogue, 0, err);
    }
    if (application != APPLICATION_ID) {
        return err_set(err, ERR_USAGE, "%s: not a run catalogue", path);
    }
    if (version < 1 || version > SCHEMA_VERSION) {
        return err_set(err, ERR_USAGE, "%s: catalogue of version %d, this program knows %d", path,
                       version, SCHEMA_VERSION);
    }
    catalogue->version = version;
    return version == SCHEMA_VERSION || !create || make_tables(catalogue, version, err);
}

static struct catalogue *open_file(const char *path, bool create, struct err *err)
{
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);

    if (!catalogue) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    catalogue->database = database_open(path, create, err);
    if (!catalogue->database || !check_schema(catalogue, create, err)) {
        catalogue_close(catalogue);
        return NULL;
    }
    return catalogue;
}

struct catalogue *catalogue_open(const char *path, struct err *err)
{
    return open_file(path, true, err);
}

/* Opened for writing where the system allows it: after a kill, SQLite must be able to roll the
 * journal back before anybody can read. */
struct catalogue *catalogue_open_readonly(const char *path, struct err *err)
{
    if (!file_exists(path)) {
        err_set(err, ERR_USAGE, "%s: no such file; is this a run directory?", path);
        return NULL;
    }
    struct catalogue *catalogue = open_file(path, false, err);
    if (catalogue && !database_script(catalogue->database, "PRAGMA query_only = ON", err)) {
        catalogue_close(catalogue);
        return NULL;
    }
    return catalogue;
}

void catalogue_close(struct catalogue *catalogue)
{
    if (catalogue) {
        database_close(catalogue->database);
        free(catalogue);
    }
}

bool catalogue_begin(struct catalogue *catalogue, struct err *err)
{
    return database_execute(catalogue->database, err, "BEGIN IMMEDIATE", "");
}

bool catalogue_commit(struct catalogue *catalogue, struct err *err)
{
    if (database_execute(catalogue->database, err, "COMMIT", "")) {
        return true;
    }
    database_script(catalogue->database, "ROLLBACK", NULL);
    return false;
}
