/* The positions that weights are fitted to.
 *
 * Rows go in game by game (dataset_add), from shards or from anywhere else; each is filtered (see
 * enum dataset_fate) and drawn into a part, train or held out: always whole games, by (seed of the
 * run, rule set, generation, game), because the positions of one game share its result. Then
 * dataset_finish makes of the training positions what the fit is to see: equal ones are merged,
 * with the mean of their targets, over all ranks; the target mixes the game's result with the
 * search's score. The positions held out stay as they are, each with its game's result, so that
 * the loss on them compares all choices that are made for training.
 *
 * A finished dataset is grouped by part and phase. Within a group all positions share one
 * interpolation, so that the fit's inner loop is a plain dot product; and since every sum the fit
 * takes is an exact integer sum, neither the order of positions in a group nor their partition
 * over ranks can change a result. Within a group positions are sorted by their men, so that the
 * patterns of neighbours share cache lines.
 *
 * Memory: 19 bytes a position and 2 for each of its features that is not a man on a square, rounded
 * up to four of them, which makes about 34; while it is filled 32. dataset_bytes tells exactly.
 * Patterns and men's squares are found anew in each pass from the men. More positions than memory
 * holds are kept in files (filter.scratch), through which each pass goes in order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/shard.h"
#include "tuner/fit/paged.h"
#include "tuner/fit/team.h"

enum dataset_part { DATASET_TRAIN, DATASET_HELD_OUT, DATASET_PARTS };

enum {
    DATASET_PHASES = 2 * MEN_MAX + 1,
    /* Most positions a fit may have on all ranks together; the bound that keeps the sums of
     * tuner/fit/pass.h within int64. */
    DATASET_POSITIONS_MAX = 1050000000,
};

/* What became of a row, in the order of the tests. */
enum dataset_fate {
    DATASET_KEPT,
    DATASET_OPENING,   /* within the random opening plies */
    DATASET_NOT_QUIET, /* a side could capture if it were to move */
    DATASET_HELD,      /* a lead of one side or the other would count less: feature.h, is_held */
    DATASET_SHOT,      /* a hidden shot: static and search score differ by more than the margin */
    DATASET_RANGE,     /* a feature does not fit 8 bits: a freak position */
    DATASET_SURPLUS,   /* of a training game that has enough without it */
    DATASET_FATES,
};

struct dataset_filter {
    int margin;          /* hundredths of a man between static and search score; 0: no such test */
    int holdout;         /* percent of the games held out, 0..100 */
    int per_game;        /* training positions kept of a game, drawn at random; 0: all */
    bool merge;          /* equal training positions become one */
    double share;        /* of the search's score in the target of training positions, 0..1 */
    const char *scratch; /* directory of the files that hold the positions instead of memory; NULL:
                            memory. Not owned */
    uint32_t sampling;   /* of 65 536 training positions, how many are also in the sample that the
                            fit takes its curvature from; 65 536: all */
};

/* What rows come from. */
struct dataset_source {
    const struct shard_info *info; /* seed, generation and opening_plies are used */
    const struct weights *weights; /* that played the games: for the static score */
};

/* Targets are White's expected score in units of 2^-DATASET_TARGET_BITS: 0 Black won, 2^13 drawn,
 * 2^14 White won. A training position that is of the sample has DATASET_SAMPLED added; one held
 * out, whose target is a game's result, the number of its game's group: whole games, drawn at
 * random into one of DATASET_GAME_GROUPS, so that what the groups differ in tells how certain a
 * figure is although the positions of a game share its result. */
enum { DATASET_TARGET_BITS = 14, DATASET_SAMPLED = 1 << 15, DATASET_GAME_GROUPS = 256 };
static inline int dataset_target_mask(enum dataset_part part)
{
    return part == DATASET_TRAIN ? ~DATASET_SAMPLED : ~(DATASET_GAME_GROUPS - 1);
}

/* A feature that is not of FEATURE_MAN_SQUARE: those follow from the men. Behind the last one stand
 * entries of value 0, so that a position has DATASET_STRIDE of them or a multiple: a pass over them
 * takes as many steps for nearly all positions, which the processor foresees. */
