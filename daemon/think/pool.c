/* Search threads, one mutex, two lanes in and one list out. */
#include "daemon/think/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/crew.h"
#include "daemon/net/problem.h"
#include "daemon/think/lane.h"
#include "engine/base/clock.h"

enum { STACK_BYTES = 8 * 1024 * 1024, FIRST_RATE = 1000000 };

enum { QUICK, LONG, LANES };

static int lane_of(const struct job *job)
{
    return task_nodes(job->task) >= LONG_NODES ? LONG : QUICK;
}

struct worker {
    struct pool *pool;
    pthread_t thread;
    struct artefacts *artefacts; /* whose weights the searchers hold; a reference */
    struct search *search[VARIANT_COUNT];
    struct job *job; /* under the mutex: what runs, with its searcher */
    struct search *running;
};

struct pool {
    struct crew crew;
    struct lane lane[LANES];
    struct job_list done;
    int queue_limit; /* of each lane */
    int busy, busy_long;
    bool long_next; /* the lanes take turns */
    double rate;    /* nodes a second of one thread, a moving average */
    int thread_count;
    struct worker worker[];
};

/* Hands a job back; the mutex is held. */
static void finish(struct pool *pool, struct job *job)
{
    job_list_append(&pool->done, job);
    crew_ring(&pool->crew);
}

static void forget_searchers(struct worker *worker)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        search_destroy(worker->search[i]);
        worker->search[i] = NULL;
    }
    artefacts_release(worker->artefacts);
    worker->artefacts = NULL;
}

/* The worker's searcher for a task, made when there is none for these weights. */
static struct search *searcher_for(struct worker *worker, const struct task *task, struct err *err)
{
    const struct variant *variant = task->game.variant;
    struct search **search = &worker->search[variant_index(variant)];

    if (worker->artefacts != task->artefacts) {
        forget_searchers(worker);
        worker->artefacts = artefacts_hold(task->artefacts);
    }
    if (*search == NULL) {
        *search = search_create(variant, &artefacts_of(task->artefacts, variant)->artefact.weights,
                                LEVEL_TABLE_BITS, err);
    }
    return *search;
}

/* Runs one job; the mutex is held on entry and on return, not in between. */
static void run(struct worker *worker, struct job *job)
{
    struct pool *pool = worker->pool;
    struct err err;
    double started = clock_seconds();

    worker->job = job;
    pool->busy++;
    pool->busy_long += lane_of(job) == LONG;
    crew_unlock(&pool->crew);
    struct search *search = searcher_for(worker, job->task, &err);
    crew_lock(&pool->crew);
    if (search != NULL) {
        search_allow(search); /* what stopped an earlier job is over */
    }
    worker->running = search;
    bool cancelled = job->cancelled;
    crew_unlock(&pool->crew);

    struct response response = {.status = 0};
    if (search == NULL) {
        response = problem(PROBLEM_INTERNAL, NULL, "%s", err.text);
    } else if (!cancelled) {
        response = task_run(job->task, search, &job->nodes);
    }

    crew_lock(&pool->crew);
    worker->running = NULL;
    worker->job = NULL;
    pool->busy--;
    pool->busy_long -= lane_of(job) == LONG;
    job->seconds = clock_seconds() - started;
    if (job->nodes > 0 && job->seconds > 0.0) {
        pool->rate += 0.05 * ((double)job->nodes / job->seconds - pool->rate);
    }
    if (pool->lane[LONG].count > 0) {
        crew_call(&pool->crew); /* it may have waited for this thread to be free */
    }
    job->response = response;
    if (job->cancelled) {
        response_fini(&job->response);
    }
    finish(pool, job);
}

/* Takes the job whose turn it is; NULL when none may be begun. */
static struct job *take_turn(struct pool *pool)
{
    const bool may_long = pool->thread_count == 1 || pool->busy_long < pool->thread_count - 1;
    const bool has_long = may_long && pool->lane[LONG].count > 0;
    const bool has_quick = pool->lane[QUICK].count > 0;

    if (!has_long && !has_quick) {
        return NULL;
    }
    bool take_long = has_long && (!has_quick || pool->long_next);
    struct lane *lane = &pool->lane[take_long ? LONG : QUICK];
    pool->long_next = !take_long;
    return lane_take(lane);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;

    crew_lock(&pool->crew);
    while (!pool->crew.ending) {
        struct job *job = take_turn(pool);
        if (job == NULL) {
            crew_wait(&pool->crew);
        } else {
            run(worker, job);
        }
    }
    crew_unlock(&pool->crew);
    forget_searchers(worker);
    return NULL;
}

