/* The games, people and sessions on disk: one SQLite file (database.h).
 *
 * A store is one connection, used by one thread at a time: one writes (writer.h), another reads.
 * Write-ahead log with synchronous FULL: what store_write has reported as stored outlives a kill
 * and a loss of power. */
#pragma once

#include "daemon/store/change.h"

enum { STORE_VERSION = 7 };

struct store;

/* Opens a file; it is made when it is missing and brought to STORE_VERSION when it is older. At
 * most max_megabytes are filled; 0: no limit. NULL with ERR_USAGE for a file of a newer version or
 * no SQLite database, ERR_FAILED when the system refuses. */
struct store *store_open(const char *path, int64_t max_megabytes, struct err *err);

/* Takes NULL. */
void store_close(struct store *store);

/* Stores a list of changes in one transaction and fills each one's status. A change that conflicts
 * is left out alone; when the disk refuses, none is stored. */
void store_write(struct store *store, struct change *first);

/* Whose token it is that has this hash, unless its session has ended before `now`; NOBODY:
 * nobody's. */
bool store_session(struct store *store, const unsigned char token[TOKEN_HASH], int64_t now,
                   int64_t *person, struct err *err);

/* A game with all its events. *found tells whether there is one; then the caller hosted_finis *out.
 */
bool store_game(struct store *store, const char *id, struct hosted *out, bool *found,
                struct err *err);

/* The events of a game behind number `since`, at most `max`, into out; *count is how many. */
bool store_events(struct store *store, const char *id, int since, struct event *out, int max,
                  int *count, struct err *err);

/* The artefact whose weights have this id, alone in a set that is the caller's; *out is NULL when
 * it is not kept, or damaged. HDF5 is not thread-safe: call it from the event loop's thread only.
 */
bool store_weights(struct store *store, const char *id, const struct variant *variant,
                   struct artefacts **out, struct err *err);
