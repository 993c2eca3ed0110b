/* Players of a match or round robin, and one pair of games between two of them: two games from one
 * opening with colours swapped.
 *
 * A pair is a pure function of the pool and its number, as far as its players are: who plays it
 * does not matter. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "engine/search/level.h"
#include "engine/search/search.h"
#include "selfplay/external/hub_client.h"
#include "selfplay/game/adjudication.h"
#include "selfplay/game/opening.h"
#include "selfplay/game/opening_file.h"
#include "selfplay/game/record.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/strength/sprt.h"

enum match_kind {
    MATCH_LEVEL,  /* by `level` and `weights` */
    MATCH_SEARCH, /* by `limits`, `table_bits`, `threads` and `weights` */
    MATCH_ENGINE, /* an external engine, by `engine` */
};

/* What a player plays by; level.number and the measured fields do not matter. */
struct match_player {
    const char *name;
    struct level level;
    const struct weights *weights; /* not owned */
    enum match_kind kind;
    struct search_limits limits;
    int table_bits;
    int threads; /* 0 is 1 */
    struct hub_client_settings engine;
};

enum { MATCH_PLAYERS_MAX = 16 };
enum { MATCH_PAIRINGS_MAX = MATCH_PLAYERS_MAX * (MATCH_PLAYERS_MAX - 1) / 2 };

/* Players of whom each meets each. Pair n has the same opening in every pairing, and a pairing's
 * games do not depend on who else is in the pool. */
struct match_pool {
    const struct variant *variant;
    int generation;
    const char *stage;    /* in the catalogue: "match", "calibrate", "players" */
    enum opening_use use; /* keeps the stages' openings apart */
    uint64_t seed;
    struct opening_settings opening; /* balance is judged with the built-in weights */
    const struct opening_file *file; /* not owned; NULL: random openings by `opening`; otherwise
                                        pair n has opening n mod count of it */
    int64_t pairs;                   /* of each pairing, at most; may be raised later */
    struct adjudication_rules ends;  /* all zero: games are played to their end */
    const struct sprt *sprt;         /* may end the match before; NULL, or two players */
    int players;                     /* 2..MATCH_PLAYERS_MAX */
    const struct match_player *player;
};

/* Number of pairings, and the players (first < second) of pairing 0 .. pairings - 1. */
int match_pairings(const struct match_pool *pool);
void match_pairing(const struct match_pool *pool, int pairing, int *first, int *second);

/* Whether two players who meet again in an opening play the same games again: neither is limited by
 * time, has several threads, nor blurs its scores by the number of the game. Of an external engine
 * this is assumed. */
bool match_repeats(const struct match_pool *pool, int pairing);

/* How many pairs a pairing is to play at most: pool->pairs, but no opening of a file again where
 * that would repeat its games. */
int64_t match_pairs(const struct match_pool *pool, int pairing);

/* What a rank plays with; made once and used for pair after pair. */
struct match_crew {
    struct search *search[MATCH_PLAYERS_MAX];
    struct hub_client *engine[MATCH_PLAYERS_MAX];
    struct search *judge; /* of openings; NULL when none is judged */
};

/* Makes what the players need; no engine is started. False: memory is out, or ERR_USAGE for an
 * engine's parameters. match_crew_fini takes one that failed. */
bool match_crew_init(struct match_crew *crew, const struct match_pool *pool, struct err *err);
void match_crew_fini(struct match_crew *crew);

/* Starts the engines, so that one which cannot play at all is told at once and not by a match of
 * lost games. ERR_USAGE names it. */
bool match_crew_start(struct match_crew *crew, const struct match_pool *pool, struct err *err);

/* A finished pair: its row, its games as encoded records, and in words what was wrong in one that
 * ended by a fault. */
struct match_result {
    struct catalogue_pair pair;
    char detail[2][HUB_CLIENT_DETAIL];
    size_t size[2];
    uint8_t *record[2]; /* [size]; owned */
};

/* Who has a colour in game 0 or 1 of a pair: 0 the first player, 1 the second. The first has the
 * side that is to move after the opening in game 0, the other in game 1. */
int match_side(const struct record *record, int game, enum colour colour);

void match_result_fini(struct match_result *result);

/* Plays one pair, as any rank would. *finished is false when `seat` asked to give up (seat may be
 * NULL). The caller ends *result with match_result_fini, also after a failure. */
struct farm_seat;
bool match_play_pair(const struct match_pool *pool, int pairing, int64_t number,
                     struct match_crew *crew, struct farm_seat *seat, struct match_result *result,
                     bool *finished, struct err *err);
