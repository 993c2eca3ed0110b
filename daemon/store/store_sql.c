/* The tables, how they came to be, and what is asked of them. */
#include "daemon/store/store_sql.h"

/* How many levels from the first on a person has cleared without a gap: a subquery, to be ended by
 * the person, a condition on q.rules, and two parentheses. */
#define BEATEN                                                                                     \
    "(SELECT coalesce(min(n), 7) - 1 FROM"                                                         \
    " (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6)"  \
    " WHERE n NOT IN (SELECT level FROM progress AS q WHERE q.cleared IS NOT NULL AND q.person = "

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

    /* 3: what people have won. Standings have a row for each rule set and one, '', for all. */
    "CREATE TABLE progress ("
    "  person INTEGER NOT NULL, rules TEXT NOT NULL, level INTEGER NOT NULL,"
    "  games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL,"
    "  cleared INTEGER, games_to_clear INTEGER,"
    "  PRIMARY KEY (person, rules, level)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE results ("
    "  rules TEXT NOT NULL, level INTEGER NOT NULL, people INTEGER NOT NULL,"
    "  cleared INTEGER NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,"
    "  draws INTEGER NOT NULL, games_to_clear INTEGER NOT NULL,"
    "  PRIMARY KEY (rules, level)) STRICT, WITHOUT ROWID;"
    "CREATE TRIGGER progress_begun AFTER INSERT ON progress BEGIN"
    "  INSERT INTO results VALUES (new.rules, new.level, 1, new.cleared IS NOT NULL, new.games,"
    "    new.wins, new.draws, coalesce(new.games_to_clear, 0))"
    "  ON CONFLICT (rules, level) DO UPDATE SET people = people + 1,"
    "    cleared = cleared + excluded.cleared, games = games + excluded.games,"
    "    wins = wins + excluded.wins, draws = draws + excluded.draws,"
    "    games_to_clear = games_to_clear + excluded.games_to_clear;"
    "END;"
    "CREATE TRIGGER progress_made AFTER UPDATE ON progress BEGIN"
    "  UPDATE results SET"
    "    cleared = cleared + (new.cleared IS NOT NULL) - (old.cleared IS NOT NULL),"
    "    games = games + new.games - old.games, wins = wins + new.wins - old.wins,"
    "    draws = draws + new.draws - old.draws, games_to_clear = games_to_clear"
    "      + coalesce(new.games_to_clear, 0) - coalesce(old.games_to_clear, 0)"
    "  WHERE rules = new.rules AND level = new.level;"
    "END;"
    "CREATE TABLE standings ("
    "  person INTEGER NOT NULL, rules TEXT NOT NULL, beaten INTEGER NOT NULL,"
    "  wins INTEGER NOT NULL, games INTEGER NOT NULL, reached INTEGER NOT NULL,"
    "  listed INTEGER NOT NULL, PRIMARY KEY (person, rules)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX standings_rank ON standings (rules, beaten DESC, wins DESC, reached, person)"
    "  WHERE listed;"
    "INSERT INTO progress"
    "  SELECT host_person, rules, level, count(*), sum(outcome = host + 1), sum(outcome = 3),"
    "    min(CASE WHEN clean THEN ended END), CASE WHEN max(clean) THEN 1 END"
    "  FROM games WHERE opponent = 'computer' AND outcome > 0 GROUP BY host_person, rules, level;"
    "INSERT INTO standings"
    "  SELECT person, rules, " BEATEN "progress.person AND q.rules = progress.rules)),"
    "    sum(wins), sum(games), coalesce(max(cleared), 0), 0"
    "  FROM progress GROUP BY person, rules;"
    "INSERT INTO standings"
    "  SELECT person, '', max(beaten), sum(wins), sum(games), max(reached), 0"
    "  FROM standings GROUP BY person;"
    "UPDATE standings SET listed = 1"
    "  WHERE person IN (SELECT id FROM people WHERE name IS NOT NULL);",

    /* 4: the RULES.h5 files that games are played with. */
    "CREATE TABLE weights ("
    "  id TEXT NOT NULL, rules TEXT NOT NULL, file BLOB NOT NULL, kept INTEGER NOT NULL,"
    "  PRIMARY KEY (id, rules)) STRICT;"
    "CREATE INDEX games_open ON games (created) WHERE ended IS NULL;",

    /* 5: other back ends with users of their own; what the sweeps look for. */
    "CREATE TABLE services ("
    "  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key BLOB NOT NULL UNIQUE,"
    "  created INTEGER NOT NULL, revoked INTEGER) STRICT;"
    "ALTER TABLE people ADD COLUMN service INTEGER REFERENCES services (id);"
    "ALTER TABLE people ADD COLUMN user TEXT;"
    "CREATE INDEX people_users ON people (service) WHERE service IS NOT NULL;"
    "CREATE INDEX people_guests ON people (created) WHERE name IS NULL AND service IS NULL;"
    "CREATE INDEX games_ended ON games (ended) WHERE ended IS NOT NULL;",

    /* 6: whose games as a friend are found. */
    "CREATE INDEX events_joined ON events (text) WHERE kind = 'join';",

    /* 7: with `listed` in it the index alone answers for rank and page, thirty times as quickly. */
    "DROP INDEX standings_rank;"
    "CREATE INDEX standings_rank"
    "  ON standings (rules, beaten DESC, wins DESC, reached, person, listed) WHERE listed;",
};

