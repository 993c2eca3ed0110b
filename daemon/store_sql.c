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

    /* 2: accounts. A person without a name is a guest. */
    "ALTER TABLE people ADD COLUMN name TEXT;"
    "ALTER TABLE people ADD COLUMN name_key TEXT;"
    "ALTER TABLE people ADD COLUMN password TEXT;"
    "ALTER TABLE people ADD COLUMN recovery BLOB;"
    "ALTER TABLE people ADD COLUMN banned INTEGER;"
    "ALTER TABLE people ADD COLUMN banned_for TEXT;"
    "CREATE UNIQUE INDEX people_named ON people (name_key) WHERE name_key IS NOT NULL;"
    "CREATE TABLE looks ("
    "  look TEXT PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (id)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX looks_person ON looks (person);"
    "ALTER TABLE sessions ADD COLUMN expires INTEGER NOT NULL DEFAULT 0;"
    "UPDATE sessions SET expires = created + 7776000;"
    "CREATE INDEX sessions_person ON sessions (person);"
    "CREATE INDEX sessions_expire ON sessions (expires);"
    "CREATE INDEX games_hosted ON games (host_person);",
};

#define PERSON                                                                                     \
    "SELECT id, created, name, name_key, password, recovery, banned, banned_for FROM people"

const char *const STORE_SQL[STATEMENTS] = {
    [ADD_PERSON] = "INSERT INTO people (id, created) VALUES (?, ?)",
    [ADD_ACCOUNT] = "UPDATE people SET name = ?, name_key = ?, password = ?, recovery = ?"
                    " WHERE id = ? AND name IS NULL",
    [ADD_LOOK] = "INSERT INTO looks (look, person) VALUES (?, ?)",
    [SET_PASSWORD] = "UPDATE people SET password = ? WHERE id = ?",
    [SET_RECOVERY] = "UPDATE people SET recovery = ? WHERE id = ?",
    [ADD_SESSION] = "INSERT INTO sessions (token, person, created, expires) VALUES (?, ?, ?, ?)",
    [END_SESSION] = "DELETE FROM sessions WHERE token = ?",
    [END_SESSIONS] = "DELETE FROM sessions WHERE person = ?",
    [FORGET_EVENTS] = "DELETE FROM events WHERE game IN (SELECT id FROM games"
                      " WHERE host_person = ? AND opponent <> 'friend')",
    [FORGET_GAMES] = "DELETE FROM games WHERE host_person = ? AND opponent <> 'friend'",
    [FORGET_LOOKS] = "DELETE FROM looks WHERE person = ?",
    [FORGET_PERSON] = "DELETE FROM people WHERE id = ?",
    [ADD_GAME] = "INSERT INTO games (id, rules, start, set_up, opponent, host, host_person, level,"
                 " level_name, level_nodes, level_depth, level_noise, seed, weights, created)"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_EVENT] = "INSERT INTO events (game, number, kind, side, at, text)"
                  " VALUES (?, ?, ?, ?, ?, ?)",
    [END_GAME] = "UPDATE games SET ended = ?, outcome = ?, clean = ? WHERE id = ?",
    [FIND_SESSION] = "SELECT person FROM sessions WHERE token = ? AND expires > ?",
    [FIND_PERSON] = PERSON " WHERE id = ?",
    [FIND_NAMED] = PERSON " WHERE name_key = ?",
    [FIND_LOOK] = "SELECT 1 FROM looks WHERE look = ?",
    [FIND_GAME] = "SELECT rules, start, set_up, opponent, host, host_person, level, level_name,"
                  " level_nodes, level_depth, level_noise, seed, weights, created"
                  " FROM games WHERE id = ?",
    [FIND_EVENTS] = "SELECT kind, side, at, text FROM events WHERE game = ? ORDER BY number",
    [FIND_OPENED] = "SELECT DISTINCT level FROM games"
                    " WHERE host_person = ? AND rules = ? AND clean ORDER BY level",
};
