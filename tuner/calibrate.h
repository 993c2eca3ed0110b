/* The levels: what they play by, and their Elo from the games between them. Pure functions; the
 * games are played by selfplay/match/match.h, with each two levels meeting. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/search/level.h"
#include "selfplay/strength/statistics.h"
#include "tuner/settings.h"

/* Pairings of six levels, in the order of match_pairing. */
enum { CALIBRATE_PAIRINGS = LEVELS_MAX * (LEVELS_MAX - 1) / 2 };

/* The levels as the settings have them, not yet measured. Level 1 moves at random. */
void calibrate_levels(const struct settings *settings, struct level_set *levels);

/* Rates the levels by maximum likelihood under the score-logistic model with the neighbours' prior
 * (selfplay/strength/ratings.h). Beginner, who moves at random and so is the same player for
 * everybody, is the anchor at 0; elo_error is half of the 95 % interval against the mean of the
 * pool. *draws is the share of draws between equals. */
bool calibrate_rate(const struct pentanomial scores[CALIBRATE_PAIRINGS], struct level_set *levels,
                    double *draws, struct err *err);

/* Whether each level is stronger than the one below. ERR_FAILED names the first two that are not,
 * with their ratings, and the settings that would help. */
bool calibrate_rising(const struct level_set *levels, struct err *err);
