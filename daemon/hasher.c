/* libsodium's argon2id on threads of its own. */
#include "daemon/hasher.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

_Static_assert(PASSWORD_HASH >= crypto_pwhash_STRBYTES, "a hash's text fits");

/* What OWASP's password storage cheat sheet names for argon2id. */
enum { PASSES = 2, MEMORY = 19 * 1024 * 1024 };

struct list {
    struct hash_work *first, **last;
};

struct hasher {
    pthread_mutex_t mutex;
    pthread_cond_t wanted; /* work waits, or the end has come */
    struct list queue, done;
    int queued, queue_limit;
    bool ending;
    int event_fd;
    int thread_count;
    pthread_t thread[];
};

struct hash_work *hash_work_create(void)
{
    return calloc(1, sizeof(struct hash_work));
}

void hash_work_destroy(struct hash_work *work)
{
    if (work != NULL) {
        sodium_memzero(work, sizeof *work);
        free(work);
    }
}

static bool make(const char *password, char out[PASSWORD_HASH])
{
    return crypto_pwhash_str(out, password, strlen(password), PASSES, MEMORY) == 0;
}

void hash_work_do(struct hash_work *work)
{
    if (work->decoy) {
        work->failed = !make(work->password, work->made);
        work->made[0] = '\0';
        return;
    }
    work->matches =
        work->against[0] == '\0' ||
        crypto_pwhash_str_verify(work->against, work->password, strlen(work->password)) == 0;
    if (work->matches && work->fresh[0] != '\0') {
        work->failed = !make(work->fresh, work->made);
    }
}

/* --- threads --------------------------------------------------------------------------------- */

static void list_init(struct list *list)
{
    list->first = NULL;
    list->last = &list->first;
}

static void list_append(struct list *list, struct hash_work *work)
{
    work->next = NULL;
    *list->last = work;
    list->last = &work->next;
}

static void list_free(struct list *list)
{
    while (list->first != NULL) {
        struct hash_work *work = list->first;
        list->first = work->next;
        hash_work_destroy(work);
    }
}

static void lock(struct hasher *hasher)
{
    int failed = pthread_mutex_lock(&hasher->mutex);
    assert(failed == 0);
    (void)failed;
}

static void unlock(struct hasher *hasher)
{
    int failed = pthread_mutex_unlock(&hasher->mutex);
    assert(failed == 0);
    (void)failed;
}

/* Takes the next piece out of the queue; NULL: the end has come. The mutex is held. */
static struct hash_work *next_work(struct hasher *hasher)
{
    while (!hasher->ending && hasher->queue.first == NULL) {
        pthread_cond_wait(&hasher->wanted, &hasher->mutex);
    }
    if (hasher->ending) {
        return NULL;
    }
    struct hash_work *work = hasher->queue.first;
    hasher->queue.first = work->next;
    if (work->next == NULL) {
        hasher->queue.last = &hasher->queue.first;
    }
    hasher->queued--;
    return work;
}

static void *run(void *argument)
{
    const uint64_t one = 1;
    struct hasher *hasher = argument;
    struct hash_work *work;

    lock(hasher);
    while ((work = next_work(hasher)) != NULL) {
        unlock(hasher);
        hash_work_do(work);
        lock(hasher);
        list_append(&hasher->done, work);
        /* Fails only when the counter is full, and then the reader is awake anyway. */
        (void)!write(hasher->event_fd, &one, sizeof one);
    }
    unlock(hasher);
    return NULL;
}

struct hasher *hasher_create(int threads, int queue, struct err *err)
{
    struct hasher *hasher = calloc(1, sizeof *hasher + (size_t)threads * sizeof hasher->thread[0]);

    if (hasher == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    hasher->queue_limit = queue;
    list_init(&hasher->queue);
    list_init(&hasher->done);
    hasher->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (hasher->event_fd < 0 || pthread_mutex_init(&hasher->mutex, NULL) != 0 ||
        pthread_cond_init(&hasher->wanted, NULL) != 0) {
        err_set(err, ERR_FAILED, "no event descriptor or lock for the hashing threads");
        if (hasher->event_fd >= 0) {
            close(hasher->event_fd);
        }
        free(hasher);
        return NULL;
    }
    while (hasher->thread_count < threads) {
        int failed = pthread_create(&hasher->thread[hasher->thread_count], NULL, run, hasher);
        if (failed != 0) {
            err_set(err, ERR_FAILED, "hashing thread %d of %d: %s", hasher->thread_count + 1,
                    threads, strerror(failed));
            hasher_destroy(hasher);
            return NULL;
        }
        hasher->thread_count++;
    }
    return hasher;
}

void hasher_destroy(struct hasher *hasher)
{
    if (hasher == NULL) {
        return;
    }
    lock(hasher);
    hasher->ending = true;
    pthread_cond_broadcast(&hasher->wanted);
    unlock(hasher);
    for (int i = 0; i < hasher->thread_count; i++) {
        pthread_join(hasher->thread[i], NULL);
    }
    list_free(&hasher->queue);
    list_free(&hasher->done);
    pthread_cond_destroy(&hasher->wanted);
    pthread_mutex_destroy(&hasher->mutex);
    close(hasher->event_fd);
    free(hasher);
}

int hasher_fd(const struct hasher *hasher)
{
    return hasher->event_fd;
}

bool hasher_submit(struct hasher *hasher, struct hash_work *work)
{
    lock(hasher);
    bool taken = hasher->queued < hasher->queue_limit;
    if (taken) {
        list_append(&hasher->queue, work);
        hasher->queued++;
        pthread_cond_signal(&hasher->wanted);
    }
    unlock(hasher);
    return taken;
}

struct hash_work *hasher_take(struct hasher *hasher)
{
    uint64_t count;

    lock(hasher);
    (void)!read(hasher->event_fd, &count, sizeof count); /* empty: nothing was done */
    struct hash_work *done = hasher->done.first;
    list_init(&hasher->done);
    unlock(hasher);
    return done;
}
