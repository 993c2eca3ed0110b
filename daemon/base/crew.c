/* A mutex, a condition, an event descriptor. */
#include "daemon/base/crew.h"

#include <assert.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool crew_init(struct crew *crew, const char *threads, struct err *err)
{
    crew->ending = false;
    crew->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (crew->event_fd >= 0 && pthread_mutex_init(&crew->mutex, NULL) == 0) {
        if (pthread_cond_init(&crew->wanted, NULL) == 0) {
            return true;
        }
        pthread_mutex_destroy(&crew->mutex);
    }
    if (crew->event_fd >= 0) {
        close(crew->event_fd);
    }
    return err_set(err, ERR_FAILED, "no event descriptor or lock for the %s", threads);
}

void crew_fini(struct crew *crew)
{
    pthread_cond_destroy(&crew->wanted);
    pthread_mutex_destroy(&crew->mutex);
    close(crew->event_fd);
}

void crew_lock(struct crew *crew)
{
    int failed = pthread_mutex_lock(&crew->mutex);
    assert(failed == 0);
    (void)failed;
}

void crew_unlock(struct crew *crew)
{
    int failed = pthread_mutex_unlock(&crew->mutex);
    assert(failed == 0);
    (void)failed;
}

void crew_wait(struct crew *crew)
{
    pthread_cond_wait(&crew->wanted, &crew->mutex);
}

void crew_call(struct crew *crew)
{
    pthread_cond_signal(&crew->wanted);
}

bool crew_end(struct crew *crew)
{
    crew_lock(crew);
    const bool first = !crew->ending;
    crew->ending = true;
    pthread_cond_broadcast(&crew->wanted);
    crew_unlock(crew);
    return first;
}

void crew_ring(struct crew *crew)
{
    const uint64_t one = 1;

    /* Fails only when the counter is full, and then the loop is awake anyway. */
    (void)!write(crew->event_fd, &one, sizeof one);
}

void crew_hush(struct crew *crew)
{
    uint64_t count;

    (void)!read(crew->event_fd, &count, sizeof count); /* empty: nothing was done */
}
