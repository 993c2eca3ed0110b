/* The rule set `international`: its constants, and the code compiled for them. */
#include "engine/variant.h"

static const struct rules RULES = {
    .name = "international",
    .title = "International draughts",
    .rows = 10,
    .row_squares = 5,
    .squares = 50,
    .men_each = 20,
    .opener = WHITE,
    .men_capture_backwards = true,
    .flying_kings = true,
    .most_captures = true,
    .crowning_ends_move = false,
    .quiet_plies_to_draw = 50,
    .repetitions_to_draw = 3,
    .pdn_game_type = 20,
    .hub_name = "normal",
};

static const struct pattern_set PATTERNS = {
    .rows = 4,
    .columns = 2,
    .tops = 2,
    .multiplier = 0x140c400000000000,
    .ternary = {0, 1, 39, 40, 27, 28, 9, 10, 3, 4, 36, 37, 30, 31, 12, 13},
};

#include "engine/feature.inc"
#include "engine/generate.inc"

#include "engine/count.inc"

#include "engine/perft.inc"

const struct variant variant_international = {
    .rules = &RULES,
    .moves = moves,
    .count_moves = count_moves,
    .perft = perft_of,
    .can_capture = can_capture,
    .features = features,
    .patterns = &PATTERNS,
    .pattern_indices = pattern_indices,
    .evaluate = evaluate,
};
