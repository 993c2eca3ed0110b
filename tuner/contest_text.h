/* The results of a match of two players as lines for people. */
#pragma once

#include <stdio.h>

#include "selfplay/match.h"
#include "selfplay/match_effort.h"

struct contest_heading {
    const char *title, *first, *second; /* rule set and players */
    const struct sprt *test;            /* NULL: none */
};

/* Games won, drawn and lost by the first player, scores of the pairs, Elo with its 95 % interval,
 * the sequential test where there is one, how games ended, median depth of each player and in
 * brackets its time a move, and faults of external engines. */
void contest_write(FILE *out, const struct contest_heading *heading,
                   const struct match_results *results, const struct match_effort effort[2]);
