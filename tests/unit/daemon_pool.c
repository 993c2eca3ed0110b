/* The search threads: results come back in any number, a full queue refuses, a cancelled search
 * ends soon, an end of all leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/think/lane.h"
#include "daemon/think/pool.h"
#include "engine/base/clock.h"

enum { QUEUE = 4, WAIT_MS = 20000 };

/* Levels: 1 searches three plies, 2 longer than any test waits. */
static struct artefacts *make_artefacts(void)
{
    struct artefacts *artefacts = artefacts_create();
    struct artefact artefact;

    assert_non_null(artefacts);
    memset(&artefact, 0, sizeof artefact);
    for (int i = 0; i < VARIANT_COUNT; i++) {
        artefact.variant = variant_at(i);
        weights_builtin(artefact.variant->rules, &artefact.weights);
        artefact.levels.count = 2;
        artefact.levels.level[0] = (struct level){.number = 1, .depth = 3};
        artefact.levels.level[1] = (struct level){.number = 2, .nodes = UINT64_MAX};
        artefacts_put(artefacts, &artefact);
    }
    return artefacts;
}

static struct job *make_job_of(uint64_t key, struct artefacts *artefacts, const char *body,
                               void *owner)
{
    struct response refusal;
    const struct request request = {
        .content_type = "application/json", .body = body, .body_size = strlen(body)};
    const bool analysis = strstr(body, "time_ms") != NULL;
    struct task *task = analysis ? task_read_analysis(&request, artefacts, 3600, &refusal)
                                 : task_read(&request, artefacts, &refusal);

    assert_non_null(task);
    struct job *job = job_create(task, owner, key);
    assert_non_null(job);
    return job;
}

static struct job *make_job(struct artefacts *artefacts, const char *body, void *owner)
{
    return make_job_of(1, artefacts, body, owner);
}

/* Waits for the next batch of finished jobs. */
static struct job *wait_jobs(struct pool *pool)
{
    struct pollfd ready = {.fd = pool_fd(pool), .events = POLLIN};

    assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
    return pool_take(pool);
}

static void wait_running(struct pool *pool, int count)
{
    double started = clock_seconds();

    while (pool_load(pool).running < count) {
        assert_true(clock_seconds() - started < WAIT_MS / 1e3);
        poll(NULL, 0, 1);
    }
}

static const char *const QUICK[VARIANT_COUNT] = {
    "{\"rules\":\"international\",\"level\":1,\"seed\":1}",
    "{\"rules\":\"classic\",\"level\":1,\"seed\":1}",
    "{\"rules\":\"flying\",\"level\":1,\"seed\":1}",
};
static const char LONG[] = "{\"rules\":\"international\",\"level\":2,\"seed\":1}";

static void test_results_come_back(void **state)
{
    enum { JOBS = 60 };
    struct err err;
    struct artefacts *artefacts = make_artefacts();
    struct pool *pool = pool_create(3, JOBS, &err);
    char *first[VARIANT_COUNT] = {NULL};
    int tags[JOBS], back = 0;

    (void)state;
    assert_non_null(pool);
    for (int i = 0; i < JOBS; i++) {
        tags[i] = i % VARIANT_COUNT;
        assert_true(pool_submit(pool, make_job(artefacts, QUICK[tags[i]], &tags[i])));
    }
    while (back < JOBS) {
        struct job *next;
        for (struct job *job = wait_jobs(pool); job != NULL; job = next) {
            int tag = *(int *)job->owner;
            next = job->next;
            assert_int_equal(job->response.status, 200);
            assert_false(job->cancelled);
            if (first[tag] == NULL) {
                first[tag] = strdup(job->response.body);
            }
            assert_string_equal(job->response.body, first[tag]); /* whichever thread it was */
            job_destroy(job);
            back++;
        }
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        free(first[i]);
    }
    pool_destroy(pool);
    assert_int_equal(atomic_load(&artefacts->references), 1);
    artefacts_release(artefacts);
}

static void test_full_queue_refuses_and_cancel_ends(void **state)
{
    struct err err;
    struct artefacts *artefacts = make_artefacts();
    struct pool *pool = pool_create(1, QUEUE, &err);
    struct job *running, *waiting[QUEUE];
    int back = 0;

    (void)state;
    assert_non_null(pool);
    running = make_job(artefacts, LONG, NULL);
    assert_true(pool_submit(pool, running));
    wait_running(pool, 1);
    for (int i = 0; i < QUEUE; i++) {
        waiting[i] = make_job(artefacts, LONG, NULL);
        assert_true(pool_submit(pool, waiting[i]));
    }
    struct job *surplus = make_job(artefacts, LONG, NULL);
    assert_false(pool_submit(pool, surplus));
    job_destroy(surplus);
    for (int i = 0; i < QUEUE; i++) {
        pool_cancel(pool, waiting[i]);
    }
    assert_int_equal(pool_load(pool).queued, 0);
    pool_cancel(pool, running);
    while (back < QUEUE + 1) {
        struct job *next;
        for (struct job *job = wait_jobs(pool); job != NULL; job = next) {
            next = job->next;
            assert_true(job->cancelled);
            assert_null(job->response.body);
            job_destroy(job);
            back++;
        }
    }
    pool_destroy(pool);
    artefacts_release(artefacts);
}

