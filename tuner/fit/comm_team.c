/* The functions of a team, handed on to selfplay/farm/comm.h. */
#include "tuner/fit/comm_team.h"

bool comm_team_stopping(struct comm_team *ranks)
{
    ranks->stopping = ranks->stopping || (ranks->stop != NULL && stop_requested(ranks->stop));
    return ranks->stopping;
}

static bool stopping(void *context)
{
    return comm_team_stopping(context);
}

static void sum(void *context, int64_t *values, size_t count)
{
    comm_sum(((const struct comm_team *)context)->comm, values, count);
}

static void broadcast(void *context, void *data, size_t size)
{
    comm_broadcast(((const struct comm_team *)context)->comm, data, size);
}

static void sum_parts(void *context, int64_t *values, int64_t *part, const size_t *first)
{
    comm_sum_parts(((const struct comm_team *)context)->comm, values, part, first);
}

static void gather(void *context, void *data, const size_t *first)
{
    comm_gather(((const struct comm_team *)context)->comm, data, first);
}

static void transpose(void *context, const int64_t *out, int64_t *in)
{
    comm_transpose(((const struct comm_team *)context)->comm, out, in);
}

static void exchange(void *context, size_t size, const void *out, const int64_t *out_count,
                     void *in, const int64_t *in_count)
{
    comm_exchange(((const struct comm_team *)context)->comm, size, out, out_count, in, in_count);
}

struct team comm_team(struct comm_team *ranks)
{
    return (struct team){.rank = ranks->comm->rank,
                         .size = ranks->comm->size,
                         .context = ranks,
                         .sum = sum,
                         .broadcast = broadcast,
                         .sum_parts = sum_parts,
                         .gather = gather,
                         .transpose = transpose,
                         .exchange = exchange,
                         .stopping = stopping};
}
