/* The results of a match of players named by the user as lines for people. */
#pragma once

#include <stdio.h>

#include "tuner/report/standings.h"

/* Of two players: games won, drawn and lost by the first, scores of the pairs, Elo with its 95 %
 * interval, the sequential test where there is one, how games ended, median depth of each player
 * and in brackets its time a move, and faults of external engines. Of more: the crosstable, the
 * scores of the pairs and Elo of each two, joint ratings, ends and faults. The heading says how
 * many pairs there are of how many, and whether a test may end the match before. `note` stands
 * behind the rule set's name, "" or ", earlier settings". */
void contest_write(FILE *out, const struct standings *standings, const char *note);

/* "12 pairs", or how many of how many, and whether a test may end them before; no end of line. */
void contest_pairs(FILE *out, const struct standings *standings);

/* "logistic", "normalised"; "not decided", "elo0 accepted", "elo1 accepted". */
const char *contest_scale(const struct sprt *test);
const char *contest_decision(enum sprt_decision decision);
