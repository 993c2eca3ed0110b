/* Program farm_model WORK_MS SERVICE_US TASKS_PER_RANK: how busy the farm keeps its ranks.
 *
 * The farm and the ranks' messages are the real ones; a task only passes WORK_MS of time, and what
 * rank 0 does with a result passes SERVICE_US. farm_model.sh runs it under SimGrid's SMPI, where
 * time is simulated, at more ranks than the machine has cores. Prints ranks, the share of the
 * ranks' time that was work, and what the model of docs/scaling.md says of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "selfplay/farm/farm.h"

enum { SLICE_US = 1000, RECORD = 2500 /* bytes of a game of usual length */ };

struct model {
    double work, service; /* seconds */
    int64_t done;
};

static void pass(double seconds)
{
    usleep((useconds_t)(1e6 * seconds + 0.5));
}

static bool work(void *context, struct farm_seat *seat, const struct farm_task *task, void *result,
                 size_t *size, struct err *err)
{
    const struct model *model = context;
    const double slice = SLICE_US / 1e6;

    (void)err;
    for (double left = model->work; left > 0; left -= slice) {
        pass(left < slice ? left : slice);
        if (!farm_poll(seat)) {
            *size = 0;
            return true;
        }
    }
    ((uint8_t *)result)[0] = (uint8_t)task->number;
    *size = RECORD;
    return true;
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    struct model *model = context;

    pass(model->service);
    model->done++;
    return (size == RECORD && ((const uint8_t *)result)[0] == (uint8_t)task) ||
           err_set(err, ERR_FAILED, "task %" PRId64 " came back changed", task);
}

/* The share of the ranks' time that is work: rank 0 serves for s of every W seconds of work, and
 * cannot serve more than 1 / s tasks a second. */
static double modelled(const struct model *model, int ranks)
{
    double all = 1 - model->service / model->work;
    double most = model->work / (ranks * model->service);

    return all < most ? all : most;
}

int main(int argc, char *argv[])
{
    struct stop stop;
    stop_prepare(&stop);
    struct comm comm = comm_start(&argc, &argv);
    struct model model = {argc > 1 ? atof(argv[1]) / 1e3 : 0, argc > 2 ? atof(argv[2]) / 1e6 : 0,
                          0};
    int64_t count = (argc > 3 ? atoll(argv[3]) : 0) * comm.size;
    int64_t *tasks = calloc((size_t)count + 1, sizeof *tasks);
    struct farm farm = {.context = &model, .work = work, .done = done};
    struct err err = {0};
    bool stopped = false;
    bool ok = (model.work > 0 && model.service > 0 && count > 0 && tasks != NULL) ||
              err_set(&err, ERR_USAGE, "farm_model WORK_MS SERVICE_US TASKS_PER_RANK");

    for (int64_t i = 0; tasks != NULL && i < count; i++) {
        tasks[i] = i;
    }
    double began = clock_seconds();
    ok = ok && farm_run(&comm, &farm, &stop, comm.rank == 0 ? tasks : NULL,
                        comm.rank == 0 ? count : 0, &stopped, &err);
    double seconds = clock_seconds() - began;
    if (!ok) {
        fprintf(stderr, "farm_model: error: %s\n", err.text);
    } else if (comm.rank == 0 && model.done == count) {
        printf("%5d ranks: busy %5.1f %%, model %5.1f %%\n", comm.size,
               100 * (double)count * model.work / (seconds * comm.size),
               100 * modelled(&model, comm.size));
    }
    free(tasks);
    comm_finish();
    return ok ? 0 : (int)err.code;
}
