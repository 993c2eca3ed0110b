/* A thread between two lists: what waits, what is done. */
#include "daemon/store/writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/crew.h"
#include "daemon/store/store.h"

struct list {
    struct change *first, **last;
};

struct writer {
    struct crew crew;
    struct list queue, done;
    int queued, queue_limit;
    pthread_t thread;
    struct store *store;
};

static void list_init(struct list *list)
{
    list->first = NULL;
    list->last = &list->first;
}

/* Writes all that waits as one transaction; the mutex is held on entry and on return. */
static void write_batch(struct writer *writer)
{
    struct list batch = writer->queue;

    list_init(&writer->queue);
    writer->queued = 0;
    crew_unlock(&writer->crew);
    store_write(writer->store, batch.first);
    crew_lock(&writer->crew);
    *writer->done.last = batch.first;
    writer->done.last = batch.last;
    crew_ring(&writer->crew);
}

static void *work(void *argument)
{
    struct writer *writer = argument;

    crew_lock(&writer->crew);
    while (!writer->crew.ending || writer->queue.first != NULL) {
        if (writer->queue.first == NULL) {
            crew_wait(&writer->crew);
        } else {
            write_batch(writer);
        }
    }
    crew_unlock(&writer->crew);
    return NULL;
}

struct writer *writer_create(struct store *store, int queue, struct err *err)
{
    struct writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    writer->store = store;
    writer->queue_limit = queue;
    list_init(&writer->queue);
    list_init(&writer->done);
    if (!crew_init(&writer->crew, "store", err)) {
        free(writer);
        return NULL;
    }
    if (pthread_create(&writer->thread, NULL, work, writer) != 0) {
        err_set(err, ERR_FAILED, "no thread for the store");
        crew_fini(&writer->crew);
        free(writer);
        return NULL;
    }
    return writer;
}

static void free_changes(struct change *change)
{
    while (change != NULL) {
        struct change *next = change->next;
        change_destroy(change);
        change = next;
    }
}

static void finish(struct writer *writer)
{
    if (crew_end(&writer->crew)) {
        pthread_join(writer->thread, NULL);
    }
}

void writer_destroy(struct writer *writer)
{
    if (writer == NULL) {
        return;
    }
    finish(writer);
    free_changes(writer->done.first);
    crew_fini(&writer->crew);
    store_close(writer->store);
    free(writer);
}

int writer_fd(const struct writer *writer)
{
    return writer->crew.event_fd;
}

bool writer_submit(struct writer *writer, struct change *change)
{
    crew_lock(&writer->crew);
    bool taken = writer->queued < writer->queue_limit;
    if (taken) {
        change->next = NULL;
        *writer->queue.last = change;
        writer->queue.last = &change->next;
        writer->queued++;
        crew_call(&writer->crew);
    }
    crew_unlock(&writer->crew);
    return taken;
}

struct change *writer_take(struct writer *writer)
{
    crew_lock(&writer->crew);
    crew_hush(&writer->crew);
    struct change *changes = writer->done.first;
    list_init(&writer->done);
    crew_unlock(&writer->crew);
    return changes;
}
