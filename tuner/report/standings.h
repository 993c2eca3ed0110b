/* How the players of a pool stand: what each two of them have played so far, as a run's catalogue
 * has it. Tables, ratings and reports are made of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/rules/variant.h"
#include "selfplay/match/match.h"
#include "selfplay/match/match_effort.h"
#include "selfplay/strength/ratings.h"

/* Two of the players. */
struct standing {
    int first, second; /* players */
    int64_t match;     /* id in the catalogue */
    int64_t wanted;    /* pairs that were asked for, at most; 0: not known */
    struct match_results results;
    struct match_effort effort[2];
};

struct standings {
    const struct variant *variant;
    int players;
    char name[MATCH_PLAYERS_MAX][CATALOGUE_NAME];
    int pairings; /* as match_pairings has them */
    struct standing pairing[MATCH_PAIRINGS_MAX];
    bool has_test; /* that may end the match of two players */
    struct sprt test;
    int anchor;
    double anchor_elo; /* the anchor's rating */
};

/* Rank 0, before a pool plays: notes in the catalogue, as figures of the stage, what it is to play,
 * for those who read the standings meanwhile and afterwards. */
bool standings_note(struct catalogue *catalogue, const struct match_pool *pool, int anchor,
                    double anchor_elo, struct err *err);

/* The standings of what a stage has noted last, to be freed; NULL in *out when it has noted
 * nothing. */
bool standings_read(struct catalogue *catalogue, const struct variant *variant,
                    const struct stage_key *key, struct standings **out, struct err *err);

/* Those of a single match, whatever limit or test it was played for; to be freed. NULL on
 * failure. */
struct standings *standings_of_match(struct catalogue *catalogue, const struct variant *variant,
                                     const struct catalogue_match_row *row, struct err *err);

/* Half points of one player against another, and their games. */
int64_t standings_half_points(const struct standings *standings, int player, int other);
int64_t standings_games(const struct standings *standings, int player, int other);

/* Games of all pairings by how they ended: ends[END_QUIET + 1] by enum end_reason,
 * adjudicated[ADJUDICATION_DRAWN + 1] by enum adjudication. */
void standings_ends(const struct standings *standings, int64_t ends[], int64_t adjudicated[]);

/* Joint ratings of all players (selfplay/strength/ratings.h), the ladder being the order of these
 * ratings. ladder[players] receives their indices, weakest first, and ratings[i] is of player i.
 * False with a text that names the parts of a pool which no games link. */
bool standings_rate(const struct standings *standings, int ladder[], struct rating ratings[],
                    struct err *err);