struct dataset_entry {
    uint8_t index; /* of a feature */
    int8_t value;
};
enum { DATASET_STRIDE = 4 };

/* A position of a finished group. */
struct dataset_position {
    bitboard men[2]; /* by enum colour */
    uint16_t target;
    int count;                               /* of entries, a multiple of DATASET_STRIDE */
    const struct dataset_entry *entry, *end; /* [count] */
};

/* A position while the dataset is filled. */
struct dataset_record {
    uint64_t white, black; /* pieces */
    uint64_t kings;        /* of both; bit 63: Black is to move */
    uint16_t target;       /* of the result alone until the dataset is finished, and the group */
    int16_t score;         /* of the search, from White's view; SCORE_NONE: none */
    uint32_t draw;         /* random: which positions of a game are kept */
};

/* The positions of one part and phase. */
struct dataset_group {
    int64_t positions;
    size_t bytes;
    struct paged packed; /* bytes of a finished group */
    struct paged record; /* struct dataset_record [records] before that */
    int64_t records;
};

/* Sums over positions; int64_t throughout, so that ranks can add them up as one array. */
struct dataset_counts {
    int64_t rows;
    int64_t fates[DATASET_FATES];
    int64_t games[DATASET_PARTS];      /* whose rows were read, kept or not */
    int64_t results[DATASET_PARTS][3]; /* of the rows kept: Black won, drawn, White won */
    int64_t positions[DATASET_PARTS];  /* after merging */
    int64_t sampled;
    int64_t content; /* a hash of all training positions, whatever their order; below 2^60 */
};

struct dataset {
    const struct variant *variant; /* not owned */
    struct dataset_filter filter;
    struct dataset_group group[DATASET_PARTS][DATASET_PHASES];
    struct dataset_counts counts; /* of this rank */
    double score_scale;           /* K of the search's scores, where they count; else 0 */

    /* The game being added. */
    bool in_game;
    int64_t game;
    enum dataset_part part;
    uint16_t game_group;         /* of a game held out; else 0 */
    struct dataset_record *kept; /* [kept_count]; owned */
    int kept_count, kept_capacity;
};

void dataset_init(struct dataset *dataset, const struct variant *variant,
                  const struct dataset_filter *filter);
void dataset_fini(struct dataset *dataset);

/* Takes rows of one source. The rows of a game follow one another and go to one rank; a game ends
 * where the number changes, or with dataset_end_game. ERR_FAILED when memory is out, ERR_USAGE when
 * a row has a result that is not -1, 0 or 1. */
bool dataset_add(struct dataset *dataset, const struct dataset_source *source,
                 const struct shard_row *rows, size_t count, struct err *err);
bool dataset_end_game(struct dataset *dataset, struct err *err);

/* Collective, once, after the last row: merges, mixes the targets and packs. ERR_FAILED when memory
 * is out on any rank; ERR_USAGE when the scores are to count and do not predict the results. */
bool dataset_finish(struct dataset *dataset, const struct team *team, struct err *err);

/* Bytes held by the positions. */
int64_t dataset_bytes(const struct dataset *dataset);

/* Room for `records` records in a group, at least; for dataset.c and dataset_finish.c. False:
 * memory or disk is out. */
bool dataset_reserve(const struct dataset *dataset, struct dataset_group *group, int64_t records);

static inline struct dataset_record *dataset_records(const struct dataset_group *group)
{
    return group->record.data;
}

/* Whether the games with this number are held out. */
bool dataset_holds_out(const struct variant *variant, const struct shard_info *info, int64_t game,
                       int percent);

/* Reads the position at `at` of a finished group's bytes; returns where the next one begins. */
enum { DATASET_HEAD = 2 * sizeof(bitboard) + sizeof(uint16_t) + 1 };
static inline const unsigned char *dataset_next(const unsigned char *at,
                                                struct dataset_position *position)
{
    memcpy(position->men, at, sizeof position->men);
    memcpy(&position->target, at + sizeof position->men, sizeof position->target);
    position->count = at[DATASET_HEAD - 1];
    position->entry = (const struct dataset_entry *)(at + DATASET_HEAD);
    position->end = position->entry + position->count;
    return (const unsigned char *)position->end;
}
