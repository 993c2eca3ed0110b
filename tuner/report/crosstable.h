/* The table of a round robin, or of a match: who scored how many points against whom, and what the
 * games of each player were like. */
#pragma once

#include <stdio.h>

#include "tuner/report/standings.h"

/* A player's line. */
struct crosstable_row {
    int64_t half_points, games, draws, plies; /* of all games */
    struct match_effort effort;
};
struct crosstable_row crosstable_row(const struct standings *standings, int player);

/* Writes a heading of two lines and a line a player, indented by four: points against each, points
 * and games in all, share of draws, plies a game, median depth, and in brackets the time a move,
 * which differs from run to run. What is not known is a dash. */
void crosstable_write(FILE *out, const struct standings *standings);
