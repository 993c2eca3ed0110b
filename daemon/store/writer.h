/* The one thread that writes to the store. Changes that come while it writes go together into its
 * next transaction, so that one flush of the disk serves them all. */
#pragma once

#include "daemon/store/change.h"

struct writer;
struct store;

/* Starts the thread, which takes the store over. At most `queue` changes wait. NULL when the system
 * refuses; the store is then still the caller's. */
struct writer *writer_create(struct store *store, int queue, struct err *err);

/* Writes what waits, ends the thread and closes the store; changes that nobody has taken are freed.
 * Takes NULL. */
void writer_destroy(struct writer *writer);

/* Readable when changes are done; writer_take makes it quiet again. */
int writer_fd(const struct writer *writer);

/* Queues a change from malloc. False when the queue is full: the change stays the caller's. */
bool writer_submit(struct writer *writer, struct change *change);

/* The changes done since the last call, in the order of their submission, linked by `next`; NULL
 * when there is none. The caller frees each. */
struct change *writer_take(struct writer *writer);
