/* A thread between two lists: what waits, what is done. */
#include "daemon/writer.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/store.h"

struct list {
    struct change *first, **last;
};

struct writer {
    pthread_mutex_t mutex;
    pthread_cond_t wanted; /* a change waits, or the end has come */
    struct list queue, done;
    int queued, queue_limit;
    bool ending;
    int event_fd;
    pthread_t thread;
    struct store *store;
};

static void list_init(struct list *list)
{
    list->first = NULL;
    list->last = &list->first;
}

static void lock(struct writer *writer)
{
    int failed = pthread_mutex_lock(&writer->mutex);
    assert(failed == 0);
    (void)failed;
}

static void unlock(struct writer *writer)
{
    int failed = pthread_mutex_unlock(&writer->mutex);
    assert(failed == 0);
    (void)failed;
}

/* Writes all that waits as one transaction; the mutex is held on entry and on return. */
static void write_batch(struct writer *writer)
{
    const uint64_t one = 1;
    struct list batch = writer->queue;

    list_init(&writer->queue);
    writer->queued = 0;
    unlock(writer);
    store_write(writer->store, batch.first);
    lock(writer);
    *writer->done.last = batch.first;
    writer->done.last = batch.last;
    /* Fails only when the counter is full, and then the reader is awake anyway. */
    (void)!write(writer->event_fd, &one, sizeof one);
}

static void *work(void *argument)
{
    struct writer *writer = argument;

    lock(writer);
    while (!writer->ending || writer->queue.first != NULL) {
        if (writer->queue.first == NULL) {
            pthread_cond_wait(&writer->wanted, &writer->mutex);
        } else {
            write_batch(writer);
        }
    }
    unlock(writer);
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
    writer->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (writer->event_fd < 0 || pthread_mutex_init(&writer->mutex, NULL) != 0 ||
        pthread_cond_init(&writer->wanted, NULL) != 0 ||
        pthread_create(&writer->thread, NULL, work, writer) != 0) {
        err_set(err, ERR_FAILED, "no event descriptor, lock or thread for the store");
        if (writer->event_fd >= 0) {
            close(writer->event_fd);
        }
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

void writer_finish(struct writer *writer)
{
    lock(writer);
    bool first = !writer->ending;
    writer->ending = true;
    pthread_cond_signal(&writer->wanted);
    unlock(writer);
    if (first) {
        pthread_join(writer->thread, NULL);
    }
}

void writer_destroy(struct writer *writer)
{
    if (writer == NULL) {
        return;
    }
    writer_finish(writer);
    free_changes(writer->done.first);
    pthread_cond_destroy(&writer->wanted);
    pthread_mutex_destroy(&writer->mutex);
    close(writer->event_fd);
    store_close(writer->store);
    free(writer);
}

int writer_fd(const struct writer *writer)
{
    return writer->event_fd;
}

bool writer_submit(struct writer *writer, struct change *change)
{
    lock(writer);
    bool taken = writer->queued < writer->queue_limit;
    if (taken) {
        change->next = NULL;
        *writer->queue.last = change;
        writer->queue.last = &change->next;
        writer->queued++;
        pthread_cond_signal(&writer->wanted);
    }
    unlock(writer);
    return taken;
}

struct change *writer_take(struct writer *writer)
{
    uint64_t count;

    lock(writer);
    (void)!read(writer->event_fd, &count, sizeof count); /* empty: nothing was done */
    struct change *changes = writer->done.first;
    list_init(&writer->done);
    unlock(writer);
    return changes;
}
