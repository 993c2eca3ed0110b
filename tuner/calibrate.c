/* The levels and their Elo. */
#include "tuner/calibrate.h"

#include <stdio.h>
#include <string.h>

#include "selfplay/strength/ratings.h"
#include "selfplay/strength/score_model.h"

void calibrate_levels(const struct settings *settings, struct level_set *levels)
{
    memset(levels, 0, sizeof *levels);
    levels->count = LEVELS_MAX;
    snprintf(levels->model, sizeof levels->model, "%s", score_model_name);
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &levels->level[i];
        level->number = i + 1;
        snprintf(level->name, sizeof level->name, "%s", level_name(i + 1));
        if (i > 0) {
            level->nodes = (uint64_t)settings->calibrate.nodes[i];
            level->noise = (int)settings->calibrate.noise[i];
        }
    }
}

/* The games of each pairing, players by index. */
static void list_pairings(const struct pentanomial scores[CALIBRATE_PAIRINGS],
                          struct rating_pairing pairings[CALIBRATE_PAIRINGS])
{
    int at = 0;

    for (int first = 0; first < LEVELS_MAX; first++) {
        for (int second = first + 1; second < LEVELS_MAX; second++, at++) {
            pairings[at] =
                (struct rating_pairing){.first = first,
                                        .second = second,
                                        .games = {(double)scores[at].wins, (double)scores[at].draws,
                                                  (double)scores[at].losses}};
        }
    }
}

bool calibrate_rate(const struct pentanomial scores[CALIBRATE_PAIRINGS], struct level_set *levels,
                    double *draws, struct err *err)
{
    struct rating_pairing pairings[CALIBRATE_PAIRINGS];
    struct rating ratings[LEVELS_MAX];
    const char *names[LEVELS_MAX];

    list_pairings(scores, pairings);
    for (int i = 0; i < LEVELS_MAX; i++) {
        names[i] = levels->level[i].name;
    }
    struct rating_pool pool = {.names = names,
                               .players = LEVELS_MAX,
                               .pairings = pairings,
                               .pairings_count = CALIBRATE_PAIRINGS,
                               .anchor = 0,
                               .anchor_elo = 0};
    if (!ratings_fit(&pool, ratings, draws, err)) {
        return false;
    }
    for (int i = 0; i < LEVELS_MAX; i++) {
        levels->level[i].elo = ratings[i].elo;
        levels->level[i].elo_error = ratings[i].over_mean.error;
        levels->level[i].games = (int64_t)ratings[i].games;
    }
    return true;
}

bool calibrate_rising(const struct level_set *levels, struct err *err)
{
    for (int i = 1; i < levels->count; i++) {
        const struct level *below = &levels->level[i - 1], *level = &levels->level[i];
        if (level->elo <= below->elo) {
            return err_set(err, ERR_FAILED,
                           "level %d %s (Elo %.0f +- %.0f) is not stronger than level %d %s "
                           "(%.0f +- %.0f); raise calibrate.nodes_%d, lower calibrate.noise_%d or "
                           "play more pairs",
                           level->number, level->name, level->elo, level->elo_error, below->number,
                           below->name, below->elo, below->elo_error, level->number, level->number);
        }
    }
    return true;
}
