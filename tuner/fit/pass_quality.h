/* One pass over the positions held out, after a fit: how predictions and results compare, cell by
 * cell, and where they differ most. Sums are exact integers as those of tuner/fit/pass.h, so they
 * are the same however the positions are spread over ranks.
 *
 * Cells are kinds of positions: by pieces on the board, by material, by what was predicted. Each is
 * kept apart by groups of games (dataset.h). */
#pragma once

#include "engine/board/position.h"
#include "tuner/fit/pass.h"

enum {
    QUALITY_PIECES = 8,     /* bands of pieces on the board, the emptiest first */
    QUALITY_MATERIAL = 9,   /* White's men less Black's, a king being three: -4 and below to 4 and
                               above */
    QUALITY_PREDICTED = 20, /* predicted score of White, in steps of 1/20 */
    QUALITY_CELLS = QUALITY_PIECES + QUALITY_MATERIAL + QUALITY_PREDICTED,
    QUALITY_KING = 3,
};

/* First cell of each kind; cells are numbered through. */
enum {
    QUALITY_FIRST_MATERIAL = QUALITY_PIECES,
    QUALITY_FIRST_PREDICTED = QUALITY_PIECES + QUALITY_MATERIAL,
};

struct pass_quality_sums {
    int64_t positions;
    int64_t predicted, scored; /* by White, units of 2^-PASS_RESIDUAL_BITS */
    int64_t loss;              /* units of 2^-PASS_LOSS_BITS */
    int64_t decided;           /* positions of games that were won */
    int64_t right; /* of these, twice where the winner was favoured, once where nobody */
};

/* A position and how far its game's result was from the prediction. */
struct surprise {
    int64_t loss;      /* units of 2^-PASS_LOSS_BITS; 0: no position */
    int64_t predicted; /* of White, units of 2^-PASS_RESIDUAL_BITS */
    int64_t result;    /* White's: -1, 0, 1 */
    bitboard men[2], kings[2];
    int64_t black_to_move;
};

struct pass_quality {
    struct pass_quality_sums sums[DATASET_GAME_GROUPS][QUALITY_CELLS];
    struct surprise worst[DATASET_GAME_GROUPS]; /* of each group */
};

/* Of equal loss the position that comes first in the order of its bits is the worse one. Positions
 * in which kings of both sides stand on squares that mirror each other are passed over for `worst`:
 * the features do not show where. */
void pass_quality(const struct dataset *dataset, const struct pass_table *table,
                  const struct logistic *logistic, struct pass_quality *quality);

/* Whether a is the worse surprise. */
bool surprise_is_worse(const struct surprise *a, const struct surprise *b);

/* The pieces on the board from which band on, 0..QUALITY_PIECES: pieces [first of band, first of
 * band + 1). */
int quality_band_first(const struct rules *rules, int band);
