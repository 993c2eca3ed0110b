/* What the tests of the objective and of the fit share: positions whose results follow from weights
 * that the test knows. A failure in here fails the test. */
#pragma once

#include "tuner/fit/objective.h"

extern const struct team ALONE;

enum { THETA_MAX = 2 * FEATURES_MAX };

/* Weights as the fit lays them out (pass_table_fill). */
void theta_of(const struct weights *weights, int features, double *theta);

/* The built-in weights with each one moved by a normal deviate of `spread`. */
void perturbed(const struct variant *variant, double spread, double *theta);

/* Log odds of a win for White by hand: the definitions of feature.h and fit.h. */
double logit_of(const struct variant *variant, const struct position *position, const double *theta,
                double scale);

/* `count` random quiet positions that no king holds, each a game of its own, won by White with the
 * probability that theta and scale give, else by Black. The caller frees the rows. */
struct shard_row *draw_rows(const struct variant *variant, int count, const double *theta,
                            double scale);

/* A dataset of rows[first..last), a tenth of the games held out, every training position sampled.
 */
void add_rows(struct dataset *dataset, const struct variant *variant, const struct shard_row *rows,
              int first, int last);

/* objective_init on one rank. */
void prepare(struct objective *objective, const struct dataset *dataset);
