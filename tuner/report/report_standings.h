/* The players of a pool in the report of a run: who scored what against whom, what that says of
 * their strength, and how it ended. */
#pragma once

#include <stdio.h>

#include "tuner/report/standings.h"

/* Writes HTML: how far the match is, the crosstable, the pairs of each two with Elo, normalised Elo
 * and likelihood of superiority, the state of a test, the joint ratings of more than two players
 * with their model and what each interval is against, ends and faults. Write errors are for the
 * caller to look for in `out`. */
void report_standings(FILE *out, const struct standings *standings);