static bool start_threads(struct pool *pool, int threads, struct err *err)
{
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);

    if (failed != 0) {
        return err_set(err, ERR_FAILED, "search threads: %s", strerror(failed));
    }
    failed = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    crew_lock(&pool->crew); /* a thread begins when it may know how many there are */
    while (failed == 0 && pool->thread_count < threads) {
        struct worker *worker = &pool->worker[pool->thread_count];
        worker->pool = pool;
        failed = pthread_create(&worker->thread, &attributes, work, worker);
        pool->thread_count += failed == 0;
    }
    crew_unlock(&pool->crew);
    pthread_attr_destroy(&attributes);
    return failed == 0 || err_set(err, ERR_FAILED, "search thread %d of %d: %s",
                                  pool->thread_count + 1, threads, strerror(failed));
}

struct pool *pool_create(int threads, int queue, struct err *err)
{
    struct pool *pool = calloc(1, sizeof *pool + (size_t)threads * sizeof pool->worker[0]);

    if (pool == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    pool->queue_limit = queue;
    pool->rate = FIRST_RATE;
    for (int i = 0; i < LANES; i++) {
        lane_init(&pool->lane[i]);
    }
    job_list_init(&pool->done);
    if (!crew_init(&pool->crew, "search threads", err)) {
        free(pool);
        return NULL;
    }
    if (!start_threads(pool, threads, err)) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

static void free_jobs(struct job_list *list)
{
    while (list->first != NULL) {
        struct job *job = list->first;
        list->first = job->next;
        job_destroy(job);
    }
}

void pool_destroy(struct pool *pool)
{
    if (pool == NULL) {
        return;
    }
    crew_end(&pool->crew);
    crew_lock(&pool->crew);
    for (int i = 0; i < pool->thread_count; i++) {
        if (pool->worker[i].job != NULL) {
            pool->worker[i].job->cancelled = true;
        }
        if (pool->worker[i].running != NULL) {
            search_stop(pool->worker[i].running);
        }
    }
    crew_unlock(&pool->crew);
    for (int i = 0; i < pool->thread_count; i++) {
        pthread_join(pool->worker[i].thread, NULL);
    }
    for (int i = 0; i < LANES; i++) {
        free_jobs(&pool->lane[i].queue);
    }
    free_jobs(&pool->done);
    crew_fini(&pool->crew);
    free(pool);
}

int pool_fd(const struct pool *pool)
{
    return pool->crew.event_fd;
}

bool pool_submit(struct pool *pool, struct job *job)
{
    crew_lock(&pool->crew);
    struct lane *lane = &pool->lane[lane_of(job)];
    struct job *out;
    bool taken = lane_add(lane, job, pool->queue_limit, &out);
    if (taken) {
        crew_call(&pool->crew);
    }
    if (out != NULL) {
        out->refused = true;
        finish(pool, out);
    }
    crew_unlock(&pool->crew);
    return taken;
}

void pool_cancel(struct pool *pool, struct job *job)
{
    crew_lock(&pool->crew);
    if (lane_remove(&pool->lane[lane_of(job)], job)) {
        job->cancelled = true;
        finish(pool, job);
    } else {
        for (int i = 0; i < pool->thread_count; i++) {
            struct worker *worker = &pool->worker[i];
            if (worker->job == job) {
                job->cancelled = true;
                if (worker->running != NULL) {
                    search_stop(worker->running);
                }
            }
        }
    }
    crew_unlock(&pool->crew);
}

struct job *pool_take(struct pool *pool)
{
    crew_lock(&pool->crew);
    crew_hush(&pool->crew);
    struct job *jobs = pool->done.first;
    job_list_init(&pool->done);
    crew_unlock(&pool->crew);
    return jobs;
}

struct pool_load pool_load(struct pool *pool)
{
    crew_lock(&pool->crew);
    struct pool_load load = {
        .queued = pool->lane[QUICK].count + pool->lane[LONG].count,
        .running = pool->busy,
        .seconds = (double)(pool->lane[QUICK].nodes + pool->lane[LONG].nodes) /
                   (pool->rate * pool->thread_count),
    };
    crew_unlock(&pool->crew);
    return load;
}

struct job *job_create(struct task *task, void *owner, uint64_t key)
{
    struct job *job = calloc(1, sizeof *job);

    if (job != NULL) {
        job->task = task;
        job->owner = owner;
        job->key = key;
    }
    return job;
}

void job_destroy(struct job *job)
{
    if (job != NULL) {
        task_destroy(job->task);
        response_fini(&job->response);
        free(job);
    }
}
