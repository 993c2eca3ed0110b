/* Whose games a generation is made of. */
#include "tuner/rescored.h"
#include "tuner/stage.h"

bool rescored_from(struct catalogue *catalogue, const struct variant *variant, int generation,
                   int *origin, struct err *err)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
    double value = generation;
    bool found;

    if (!catalogue_figure(catalogue, &key, "rescored_from", &value, &found, err)) {
        return false;
    }
    *origin = (int)value;
    return true;
}

bool rescored_origin(struct job *job, const struct variant *variant, int generation, int *origin,
                     struct err *err)
{
    bool ok =
        job->comm.rank != 0 || rescored_from(job->catalogue, variant, generation, origin, err);

    if (!comm_agree(&job->comm, ok, err)) {
        return false;
    }
    comm_broadcast(&job->comm, origin, sizeof *origin);
    return true;
}
