/* Ranks and farm on any number of ranks: collectives, each task done exactly once, urgent ones by
 * another rank than rank 0 and before what is left, an error on one rank seen by all, a signal on
 * one rank stopping all. Exit status 0 when all holds. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "selfplay/farm/farm.h"

enum { TASKS = 2000, LARGE = 20000 };

struct bench {
    const struct comm *comm;
    int64_t failing;  /* the task that fails; -1: none */
    int64_t stopping; /* the task during which a signal comes; -1: none */
    int64_t wanted;   /* tasks that are enough; 0: all */
    int64_t finished; /* rank 0: tasks seen by done */
    char seen[TASKS]; /* rank 0: how often each */
    bool as_expected;
};

/* A task's result: its number again and again, as many bytes as the number says. */
static bool work(void *context, struct farm_seat *seat, const struct farm_task *told, void *result,
                 size_t *size, struct err *err)
{
    struct bench *bench = context;
    int64_t task = told->number;
    if (task == bench->failing) {
        return err_set(err, ERR_USAGE, "task %d will not do", (int)task);
    }
    if (task == bench->stopping) {
        kill(getpid(), SIGUSR1);
    }
    if (task % 50 == 0) {
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    *size = 0;
    if (!farm_poll(seat)) {
        return true;
    }
    *size = task % 100 == 0 ? LARGE : (size_t)(1 + task % 7);
    memset(result, (int)(task % 251), *size);
    return true;
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    struct bench *bench = context;
    (void)err;
    bench->finished++;
    bench->seen[task]++;
    if (size != (task % 100 == 0 ? LARGE : (size_t)(1 + task % 7))) {
        bench->as_expected = false;
    }
    for (size_t i = 0; i < size; i++) {
        bench->as_expected = bench->as_expected && ((const uint8_t *)result)[i] == task % 251;
    }
    return true;
}

static bool enough(void *context)
{
    const struct bench *bench = context;
    return bench->wanted > 0 && bench->finished >= bench->wanted;
}

static struct bench bench_of(const struct comm *comm, int64_t failing, int64_t stopping)
{
    return (struct bench){
        .comm = comm, .failing = failing, .stopping = stopping, .as_expected = true};
}

static bool farm(struct bench *bench, struct stop *stop, int64_t count, bool *stopped,
                 struct err *err)
{
    int64_t tasks[TASKS];
    struct farm farm = {.context = bench, .work = work, .done = done, .enough = enough};
    for (int64_t i = 0; i < count; i++) {
        tasks[i] = i;
    }
    bool first = bench->comm->rank == 0;
    return farm_run(bench->comm, &farm, stop, first ? tasks : NULL, first ? count : 0, stopped,
                    err);
}

static bool check_counts(const struct comm *comm, struct stop *stop)
{
    const int64_t counts[] = {0, 1, 2, 3, 5, 9, 100, TASKS};
    bool ok = true, stopped;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct bench bench = bench_of(comm, -1, -1);
        ok = farm(&bench, stop, counts[i], &stopped, NULL) && ok && !stopped && bench.as_expected;
        if (comm->rank != 0) {
            continue;
        }
        ok = ok && bench.finished == counts[i];
        for (int64_t task = 0; task < TASKS; task++) {
            ok = ok && bench.seen[task] == (task < counts[i]);
        }
    }
    return ok;
}

static bool check_error(const struct comm *comm, struct stop *stop)
{
    bool stopped;
    struct err err = {0};
    struct bench bench = bench_of(comm, 77, -1);
    bool failed = !farm(&bench, stop, TASKS, &stopped, &err);
    return failed && err.code == ERR_USAGE && strstr(err.text, "task 77 will not do") != NULL &&
           bench.finished < TASKS;
}

/* What is under way when enough is done may still come in, no more. */
static bool check_enough(const struct comm *comm, struct stop *stop)
{
    bool stopped;
    struct bench bench = bench_of(comm, -1, -1);
    bench.wanted = 40;
    bool ok = farm(&bench, stop, TASKS, &stopped, NULL) && !stopped;
    return ok && (comm->rank != 0 ||
                  (bench.finished >= 40 && bench.finished <= 40 + 2 * (int64_t)comm->size));
}

enum { LISTED = 200, EVERY = 20 };

/* Urgent tasks that come up as those of the list are done, the first of them at the start. */
struct urgent_bench {
    const struct comm *comm;
    int64_t listed, given, made; /* rank 0: done of the list; urgent ones given out, and done */
    int64_t waited;              /* rank 0: most that were done of the list before an urgent one */
    bool as_expected;
};