/* So many rows are deleted by one statement of a sweep. */
#define SOME " LIMIT 200)"

/* Guests that came before a time and have no session any more. */
#define GUESTS                                                                                     \
    "(SELECT id FROM people WHERE name IS NULL AND service IS NULL AND created < ?"                \
    " AND NOT EXISTS (SELECT 1 FROM sessions WHERE person = people.id)" SOME

#define PERSON                                                                                     \
    "SELECT id, created, name, name_key, password, recovery, banned, banned_for FROM people"

#define PLAYED                                                                                     \
    "SELECT id, rules, opponent, level, host, host_person, created, ended, outcome, clean FROM "   \
    "games"

/* How many stand before s by a condition, which ends with a parenthesis. */
#define BETTER " (SELECT count(*) FROM standings AS o WHERE o.listed AND o.rules = s.rules AND "

const char *const STORE_SQL[STATEMENTS] = {
    [ADD_PERSON] = "INSERT INTO people (id, created) VALUES (?, ?)",
    [ADD_USER] = "INSERT OR IGNORE INTO people (id, created, service, user) VALUES (?, ?, ?, ?)",
    [RENAME] = "UPDATE people SET name = ?, name_key = ? WHERE id = ?",
    [BAN] = "UPDATE people SET banned = ?, banned_for = ? WHERE id = ?",
    [UNBAN] = "UPDATE people SET banned = NULL, banned_for = NULL WHERE id = ?",
    [UNLIST_PERSON] = "UPDATE standings SET listed = 0 WHERE person = ?",
    [ADD_SERVICE] = "INSERT INTO services (name, key, created) VALUES (?, ?, ?)",
    [REVOKE_SERVICE] = "UPDATE services SET revoked = ? WHERE name = ? AND revoked IS NULL",
    [ADD_ACCOUNT] = "UPDATE people SET name = ?, name_key = ?, password = ?, recovery = ?"
                    " WHERE id = ? AND name IS NULL",
    [ADD_LOOK] = "INSERT INTO looks (look, person) VALUES (?, ?)",
    [LIST_PERSON] = "UPDATE standings SET listed = 1 WHERE person = ?",
    [SET_PASSWORD] = "UPDATE people SET password = ? WHERE id = ?",
    [SET_RECOVERY] = "UPDATE people SET recovery = ? WHERE id = ?",
    [ADD_SESSION] = "INSERT INTO sessions (token, person, created, expires) VALUES (?, ?, ?, ?)",
    [END_SESSION] = "DELETE FROM sessions WHERE token = ?",
    [END_SESSIONS] = "DELETE FROM sessions WHERE person = ?",
    [SWEEP_SESSIONS] = "DELETE FROM sessions WHERE token IN"
                       " (SELECT token FROM sessions WHERE expires <= ?" SOME,
    [SWEEP_WEIGHTS] =
        "DELETE FROM weights WHERE kept < ? - 86400 AND NOT EXISTS"
        " (SELECT 1 FROM games AS g WHERE g.ended IS NULL AND g.weights = weights.id)",
    [SWEEP_EVENTS] = "DELETE FROM events WHERE game IN (SELECT id FROM games WHERE ended < ?"
                     " ORDER BY ended" SOME,
    [SWEEP_GAMES_ENDED] = "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE ended < ?"
                          " ORDER BY ended" SOME,
    [SWEEP_PROGRESS] = "DELETE FROM progress WHERE person IN " GUESTS,
    [SWEEP_STANDINGS] = "DELETE FROM standings WHERE person IN " GUESTS,
    [SWEEP_GUESTS] = "DELETE FROM people WHERE id IN " GUESTS,
    [FORGET_EVENTS] = "DELETE FROM events WHERE game IN (SELECT id FROM games"
                      " WHERE host_person = ? AND opponent <> 'friend')",
    [FORGET_GAMES] = "DELETE FROM games WHERE host_person = ? AND opponent <> 'friend'",
    [FORGET_LOOKS] = "DELETE FROM looks WHERE person = ?",
    [FORGET_PROGRESS] = "DELETE FROM progress WHERE person = ?",
    [FORGET_STANDINGS] = "DELETE FROM standings WHERE person = ?",
    [FORGET_PERSON] = "DELETE FROM people WHERE id = ?",
    [ADD_WEIGHTS] = "INSERT OR IGNORE INTO weights (id, rules, file, kept) VALUES (?, ?, ?, ?)",
    [ADD_GAME] = "INSERT INTO games (id, rules, start, set_up, opponent, host, host_person, level,"
                 " level_name, level_nodes, level_depth, level_noise, seed, weights, created)"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_EVENT] = "INSERT INTO events (game, number, kind, side, at, text)"
                  " VALUES (?, ?, ?, ?, ?, ?)",
    [END_GAME] = "UPDATE games SET ended = ?, outcome = ?, clean = ? WHERE id = ?",
    [COUNT_PROGRESS] =
        "INSERT INTO progress SELECT host_person, rules, level, 1, ?2, ?3,"
        "  CASE WHEN ?4 THEN ended END, CASE WHEN ?4 THEN 1 END FROM games WHERE id = ?1"
        " ON CONFLICT (person, rules, level) DO UPDATE SET games = games + 1,"
        "  wins = wins + excluded.wins, draws = draws + excluded.draws,"
        "  games_to_clear = CASE WHEN cleared IS NULL AND excluded.cleared IS NOT NULL"
        "    THEN games + 1 ELSE games_to_clear END,"
        "  cleared = coalesce(cleared, excluded.cleared)",
    [COUNT_STANDING] =
        "INSERT INTO standings"
        " SELECT host_person, rules, " BEATEN "g.host_person AND q.rules = g.rules)), ?2, 1, ended,"
        "  EXISTS (SELECT 1 FROM people WHERE id = host_person AND name IS NOT NULL"
        "    AND banned IS NULL)"
        " FROM games AS g WHERE id = ?1"
        " ON CONFLICT (person, rules) DO UPDATE SET beaten = excluded.beaten,"
        "  wins = wins + excluded.wins, games = games + 1,"
        "  reached = CASE WHEN excluded.wins THEN excluded.reached ELSE reached END",
    [COUNT_OVERALL] =
        "INSERT INTO standings"
        " SELECT person, '', max(beaten), sum(wins), sum(games), max(reached), max(listed)"
        " FROM standings WHERE person = (SELECT host_person FROM games WHERE id = ?)"
        "  AND rules <> '' GROUP BY person"
        " ON CONFLICT (person, rules) DO UPDATE SET beaten = excluded.beaten,"
        "  wins = excluded.wins, games = excluded.games, reached = excluded.reached",
    [FIND_SESSION] = "SELECT person FROM sessions WHERE token = ? AND expires > ?",
    [FIND_SERVICE] = "SELECT id FROM services WHERE key = ? AND revoked IS NULL",
    [FIND_SERVICES] = "SELECT id, name, created, revoked,"
                      " (SELECT count(*) FROM people WHERE service = services.id)"
                      " FROM services ORDER BY id",
    [FIND_IDLE] = "SELECT id FROM games WHERE ended IS NULL AND created < ? AND NOT EXISTS"
                  " (SELECT 1 FROM events WHERE game = games.id AND at >= ?) LIMIT 64",
    [FIND_PERSON] = PERSON " WHERE id = ?",
    [FIND_NAMED] = PERSON " WHERE name_key = ?",
    [FIND_LOOK] = "SELECT 1 FROM looks WHERE look = ?",
    [FIND_WEIGHTS] = "SELECT file FROM weights WHERE id = ? AND rules = ?",
    [FIND_GAME] = "SELECT rules, start, set_up, opponent, host, host_person, level, level_name,"
                  " level_nodes, level_depth, level_noise, seed, weights, created"
                  " FROM games WHERE id = ?",
    [FIND_PLAYED] = PLAYED " WHERE host_person = ? UNION ALL " PLAYED
                           " WHERE id IN (SELECT game FROM events WHERE kind = 'join'"
                           "  AND text = CAST(? AS TEXT)) ORDER BY created, id",
    [FIND_EVENTS] = "SELECT kind, side, at, text FROM events WHERE game = ? ORDER BY number",
    [FIND_PROGRESS] = "SELECT level, games, wins, draws, cleared FROM progress"
                      " WHERE person = ? AND rules = ?",
    [FIND_LEADERS] =
        "SELECT p.name, s.beaten, s.wins,"
        " (SELECT games FROM standings WHERE person = s.person AND rules = ?1), s.reached"
        " FROM (SELECT person, beaten, wins, reached FROM standings WHERE listed AND rules = ?1"
        "  ORDER BY beaten DESC, wins DESC, reached, person LIMIT ?2 OFFSET ?3) AS s"
        " JOIN people AS p ON p.id = s.person"
        " ORDER BY s.beaten DESC, s.wins DESC, s.reached, s.person",
    [FIND_STANDING] =
        "SELECT p.name, s.beaten, s.wins, s.games, s.reached," BETTER
        "o.beaten > s.beaten) +" BETTER "o.beaten = s.beaten AND o.wins > s.wins) +" BETTER
        "o.beaten = s.beaten AND o.wins = s.wins AND o.reached < s.reached) +" BETTER
        "o.beaten = s.beaten AND o.wins = s.wins AND o.reached = s.reached"
        "  AND o.person < s.person)"
        " FROM standings AS s JOIN people AS p ON p.id = s.person"
        " WHERE s.listed AND s.rules = ? AND s.person = ?",
    [FIND_RESULTS] = "SELECT rules, level, people, cleared, games, wins, draws, games_to_clear"
                     " FROM results ORDER BY rules, level",
};
