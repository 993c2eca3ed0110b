/* The tables, how they came to be, and what is asked of them. */
#include "daemon/store_sql.h"

const char *const STORE_MIGRATIONS[STORE_VERSION] = {
    "CREATE TABLE people (id INTEGER PRIMARY KEY, created INTEGER NOT NULL) STRICT;"
    "CREATE TABLE sessions ("
    "  token BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (id),"
    "  created INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE games ("
    "  id TEXT PRIMARY KEY, rules TEXT NOT NULL, start TEXT NOT NULL, set_up INTEGER NOT NULL,"
    "  opponent TEXT NOT NULL, host INTEGER NOT NULL, host_person INTEGER NOT NULL,"
    "  level INTEGER NOT NULL, level_name TEXT NOT NULL, level_nodes INTEGER NOT NULL,"
    "  level_depth INTEGER NOT NULL, level_noise INTEGER NOT NULL, seed INTEGER NOT NULL,"
    "  weights TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, outcome INTEGER,"
    "  clean INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;"
    "CREATE INDEX games_won ON games (host_person, rules, level) WHERE clean;"
    "CREATE TABLE events ("
    "  game TEXT NOT NULL REFERENCES games (id), number INTEGER NOT NULL, kind TEXT NOT NULL,"
    "  side INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,"
    "  PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;",
};

const char *const STORE_SQL[STATEMENTS] = {
    [ADD_PERSON] = "INSERT INTO people (id, created) VALUES (?, ?)",
    [ADD_SESSION] = "INSERT INTO sessions (token, person, created) VALUES (?, ?, ?)",
    [ADD_GAME] = "INSERT INTO games (id, rules, start, set_up, opponent, host, host_person, level,"
                 " level_name, level_nodes, level_depth, level_noise, seed, weights, created)"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_EVENT] = "INSERT INTO events (game, number, kind, side, at, text)"
                  " VALUES (?, ?, ?, ?, ?, ?)",
    [END_GAME] = "UPDATE games SET ended = ?, outcome = ?, clean = ? WHERE id = ?",
    [FIND_SESSION] = "SELECT person FROM sessions WHERE token = ?",
    [FIND_GAME] = "SELECT rules, start, set_up, opponent, host, host_person, level, level_name,"
                  " level_nodes, level_depth, level_noise, seed, weights, created"
                  " FROM games WHERE id = ?",
    [FIND_EVENTS] = "SELECT kind, side, at, text FROM events WHERE game = ? ORDER BY number",
    [FIND_OPENED] = "SELECT DISTINCT level FROM games"
                    " WHERE host_person = ? AND rules = ? AND clean ORDER BY level",
};
