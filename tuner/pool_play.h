/* A pool of players meets: the same steps for a generation's match, for the levels and for players
 * whom the user names. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "selfplay/match/match_pair.h"
#include "tuner/job.h"

/* Collective: rank 0 notes what is to be played, with the anchor's number and rating
 * (standings_note); then all ranks play what is still missing. */
bool pool_play(struct job *job, const struct match_pool *pool, int anchor, double anchor_elo,
               bool *stopped, struct err *err);
