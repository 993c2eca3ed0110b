/* Names of the stages. */
#include "tuner/stage.h"

#include <stdio.h>

const char *stage_name(enum stage stage)
{
    static const char *const NAMES[STAGES] = {
        [STAGE_SELFPLAY] = "selfplay", [STAGE_TUNE] = "tune",           [STAGE_GATE] = "gate",
        [STAGE_MATCH] = "match",       [STAGE_CALIBRATE] = "calibrate",
    };
    return NAMES[stage];
}

struct stage_key stage_key_of(const struct variant *variant, int generation, enum stage stage)
{
    return (struct stage_key){variant->rules->name, generation, stage_name(stage)};
}

bool stage_add_figure(struct catalogue *catalogue, const struct stage_key *key, const char *name,
                      double value, struct err *err)
{
    double before = 0;
    bool found;

    return catalogue_figure(catalogue, key, name, &before, &found, err) &&
           catalogue_set_figure(catalogue, key, name, before + value, err);
}

struct catalogue_rating stage_rating(const char *player, const struct pentanomial *scores)
{
    struct match_statistics statistics = match_statistics(scores);
    struct catalogue_rating rating = {.model = "logistic",
                                      .elo = statistics.elo.value,
                                      .error = statistics.elo.error,
                                      .games = 2 * statistics.pairs};

    snprintf(rating.player, sizeof rating.player, "%s", player);
    return rating;
}
