/* The table of a round robin, or of a match: who scored how many points against whom, and what the
 * games of each player were like. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/variant.h"
#include "selfplay/match_effort.h"
#include "selfplay/match_pair.h"

struct crosstable {
    int players; /* up to MATCH_PLAYERS_MAX */
    const char *name[MATCH_PLAYERS_MAX];
    int64_t half_points[MATCH_PLAYERS_MAX][MATCH_PLAYERS_MAX]; /* of the first against the second */
    int64_t games[MATCH_PLAYERS_MAX][MATCH_PLAYERS_MAX];       /* the same both ways */
    int64_t draws[MATCH_PLAYERS_MAX], plies[MATCH_PLAYERS_MAX];
    struct match_effort effort[MATCH_PLAYERS_MAX];
};

/* Fills the counts of a table whose players and names are there, from the matches between them that
 * a stage has played; of two with the same players the later one. */
bool crosstable_read(struct crosstable *table, struct catalogue *catalogue,
                     const struct variant *variant, const struct stage_key *key, struct err *err);

/* Writes a heading of two lines and a line a player, indented by four: points against each, points
 * and games in all, share of draws, plies a game, median depth, and in brackets the time a move,
 * which differs from run to run. What is not known is a dash. */
void crosstable_write(FILE *out, const struct crosstable *table);
