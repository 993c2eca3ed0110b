/* Paired games between players, farmed out over the ranks: a match of two, or a round robin.
 *
 * Each finished pair is a row of the catalogue at once, together with its two games, so a run that
 * was stopped or killed plays only the pairs that are missing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "selfplay/match/match_pair.h"
#include "selfplay/match/match_results.h"
#include "selfplay/store/catalogue.h"

/* Told on rank 0 after each pair. */
struct match_watch {
    void (*progress)(void *context, int64_t done, int64_t total, double pairs_a_second);
    void *context;
};

/* Collective: plays the missing pairs of all pairings, or as many as pool->sprt needs. The pool is
 * the same on every rank; log receives the engines' faults; catalogue is NULL but on rank 0; watch
 * may be NULL. *stopped: cut short; call again to go on. */
bool match_play(const struct comm *comm, struct stop *stop, const struct log *log,
                struct catalogue *catalogue, const struct match_pool *pool,
                const struct match_watch *watch, bool *stopped, struct err *err);

/* Rank 0: the match of a pairing in the catalogue, made when it is not there. */
bool match_make(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                int64_t *id, struct err *err);

/* Rank 0. Only pairs below match_pairs count, and with a test only those that decided it. */
bool match_results(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                   struct match_results *results, struct err *err);

/* The scores alone. */
bool match_scores(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                  struct pentanomial *scores, struct err *err);
