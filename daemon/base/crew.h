/* What threads that work for the event loop share with it: one lock, a call for who waits for work,
 * and a bell that the loop hears when some is done. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "engine/base/err.h"

struct crew {
    pthread_mutex_t mutex;
    pthread_cond_t wanted; /* there is work, or the end has come */
    bool ending;           /* under the mutex */
    int event_fd;          /* readable from crew_ring to crew_hush */
};

/* False when the system refuses; the error says for what threads. */
bool crew_init(struct crew *crew, const char *threads, struct err *err);
/* Behind the last thread. */
void crew_fini(struct crew *crew);

void crew_lock(struct crew *crew);
void crew_unlock(struct crew *crew);

/* Under the mutex: waits for a call, which may come for nothing; calls one who waits. */
void crew_wait(struct crew *crew);
void crew_call(struct crew *crew);

/* Sets `ending` and calls all; false when it was set already. */
bool crew_end(struct crew *crew);

/* Under the mutex: lets the loop know that something is done; makes the bell quiet again. */
void crew_ring(struct crew *crew);
void crew_hush(struct crew *crew);
