/* Vectors that are spread over ranks, and sums over them that come out the same on any number.
 *
 * Floating-point addition is not associative, so the order of additions is fixed: a vector is cut
 * into blocks of BLOCK numbers, whole blocks belong to one rank, each block is summed by itself,
 * and the blocks' sums are added up in their order. */
#pragma once

#include <stddef.h>

#include "tuner/fit/team.h"

enum { BLOCK = 4096 };

/* Which numbers of a vector are whose. The first block is always rank 0's. */
struct spread {
    const struct team *team; /* not owned */
    size_t n;                /* numbers, of all ranks together */
    size_t blocks;           /* blocks, the last of which may be short */
    size_t *first;           /* [ranks + 1]: rank r has numbers [first[r], first[r + 1]); owned */
    size_t *bytes;           /* [ranks + 1], room for another unit; owned */
    double *sums;            /* [blocks]; owned */
};

/* False: memory is out (not agreed upon). */
bool spread_init(struct spread *spread, const struct team *team, size_t n);
void spread_fini(struct spread *spread);

/* First of this rank's numbers, and how many it has. */
size_t spread_first(const struct spread *spread);
size_t spread_count(const struct spread *spread);

/* Collective: the sum over all ranks' a[i] * b[i]; a and b are this rank's numbers. */
double spread_dot(struct spread *spread, const double *a, const double *b);

/* Collective: the sum over all ranks' term(context, i), i being a number of this rank. */
double spread_sum(struct spread *spread, double (*term)(const void *context, size_t i),
                  const void *context);

/* Collective: every rank's numbers to everybody; whole[n] has this rank's in their place. */
void spread_gather(struct spread *spread, double *whole);