static void test_destroy_with_work_inside(void **state)
{
    struct err err;
    struct artefacts *artefacts = make_artefacts();
    struct pool *pool = pool_create(3, QUEUE, &err);
    double started = clock_seconds();

    (void)state;
    assert_non_null(pool);
    for (int i = 0; i < QUEUE; i++) {
        assert_true(pool_submit(pool, make_job(artefacts, LONG, NULL)));
    }
    wait_running(pool, 2);
    pool_destroy(pool);
    assert_true(clock_seconds() - started < WAIT_MS / 1e3);
    assert_int_equal(atomic_load(&artefacts->references), 1);
    artefacts_release(artefacts);
}

static void test_new_weights_are_taken_up(void **state)
{
    struct err err;
    struct artefacts *old = make_artefacts(), *fresh = make_artefacts();
    struct artefact heavier = fresh->slot[0].artefact;
    struct pool *pool = pool_create(1, QUEUE, &err);
    static const char BODY[] = "{\"rules\":\"international\",\"level\":1,\"seed\":1,"
                               "\"fen\":\"W:W33,38:B7\"}";
    char *answers[2];

    (void)state;
    assert_non_null(pool);
    heavier.weights.opening[0] = heavier.weights.ending[0] = 150;
    artefacts_put(fresh, &heavier);
    for (int i = 0; i < 2; i++) {
        assert_true(pool_submit(pool, make_job(i == 0 ? old : fresh, BODY, NULL)));
        struct job *job = wait_jobs(pool);
        assert_non_null(job);
        answers[i] = strdup(job->response.body);
        job_destroy(job);
    }
    assert_non_null(strstr(answers[0], "\"value\":100,"));
    assert_non_null(strstr(answers[1], "\"value\":150,"));
    free(answers[0]);
    free(answers[1]);
    pool_destroy(pool);
    artefacts_release(old);
    artefacts_release(fresh);
}

static const char ANALYSIS[] = "{\"rules\":\"international\",\"time_ms\":3600000}";

/* Who has many waiting takes turns with who has one, and makes room when there is none. */
static void test_turns_are_fair(void **state)
{
    struct artefacts *artefacts = make_artefacts();
    struct lane lane;
    struct job *job[6], *out;

    (void)state;
    lane_init(&lane);
    for (int i = 0; i < 6; i++) { /* 0 1 2 3 of one, 4 of a second, 5 of a third */
        job[i] = make_job_of(i < 4 ? 1 : (uint64_t)i, artefacts, QUICK[0], NULL);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(lane_add(&lane, job[i], 4, &out));
        assert_null(out);
    }
    assert_true(lane_add(&lane, job[4], 4, &out));
    assert_ptr_equal(out, job[3]);
    assert_false(lane_add(&lane, job[3], 4, &out)); /* there is nobody with more */
    assert_ptr_equal(lane_take(&lane), job[0]);
    assert_ptr_equal(lane_take(&lane), job[4]);
    assert_true(lane_add(&lane, job[5], 4, &out));
    assert_ptr_equal(lane_take(&lane), job[5]); /* the present turn, not the last */
    assert_ptr_equal(lane_take(&lane), job[1]);
    assert_true(lane_remove(&lane, job[2]));
    assert_false(lane_remove(&lane, job[2]));
    assert_null(lane_take(&lane));
    assert_int_equal(lane.count, 0);
    assert_int_equal(lane.nodes, 0);
    for (int i = 0; i < 6; i++) {
        job_destroy(job[i]);
    }
    artefacts_release(artefacts);
}

/* Analyses fill all threads but one, and their lane: a level is answered all the same. */
static void test_long_searches_starve_nobody(void **state)
{
    struct err err;
    struct artefacts *artefacts = make_artefacts();
    struct pool *pool = pool_create(2, QUEUE, &err);
    int tag;

    (void)state;
    assert_non_null(pool);
    for (int i = 0; i < QUEUE; i++) {
        assert_true(pool_submit(pool, make_job(artefacts, ANALYSIS, NULL)));
    }
    wait_running(pool, 1);
    for (int i = 0; i < 20; i++) {
        assert_true(pool_submit(pool, make_job_of(2, artefacts, QUICK[i % VARIANT_COUNT], &tag)));
        struct job *job = wait_jobs(pool);
        assert_ptr_equal(job->owner, &tag);
        assert_int_equal(job->response.status, 200);
        job_destroy(job);
    }
    assert_int_equal(pool_load(pool).running, 1);
    assert_true(pool_load(pool).seconds > 1.0);
    pool_destroy(pool);
    artefacts_release(artefacts);
}

/* The newest job of who fills the lane comes back refused. */
static void test_a_full_lane_makes_room(void **state)
{
    struct err err;
    struct artefacts *artefacts = make_artefacts();
    struct pool *pool = pool_create(1, 2, &err);

    (void)state;
    assert_non_null(pool);
    assert_true(pool_submit(pool, make_job(artefacts, LONG, NULL)));
    wait_running(pool, 1);
    struct job *first = make_job(artefacts, LONG, NULL), *second = make_job(artefacts, LONG, NULL);
    assert_true(pool_submit(pool, first));
    assert_true(pool_submit(pool, second));
    assert_true(pool_submit(pool, make_job_of(2, artefacts, LONG, NULL)));
    struct job *back = wait_jobs(pool);
    assert_ptr_equal(back, second);
    assert_true(back->refused && !back->cancelled);
    assert_null(back->response.body);
    job_destroy(back);
    pool_destroy(pool);
    artefacts_release(artefacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_come_back),
        cmocka_unit_test(test_full_queue_refuses_and_cancel_ends),
        cmocka_unit_test(test_destroy_with_work_inside),
        cmocka_unit_test(test_new_weights_are_taken_up),
        cmocka_unit_test(test_turns_are_fair),
        cmocka_unit_test(test_long_searches_starve_nobody),
        cmocka_unit_test(test_a_full_lane_makes_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
