/* The catalogue of a run: one SQLite file, run.db, that says what exists. Rows are facts about
 * finished work (a stage, a shard, a pair of games); every count is derived from rows.
 *
 * Rank 0 alone opens it for writing. Each write is a transaction of its own unless it stands
 * between catalogue_begin and catalogue_commit. What SQLite itself promises and how failures are
 * told is said in selfplay/store/database.h. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/search/level.h"
#include "selfplay/external/fault.h"
#include "selfplay/game/adjudication.h"

struct catalogue;

enum { CATALOGUE_NAME = 96, CATALOGUE_OPENING = 512 };

/* Opens `path`, made with its tables when it does not exist; one of an older version receives those
 * it lacks. NULL on failure: ERR_USAGE when it is
 * no catalogue or one of a newer version, else ERR_FAILED. */
struct catalogue *catalogue_open(const char *path, struct err *err);

/* Opens an existing catalogue for reading only (status, report, export); works while a run
 * writes. */
struct catalogue *catalogue_open_readonly(const char *path, struct err *err);

/* Rolls back what is not committed. Takes NULL. */
void catalogue_close(struct catalogue *catalogue);

/* A write transaction (BEGIN IMMEDIATE) around several writes; not nested. */
bool catalogue_begin(struct catalogue *catalogue, struct err *err);
bool catalogue_commit(struct catalogue *catalogue, struct err *err);

/* Notes that a program has started on this run: one row a start. */
bool catalogue_add_start(struct catalogue *catalogue, const char *software, const char *host,
                         const char *configuration, int ranks, struct err *err);

/* A stage of one rule set and generation: "selfplay", "tune", "match", "calibrate". Beginning one
 * that was begun keeps its first start. A finished one stays finished. */
struct stage_key {
    const char *rules;
    int generation;
    const char *stage;
};
enum stage_state { STAGE_MISSING, STAGE_BEGUN, STAGE_FINISHED };
bool catalogue_stage_begin(struct catalogue *catalogue, const struct stage_key *key,
                           struct err *err);
bool catalogue_stage_finish(struct catalogue *catalogue, const struct stage_key *key,
                            struct err *err);
bool catalogue_stage_state(struct catalogue *catalogue, const struct stage_key *key,
                           enum stage_state *state, struct err *err);

/* Figures of a stage, by name: "loss_after", "scale", "seconds". Setting one again replaces it.
 * Reading one that is missing leaves *value alone and sets *found to false. */
bool catalogue_set_figure(struct catalogue *catalogue, const struct stage_key *key,
                          const char *name, double value, struct err *err);
bool catalogue_figure(struct catalogue *catalogue, const struct stage_key *key, const char *name,
                      double *value, bool *found, struct err *err);

/* A shard of positions under the run's shards/. Adding a name again replaces its row. */
struct catalogue_shard {
    char name[CATALOGUE_NAME]; /* file name, without directories */
    int64_t first_game, games, rows;
    uint64_t hash; /* shard_hash of its rows, beginning with 0 */
};
bool catalogue_add_shard(struct catalogue *catalogue, const char *rules, int generation,
                         const struct catalogue_shard *shard, struct err *err);

/* All shards of a generation by first game; the caller frees *shards. */
bool catalogue_shards(struct catalogue *catalogue, const char *rules, int generation,
                      struct catalogue_shard **shards, size_t *count, struct err *err);

/* A match: two named players under settings that fit in one line. Gives the id of the one that is
 * there, or makes it. */
struct catalogue_match {
    const char *rules;
    int generation;
    const char *stage; /* the stage that plays it */
    const char *first, *second;
    const char *settings; /* a match with other settings is another match */
};
bool catalogue_match(struct catalogue *catalogue, const struct catalogue_match *match, int64_t *id,
                     struct err *err);

/* The same, without making it: *id is 0 when there is none. */
bool catalogue_find_match(struct catalogue *catalogue, const struct catalogue_match *match,
                          int64_t *id, struct err *err);

