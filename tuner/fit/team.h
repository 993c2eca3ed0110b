/* How the ranks of a fit work together, as functions that the caller supplies: over MPI in
 * tuner/fit/tune.c, in a test whatever the test is about. A team of size 0 or 1 is one rank alone,
 * whose functions are not called and may be NULL.
 *
 * All functions but team_stopping are collective. What numbers they give does not depend on how
 * many ranks there are, as far as sums are of integers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct team {
    int rank, size;
    void *context; /* for all functions */

    /* Element-wise sum over ranks, in place, on every rank. */
    void (*sum)(void *context, int64_t *values, size_t count);

    /* Rank 0's bytes to everybody. */
    void (*broadcast)(void *context, void *data, size_t size);

    /* The same sum, of which rank r receives part[0 .. first[r + 1] - first[r]): the sums of
     * values[first[r] .. first[r + 1]). values are spoilt. */
    void (*sum_parts)(void *context, int64_t *values, int64_t *part, const size_t *first);

    /* Bytes [first[r], first[r + 1]) of rank r's data to everybody's. */
    void (*gather)(void *context, void *data, const size_t *first);

    /* One value to and from each rank: in[r] is what rank r has in its out[own rank]. */
    void (*transpose)(void *context, const int64_t *out, int64_t *in);

    /* Items of `size` bytes, out_count[r] of them to rank r, those for rank 0 first; they come in
     * in the order of the ranks, in_count[r] from rank r. */
    void (*exchange)(void *context, size_t size, const void *out, const int64_t *out_count,
                     void *in, const int64_t *in_count);

    /* Whether this rank has been asked to stop; NULL: never. The ranks agree through the next sum.
     */
    bool (*stopping)(void *context);
};

void team_sum(const struct team *team, int64_t *values, size_t count);
void team_broadcast(const struct team *team, void *data, size_t size);
void team_sum_parts(const struct team *team, int64_t *values, int64_t *part, const size_t *first);
void team_gather(const struct team *team, void *data, const size_t *first);

/* Whether `ok` is true on every rank. */
bool team_agree(const struct team *team, bool ok);

/* Ranks, at least 1. */
static inline int team_size(const struct team *team)
{
    return team->size > 1 ? team->size : 1;
}

/* Not collective. */
static inline bool team_stopping(const struct team *team)
{
    return team->stopping && team->stopping(team->context);
}
