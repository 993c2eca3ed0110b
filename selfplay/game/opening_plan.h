/* Random openings of which no two lead to the same position: which attempt of its random stream
 * each game takes.
 *
 * Game after game, in the order of their numbers, takes the first attempt whose position no earlier
 * game has. So the plan for a game follows from the settings and its number alone, whoever plays
 * which part of the games. Balance is judged later (opening_play): a game that throws its attempt
 * away for being unbalanced draws on without asking who else has that position. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/progress.h"
#include "engine/rules/variant.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "selfplay/game/opening.h"

struct opening_plan_entry {
    int64_t number;
    int64_t attempt;
};

struct opening_plan {
    struct opening_plan_entry *entry; /* [count], by number: games that do not take their first
                                         attempt; owned */
    int64_t count;
    int64_t repeats; /* games for which no attempt was left, so that they begin as another does;
 where no plan was made, at least so many */
};

struct opening_plan_settings {
    const struct opening_settings *opening;
    const struct variant *variant;
    uint64_t seed;
    int generation;
    int64_t end; /* the games 0..end - 1 are planned */
    bool unique; /* repeats are of no use: no plan is made where counting tells that there are some
                  */
};

/* Collective: makes the plan; the ranks share the work, rank 0 needs some 30 bytes a game
 * meanwhile. progress counts games, on rank 0 (others pass NULL). *stopped, on every rank: cut
 * short by `stop` (NULL: none). False: memory is out. */
bool opening_plan_make(struct opening_plan *plan, const struct comm *comm,
                       const struct opening_plan_settings *settings, struct stop *stop,
                       struct progress *progress, bool *stopped, struct err *err);

/* Takes one that is zeroed. */
void opening_plan_fini(struct opening_plan *plan);

/* The attempt that a game begins with; plan may be NULL: the first. */
int opening_plan_attempt(const struct opening_plan *plan, int64_t number);
