/* Paired games between players, farmed out over the ranks: a match of two, or a round robin.
 *
 * A pair is two games from one random opening with colours swapped. Each finished pair is a row of
 * the catalogue at once, so a run that was stopped or killed plays only the pairs that are
 * missing. A pair is a pure function of the pool and its number: who plays it does not matter. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "engine/level.h"
#include "engine/variant.h"
#include "selfplay/catalogue.h"
#include "selfplay/comm.h"
#include "selfplay/opening.h"
#include "selfplay/statistics.h"
#include "selfplay/stop.h"

/* What a player plays by; level.number and the measured fields do not matter. */
struct match_player {
    const char *name;
    struct level level;
    const struct weights *weights; /* not owned */
};

enum { MATCH_PLAYERS_MAX = 8 };

/* Players of whom each meets each. */
struct match_pool {
    const struct variant *variant;
    int generation;
    const char *stage;    /* in the catalogue: "match", "calibrate" */
    enum opening_use use; /* keeps the stages' openings apart */
    uint64_t seed;
    struct opening_settings opening; /* without a bound: all openings, paired */
    int64_t pairs;                   /* of each pairing; may be raised later */
    int players;                     /* 2..MATCH_PLAYERS_MAX */
    const struct match_player *player;
};

/* Number of pairings, and the players (first < second) of pairing 0 .. pairings - 1. */
int match_pairings(const struct match_pool *pool);
void match_pairing(const struct match_pool *pool, int pairing, int *first, int *second);

/* Told on rank 0 after each pair. */
struct match_watch {
    void (*progress)(void *context, int64_t done, int64_t total, double pairs_a_second);
    void *context;
};

/* Plays one pair, as any rank would. searches[i] belongs to player i: its weights, a table of
 * LEVEL_TABLE_BITS. *finished is false when `seat` asked to give up (seat may be NULL). */
struct farm_seat;
bool match_play_pair(const struct match_pool *pool, int pairing, int64_t number,
                     struct search *const searches[], struct farm_seat *seat,
                     struct catalogue_pair *pair, bool *finished, struct err *err);

/* Collective: plays the missing pairs of all pairings. The pool is the same on every rank;
 * catalogue is NULL but on rank 0; watch may be NULL. *stopped: cut short; call again to go on. */
bool match_play(const struct comm *comm, struct stop *stop, const struct log *log,
                struct catalogue *catalogue, const struct match_pool *pool,
                const struct match_watch *watch, bool *stopped, struct err *err);

/* The scores of one pairing so far, from the first player's side; rank 0. Only the pairs below
 * pool->pairs count. */
bool match_scores(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                  struct pentanomial *scores, struct err *err);
