/* libsodium's argon2id on threads of its own. */
#include "daemon/people/hasher.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/crew.h"

_Static_assert(PASSWORD_HASH >= crypto_pwhash_STRBYTES, "a hash's text fits");

/* What OWASP's password storage cheat sheet names for argon2id. */
enum { PASSES = 2, MEMORY = 19 * 1024 * 1024 };

struct list {
    struct hash_work *first, **last;
};

struct hasher {
    struct crew crew;
    struct list queue, done;
    int queued, queue_limit;
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

/* Takes the next piece out of the queue; NULL: the end has come. The mutex is held. */
static struct hash_work *next_work(struct hasher *hasher)
{
    while (!hasher->crew.ending && hasher->queue.first == NULL) {
        crew_wait(&hasher->crew);
    }
    if (hasher->crew.ending) {
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
    struct hasher *hasher = argument;
    struct hash_work *work;

    crew_lock(&hasher->crew);
    while ((work = next_work(hasher)) != NULL) {
        crew_unlock(&hasher->crew);
        hash_work_do(work);
        crew_lock(&hasher->crew);
        list_append(&hasher->done, work);
        crew_ring(&hasher->crew);
    }
    crew_unlock(&hasher->crew);
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
    if (!crew_init(&hasher->crew, "hashing threads", err)) {
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
    crew_end(&hasher->crew);
    for (int i = 0; i < hasher->thread_count; i++) {
        pthread_join(hasher->thread[i], NULL);
    }
    list_free(&hasher->queue);
    list_free(&hasher->done);
    crew_fini(&hasher->crew);
    free(hasher);
}

int hasher_fd(const struct hasher *hasher)
{
    return hasher->crew.event_fd;
}

bool hasher_submit(struct hasher *hasher, struct hash_work *work)
{
    crew_lock(&hasher->crew);
    bool taken = hasher->queued < hasher->queue_limit;
    if (taken) {
        list_append(&hasher->queue, work);
        hasher->queued++;
        crew_call(&hasher->crew);
    }
    crew_unlock(&hasher->crew);
    return taken;
}

struct hash_work *hasher_take(struct hasher *hasher)
{
    crew_lock(&hasher->crew);
    crew_hush(&hasher->crew);
    struct hash_work *done = hasher->done.first;
    list_init(&hasher->done);
    crew_unlock(&hasher->crew);
    return done;
}
