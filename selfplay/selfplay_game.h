/* One game of self-play, a pure function of its settings, its rule set, its weights, its openings
 * and its number: who plays it, where and when does not matter. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/game/adjudication.h"
#include "selfplay/game/opening.h"
#include "selfplay/game/opening_file.h"
#include "selfplay/game/opening_plan.h"
#include "selfplay/game/play.h"
#include "selfplay/rescore.h"
#include "selfplay/store/games.h"

enum { SELFPLAY_EARLIER_MAX = 8 };

/* All that decides the games, but for the rule set, the weights and listed openings, and how they
 * are kept. */
struct selfplay_settings {
    uint64_t seed;
    int generation;
    int64_t first, end; /* games first..end - 1 */
    uint64_t nodes;     /* a move; 0: none */
    int depth;          /* 0: none; one of the two limits must be set */
    int noise;          /* search_limits.noise, hundredths of a man */
    int table_bits;     /* of the transposition table, cleared before each game */
    struct sampling sampling;
    struct opening_settings opening;
    struct adjudication_rules rules;
    int control;         /* percent of the games that are played to their end in spite of `rules` */
    bool repeats;        /* games may be alike for want of openings */
    int earlier;         /* percent of the games in which one side has earlier weights */
    int64_t shard_rows;  /* at most, a shard; 0: no shards are made */
    double sync_seconds; /* journal fsync */
    double silence;      /* of a rank that is lost, as in struct farm */
};

/* What a generation's games are made from. Nothing is owned. */
struct selfplay_source {
    const struct variant *variant;
    const struct weights *weights;   /* of the generation */
    const struct weights *earlier;   /* [earlier_count], those of the generation before first */
    int earlier_count;               /* 0..SELFPLAY_EARLIER_MAX */
    const struct opening_plan *plan; /* of random openings; NULL: two games can have the same */
    const struct opening_file *file; /* listed openings: game n has opening n mod count; NULL:
                                        random ones */
    const struct rescore *again; /* games that are not played but searched again, by the limits of
                                    the settings, which say how they were played in all else; NULL:
                                    none */
};

/* What is drawn for a game. */
struct selfplay_roles {
    bool control;   /* played to its end whatever the scores say */
    int weights[2]; /* by colour: 0 the generation's, k the k-th of the earlier ones */
};

struct selfplay_roles selfplay_roles(const struct selfplay_settings *settings,
                                     const struct selfplay_source *source, int64_t number);

/* Who plays: a search for each set of weights; made once and used for game after game. */
struct selfplay_crew {
    struct search *search[1 + SELFPLAY_EARLIER_MAX]; /* as selfplay_roles numbers them */
};

/* False when memory is out. selfplay_crew_fini takes one that failed. */
bool selfplay_crew_init(struct selfplay_crew *crew, const struct selfplay_settings *settings,
                        const struct selfplay_source *source, struct err *err);
void selfplay_crew_fini(struct selfplay_crew *crew);

/* One game as every rank would play it. The crew's tables are cleared first. The rest as for
 * play_game. */
bool selfplay_game(const struct selfplay_settings *settings, const struct selfplay_source *source,
                   struct selfplay_crew *crew, int64_t number, const struct play_watch *watch,
                   struct record *record, struct play_cost *cost, struct err *err);

/* "classic-g0": what the files of a stage are named by. */
void selfplay_name(char out[GAMES_NAME], const struct variant *variant, int generation);

/* What decides the games of a stage, as the first entry of every file of them says it. */
void selfplay_about(const struct selfplay_settings *settings, const struct selfplay_source *source,
                    char out[JOURNAL_ABOUT_MAX]);