/* All matches that a stage has begun, in that order; the caller frees *rows. key->stage is NULL for
 * those of all stages, key->generation then does not matter. */
struct catalogue_match_row {
    int64_t id;
    int generation;
    char stage[CATALOGUE_NAME];
    char first[CATALOGUE_NAME], second[CATALOGUE_NAME]; /* cut when longer */
};
bool catalogue_matches(struct catalogue *catalogue, const struct stage_key *key,
                       struct catalogue_match_row **rows, size_t *count, struct err *err);

/* A finished pair: two games from one opening, colours swapped. In game 0 the first player has
 * the side that is to move after the opening. A pair that is there already is left as it is. */
struct catalogue_pair {
    int64_t pair;                    /* number within the match, from 0 */
    char opening[CATALOGUE_OPENING]; /* moves in machine form, separated by spaces; before
                                        them the FEN of a start that is not the rules' */
    int score[2];                    /* the first player's points: 2 won, 1 drawn, 0 lost */
    enum end_reason reason[2];
    enum fault fault[2];               /* of the loser; the reason is END_NONE then */
    enum adjudication adjudication[2]; /* that ended it; the reason is END_NONE then */
    int plies[2];
};
bool catalogue_add_pair(struct catalogue *catalogue, int64_t match,
                        const struct catalogue_pair *pair, struct err *err);

/* All pairs of a match by number; the caller frees *pairs. */
bool catalogue_pairs(struct catalogue *catalogue, int64_t match, struct catalogue_pair **pairs,
                     size_t *count, struct err *err);

/* A game of a finished pair, kept as the bytes of its record (selfplay/game/record.h). */
struct catalogue_game {
    int64_t pair;
    int game; /* 0 or 1 */
    const uint8_t *data;
    size_t size;
};

/* One that is there already is left as it is. */
bool catalogue_add_game(struct catalogue *catalogue, int64_t match,
                        const struct catalogue_game *game, struct err *err);

/* Shows all games of a match in their order; what data points to ends with the call. A visit that
 * returns false ends it. Pairs of older catalogues have no games. */
typedef bool catalogue_visit(void *context, const struct catalogue_game *game, struct err *err);
bool catalogue_each_game(struct catalogue *catalogue, int64_t match, catalogue_visit *visit,
                         void *context, struct err *err);

/* The loss after each pass of the tuner; giving a curve replaces the one that was there. The
 * caller frees *passes. */
struct catalogue_pass {
    int pass;
    double training, heldout; /* log loss a position */
};
bool catalogue_set_curve(struct catalogue *catalogue, const char *rules, int generation,
                         const struct catalogue_pass *passes, size_t count, struct err *err);
bool catalogue_curve(struct catalogue *catalogue, const char *rules, int generation,
                     struct catalogue_pass **passes, size_t *count, struct err *err);

/* The levels that a stage has measured; setting replaces. Their Elo stands among the stage's
 * ratings, a level's name being the player. levels->count is 0 when there are none. */
bool catalogue_set_levels(struct catalogue *catalogue, const struct stage_key *key,
                          const struct level_set *levels, struct err *err);
bool catalogue_levels(struct catalogue *catalogue, const struct stage_key *key,
                      struct level_set *levels, struct err *err);

/* A player's rating within the pool of players that a stage measured; setting replaces. */
struct catalogue_rating {
    char player[CATALOGUE_NAME];
    char model[LEVEL_MODEL];
    double elo, error; /* error: half of the 95 % interval */
    int64_t games;
};
bool catalogue_set_rating(struct catalogue *catalogue, const struct stage_key *key,
                          const struct catalogue_rating *rating, struct err *err);
bool catalogue_ratings(struct catalogue *catalogue, const struct stage_key *key,
                       struct catalogue_rating **ratings, size_t *count, struct err *err);
