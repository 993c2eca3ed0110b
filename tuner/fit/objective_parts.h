/* What the files of an objective share among themselves (objective.c, objective_patterns.c,
 * quality.c); others include tuner/fit/objective.h. */
#pragma once

#include "tuner/fit/objective.h"

/* What is added up over the ranks after a gradient pass. */
struct shared_sums {
    struct pass_sums sums;
    int64_t stopping; /* ranks that were asked to stop */
};
_Static_assert(sizeof(struct shared_sums) % sizeof(int64_t) == 0, "added up as int64");

struct objective_buffers {
    struct logistic logistic;
    struct pass_table table;
    struct shared_sums shared;
    double dense[2 * FEATURES_MAX];
    struct pattern_pair *logit; /* [patterns]: their weights on their way to all ranks */
    int64_t *sum, *part;        /* [2 * patterns], [2 * own]: their gradient, before and after it is
                                   added up over the ranks */
    size_t *first;              /* [ranks + 1]: places of either */
};

/* The weights of a pattern as struct pass_pattern has them. */
struct pattern_pair {
    int32_t opening, ending;
};

/* Collective: adds up an array of int64_t of `size` bytes. */
static inline void objective_sum(const struct objective *objective, void *values, size_t size)
{
    team_sum(&objective->team, values, size / sizeof(int64_t));
}

/* Spreads theta over the ranks, which must be done again when there are more weights. False: out
 * of memory. */
bool objective_spread_out(struct objective *objective);

/* Collective: the model's weights into the table. False, on every rank: one is out of range. */
bool objective_fill_table(struct objective *objective, const double *theta, double scale);

/* Collective: the patterns' weights into the table, from the ranks that have them. False, on every
 * rank: one is out of range. */
bool objective_share_patterns(struct objective *objective, const double *theta, double scale);

/* Collective: the patterns' part of the gradient: each rank receives the sums of its own. */
void objective_pattern_gradient(struct objective *objective, double scale, double *gradient);
