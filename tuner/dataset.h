/* The positions that weights are fitted to.
 *
 * Rows of position shards are filtered (see enum dataset_fate) and kept as sparse feature rows,
 * grouped by part (train or held out) and by phase. Within a group all positions share one
 * interpolation, so that the fit's inner loop is a plain dot product; and since every sum the fit
 * takes is an exact integer sum, neither the order of positions in a group nor their partition
 * over ranks can change a result.
 *
 * Memory: 2 bytes a position and 2 bytes for each non-zero feature, about 60 to 90 bytes a
 * position; dataset_bytes tells exactly. For patterns the men are kept, 16 bytes a position, and
 * the patterns found anew in each pass, by the function that finds them for the evaluation.
 *
 * Which games are held out is drawn by (seed of the run, rule set, generation, game): always whole
 * games, never single positions, because the positions of one game share its result. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/variant.h"
#include "selfplay/shard.h"

enum dataset_part { DATASET_TRAIN, DATASET_HELD_OUT, DATASET_PARTS };

enum {
    DATASET_PHASES = 2 * MEN_MAX + 1,
    /* Most positions a fit may have on all ranks together; the bound that keeps the sums of
     * tuner/pass.h within int64. */
    DATASET_POSITIONS_MAX = 1 << 29,
};

/* What became of a row, in the order of the tests. */
enum dataset_fate {
    DATASET_KEPT,
    DATASET_OPENING,   /* within the random opening plies */
    DATASET_NOT_QUIET, /* a side could capture if it were to move */
    DATASET_SHOT,      /* a hidden shot: static and search score differ by more than the margin */
    DATASET_RANGE,     /* a feature does not fit 8 bits: a freak position */
    DATASET_FATES,
};

struct dataset_filter {
    int margin;        /* hundredths of a man between static and search score; 0: no such test */
    int holdout;       /* percent of the games held out, 0..100 */
    uint32_t sampling; /* of 65 536 training positions, how many are also in the sample that the
                          fit takes its curvature from; 65 536: all */
    bool patterns;     /* keep what the fit of patterns needs */
};

/* What a batch of rows comes from. */
struct dataset_source {
    const struct shard_info *info; /* seed, generation and opening_plies are used */
    const struct weights *weights; /* that played the games: for the static score */
};

struct dataset_entry {
    uint8_t index; /* of a feature */
    int8_t value;  /* never 0 */
};

/* The men of a position by enum colour. */
struct dataset_men {
    bitboard men[2];
};

/* Positions of one part and phase. Position k has count[k] entries, which follow those of k - 1. */
struct dataset_group {
    int64_t positions, entries;
    int64_t position_capacity, entry_capacity;
    uint8_t *label; /* result + 1 (0 Black won, 1 drawn, 2 White won), + DATASET_SAMPLED; owned */
    uint8_t *count; /* owned */
    struct dataset_entry *entry; /* owned */
    struct dataset_men *men;     /* of each position; owned; NULL: not kept, or no position */
};
enum { DATASET_RESULT = 3, DATASET_SAMPLED = 4 }; /* bits of a label */

/* Sums over positions; int64_t throughout, so that ranks can add them up as one array. */
struct dataset_counts {
    int64_t rows;
    int64_t fates[DATASET_FATES];
    int64_t games[DATASET_PARTS]; /* whose rows were read, kept or not */
    int64_t positions[DATASET_PARTS];
    int64_t results[DATASET_PARTS][3]; /* Black won, drawn, White won */
    int64_t sampled;
    int64_t men[DATASET_PHASES][SQUARES_MAX]; /* training men by phase and square, as their owner
                                                 sees the board; square 1 is at 0 */
};

struct dataset {
    const struct variant *variant; /* not owned */
    struct dataset_group group[DATASET_PARTS][DATASET_PHASES];
    struct dataset_counts counts; /* of this rank */
};

void dataset_init(struct dataset *dataset, const struct variant *variant);
void dataset_fini(struct dataset *dataset);

/* Takes rows[first..last) of a shard whose rows start at `rows`; the row before `first` is looked
 * at to see whether a new game begins. ERR_FAILED when memory is out, ERR_USAGE when a row has a
 * result that is not -1, 0 or 1. */
bool dataset_add(struct dataset *dataset, const struct dataset_filter *filter,
                 const struct dataset_source *source, const struct shard_row *rows, size_t first,
                 size_t last, struct err *err);

/* Gives back the memory that growing arrays hold in reserve. */
void dataset_trim(struct dataset *dataset);

/* Bytes held by the arrays. */
int64_t dataset_bytes(const struct dataset *dataset);

/* Whether the games with this number are held out. */
bool dataset_holds_out(const struct variant *variant, const struct shard_info *info, int64_t game,
                       int percent);
