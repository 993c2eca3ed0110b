/* A man's worth, and rounding; see normalise.h. */
#include "tuner/fit/normalise.h"

#include <math.h>
#include <stdio.h>

#include "tuner/fit/feature_name.h"

/* Rounds weight i of all to the nearest int16. */
static bool round_weight(const struct penalised *penalised, const double *whole, int i,
                         int16_t *out, struct err *err)
{
    const struct objective *objective = &penalised->objective;
    int dense = 2 * objective->features;
    double rounded = nearbyint(whole[i]);
    if (rounded >= INT16_MIN && rounded <= INT16_MAX) {
        *out = (int16_t)rounded;
        return true;
    }
    char name[FEATURE_NAME] = "";
    bool pattern = i >= dense;
    if (pattern) {
        snprintf(name, sizeof name, "pattern %d", objective->pattern[(i - dense) / 2]);
    } else {
        feature_name(objective->dataset->variant->rules, i / 2, name);
    }
    return err_set(err, ERR_USAGE,
                   "the weight of %s came out as %g, which does not fit 16 bits: take a smaller "
                   "%sprior than %g or more games",
                   name, whole[i], pattern ? "pattern_" : "",
                   pattern ? penalised->settings->pattern_prior : penalised->settings->prior);
}

static bool round_patterns(const struct penalised *penalised, const double *whole,
                           struct pattern_table *table, struct err *err)
{
    const struct objective *objective = &penalised->objective;
    for (int k = 0; k < objective->patterns; k++) {
        struct pattern_weight *weight = &table->weight[objective->pattern[k]];
        int i = 2 * (objective->features + k);
        if (!round_weight(penalised, whole, i, &weight->opening, err) ||
            !round_weight(penalised, whole, i + 1, &weight->ending, err)) {
            return false;
        }
    }
    return true;
}

/* Collective: rounds all weights, into *weights and where they are. */
static bool round_weights(const struct penalised *penalised, double *whole, struct weights *weights,
                          struct err *err)
{
    const struct objective *objective = &penalised->objective;
    const struct variant *variant = objective->dataset->variant;
    for (int i = 0; i < objective->features; i++) {
        if (!round_weight(penalised, whole, 2 * i, &weights->opening[i], err) ||
            !round_weight(penalised, whole, 2 * i + 1, &weights->ending[i], err)) {
            return false;
        }
    }
    if (objective->patterns > 0) {
        weights->patterns = pattern_table_create(variant->rules, penalised->settings->windows);
        if (!team_agree(&objective->team, weights->patterns != NULL)) {
            return err_set(err, ERR_FAILED, "out of memory for the patterns' weights");
        }
        if (!round_patterns(penalised, whole, weights->patterns, err)) {
            return false;
        }
    }
    for (int i = 0; i < objective->dimensions; i++) {
        whole[i] = nearbyint(whole[i]);
    }
    return true;
}

bool normalise(struct penalised *penalised, double *whole, struct fit_result *result,
               struct err *err)
{
    struct objective *objective = &penalised->objective;
    const double *own = whole + spread_first(&objective->spread);
    result->man = objective_man(objective, own, penalised->scale);
    if (!(result->man >= 1)) {
        return err_set(err, ERR_USAGE,
                       "the data value a man at %g hundredths, which no scale can mend: take a "
                       "smaller prior than %g or more games",
                       result->man, penalised->settings->prior);
    }
    for (int i = 0; i < objective->dimensions; i++) {
        whole[i] *= 100 / result->man;
    }
    result->scale = penalised->scale * result->man / 100;
    return round_weights(penalised, whole, &result->weights, err);
}