static bool urgent_work(void *context, struct farm_seat *seat, const struct farm_task *task,
                        void *result, size_t *size, struct err *err)
{
    const struct urgent_bench *bench = context;
    int64_t report[2] = {bench->comm->rank, task->number >= 0 || task->about[2] == -task->number};
    (void)err;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    *size = farm_poll(seat) ? sizeof report : 0;
    memcpy(result, report, *size);
    return true;
}

static bool urgent_done(void *context, int64_t task, const void *result, size_t size,
                        struct err *err)
{
    struct urgent_bench *bench = context;
    int64_t report[2];
    (void)err;
    memcpy(report, result, size);
    bool elsewhere = bench->comm->size == 1 || report[0] > 0;
    bench->as_expected = bench->as_expected && report[1] == 1 && (task >= 0 || elsewhere);
    bench->listed += task >= 0;
    bench->made += task < 0;
    int64_t waited = task < 0 ? bench->listed + EVERY * (task + 1) : 0; /* since it came up */
    bench->waited = waited > bench->waited ? waited : bench->waited;
    return true;
}

static bool urgent(void *context, struct farm_task *task)
{
    struct urgent_bench *bench = context;
    if (bench->given > bench->listed / EVERY) {
        return false;
    }
    bench->given++;
    *task = (struct farm_task){-bench->given, {0, 0, bench->given}};
    return true;
}

static bool check_urgent(const struct comm *comm, struct stop *stop)
{
    int64_t tasks[LISTED];
    bool stopped;
    struct urgent_bench bench = {.comm = comm, .as_expected = true};
    struct farm farm = {
        .context = &bench, .work = urgent_work, .done = urgent_done, .urgent = urgent};
    for (int64_t i = 0; i < LISTED; i++) {
        tasks[i] = i;
    }
    bool first = comm->rank == 0;
    for (int64_t count = LISTED; count >= 0; count -= LISTED) { /* and urgent ones alone */
        bench.listed = bench.given = bench.made = 0;
        if (!farm_run(comm, &farm, stop, first ? tasks : NULL, first ? count : 0, &stopped, NULL) ||
            stopped) {
            return false;
        }
        if (first && (bench.listed != count || bench.made != count / EVERY + 1)) {
            return false;
        }
    }
    return bench.as_expected && (comm->size > 1 || bench.waited == 0);
}

/* Last: a stop cannot be taken back. */
static bool check_stop(const struct comm *comm, struct stop *stop)
{
    bool stopped;
    struct bench bench = bench_of(comm, -1, 300);
    bool ok = farm(&bench, stop, TASKS, &stopped, NULL) && stopped && bench.finished < TASKS;
    for (int64_t task = 0; task < TASKS; task++) {
        ok = ok && bench.seen[task] <= 1;
    }
    return ok;
}

static bool check_collectives(const struct comm *comm)
{
    int64_t values[3] = {comm->rank, 1, INT64_C(1) << 40};
    char text[16] = "";
    struct err err = {0};
    if (comm->rank == 0) {
        strcpy(text, "from rank 0");
    }
    comm_sum(comm, values, 3);
    comm_broadcast(comm, text, sizeof text);
    comm_barrier(comm);
    bool ok = values[0] == comm->size * (comm->size - 1) / 2 && values[1] == comm->size &&
              values[2] == comm->size * (INT64_C(1) << 40) && strcmp(text, "from rank 0") == 0 &&
              comm_max(comm, -comm->rank) == 0 && comm_agree(comm, true, &err);
    bool last = comm->rank == comm->size - 1;
    if (last) {
        err_set(&err, ERR_USAGE, "the last rank says no");
    }
    bool agreed = comm_agree(comm, !last, &err);
    return ok && !agreed && err.code == ERR_USAGE && strstr(err.text, "says no") != NULL;
}

int main(int argc, char *argv[])
{
    struct stop stop;
    stop_prepare(&stop);
    struct comm comm = comm_start(&argc, &argv);
    const char *failed = NULL;
    if (!check_collectives(&comm)) {
        failed = "collectives";
    } else if (!check_counts(&comm, &stop)) {
        failed = "each task once";
    } else if (!check_error(&comm, &stop)) {
        failed = "error on one rank";
    } else if (!check_enough(&comm, &stop)) {
        failed = "enough";
    } else if (!check_urgent(&comm, &stop)) {
        failed = "urgent tasks";
    } else if (!check_stop(&comm, &stop)) {
        failed = "stop on one rank";
    }
    if (failed != NULL) {
        fprintf(stderr, "rank %d of %d: failed: %s\n", comm.rank, comm.size, failed);
    }
    bool ok = comm_agree(&comm, failed == NULL, NULL);
    comm_finish();
    return ok ? 0 : 1;
}
