/* Who has which block, and the sums over them; see blocks.h. */
#include "tuner/fit/blocks.h"

#include <stdlib.h>

/* The block that rank r begins with: rank 0 has the first one, however few there are. */
static size_t first_block(size_t blocks, int rank, int size)
{
    return (blocks * (size_t)rank + (size_t)size - 1) / (size_t)size;
}

bool spread_init(struct spread *spread, const struct team *team, size_t n)
{
    int size = team_size(team);
    *spread = (struct spread){.team = team, .n = n, .blocks = (n + BLOCK - 1) / BLOCK};
    spread->first = calloc((size_t)size + 1, sizeof *spread->first);
    spread->bytes = calloc((size_t)size + 1, sizeof *spread->bytes);
    spread->sums = calloc(spread->blocks + 1, sizeof *spread->sums);
    if (!spread->first || !spread->bytes || !spread->sums) {
        return false;
    }
    for (int rank = 0; rank <= size; rank++) {
        size_t first = first_block(spread->blocks, rank, size) * BLOCK;
        spread->first[rank] = first < n ? first : n;
    }
    return true;
}

void spread_fini(struct spread *spread)
{
    free(spread->first);
    free(spread->bytes);
    free(spread->sums);
    *spread = (struct spread){0};
}

size_t spread_first(const struct spread *spread)
{
    return spread->first[spread->team->rank];
}

size_t spread_count(const struct spread *spread)
{
    return spread->first[spread->team->rank + 1] - spread->first[spread->team->rank];
}

/* Adds up the blocks' sums, each of which its rank has written. */
static double add_blocks(struct spread *spread)
{
    double sum = 0;
    for (int rank = 0; rank <= team_size(spread->team); rank++) {
        spread->bytes[rank] = (spread->first[rank] + BLOCK - 1) / BLOCK * sizeof *spread->sums;
    }
    team_gather(spread->team, spread->sums, spread->bytes);
    for (size_t k = 0; k < spread->blocks; k++) {
        sum += spread->sums[k];
    }
    return sum;
}

/* Sum of a block in four interleaved parts, which the processor can add side by side. */
static double dot_block(const double *a, const double *b, size_t n)
{
    double part[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            part[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < n; i++) {
        part[0] += a[i] * b[i];
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

double spread_dot(struct spread *spread, const double *a, const double *b)
{
    size_t count = spread_count(spread), block = spread_first(spread) / BLOCK;
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t n = count - at < BLOCK ? count - at : BLOCK;
        spread->sums[block++] = dot_block(a + at, b + at, n);
    }
    return add_blocks(spread);
}

double spread_sum(struct spread *spread, double (*term)(const void *context, size_t i),
                  const void *context)
{
    size_t count = spread_count(spread), block = spread_first(spread) / BLOCK;
    for (size_t at = 0; at < count;) {
        double sum = 0;
        size_t end = count - at < BLOCK ? count : at + BLOCK;
        for (; at < end; at++) {
            sum += term(context, at);
        }
        spread->sums[block++] = sum;
    }
    return add_blocks(spread);
}

void spread_gather(struct spread *spread, double *whole)
{
    for (int rank = 0; rank <= team_size(spread->team); rank++) {
        spread->bytes[rank] = spread->first[rank] * sizeof *whole;
    }
    team_gather(spread->team, whole, spread->bytes);
}
