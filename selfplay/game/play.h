/* One game between two players, as a pure function of the players, the opening and a seed, as far
 * as a player's limits are nodes or depth and external engines are pure themselves.
 *
 * Self-play, matches and the calibration of levels all play through here. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/search/level.h"
#include "engine/search/search.h"
#include "selfplay/external/hub_client.h"
#include "selfplay/farm/watch.h"
#include "selfplay/game/adjudication.h"
#include "selfplay/game/record.h"
#include "selfplay/game/sampling.h"

/* Who plays one side. Both sides may share a search; its table is cleared at the start of the game
 * (a level clears it before each move). */
struct player {
    struct hub_client *engine;   /* not owned; NULL: plays by `search` */
    struct search *search;       /* not owned; NULL when there is an engine */
    const struct level *level;   /* not owned; NULL: plays by `limits` */
    struct search_limits limits; /* noise_seed is replaced by one drawn from the game's seed */
    struct sampling sampling;    /* of a player by `limits` */
};

/* What a game is played under. */
struct play_terms {
    uint64_t seed;
    int64_t number;                         /* for the record */
    const struct adjudication_rules *rules; /* not owned; NULL: the game's own rules alone end it */
};

/* What a game cost. */
struct play_cost {
    uint64_t nodes;
    double search_seconds;
};

/* Plays `game` on from its present position, in which the opening has been played, to its end by
 * the rules, by an adjudication or by an external engine's fault, which loses it, and describes all
 * of it in *record (the caller frees it with record_fini). players[WHITE], players[BLACK]. A game
 * given up is no failure: record->outcome is OUTCOME_OPEN and there is nothing to free. cost may be
 * NULL. False: memory is out. */
bool play_game(const struct player players[2], const struct play_terms *terms,
               const struct play_watch *watch, struct game *game, struct record *record,
               struct play_cost *cost, struct err *err);
