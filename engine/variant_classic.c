/* The rule set `classic`: its constants, and the code compiled for them. */
#include "engine/variant.h"

static const struct rules RULES = {
    .name = "classic",
    .title = "Classic draughts (English draughts, checkers)",
    .rows = 8,
    .row_squares = 4,
    .squares = 32,
    .men_each = 12,
    .opener = BLACK,
    .men_capture_backwards = false,
    .flying_kings = false,
    .most_captures = false,
    .crowning_ends_move = true,
    .quiet_plies_to_draw = 50,
    .repetitions_to_draw = 3,
    .pdn_game_type = 21,
    .hub_name = "classic",
};

static const struct pattern_set PATTERNS = {
    .rows = 4,
    .columns = 2,
    .tops = 2,
    .multiplier = 0x1832000000000000,
    .ternary = {0, 1, 39, 40, 27, 28, 9, 10, 3, 4, 36, 37, 30, 31, 12, 13},
};

#include "engine/feature.inc"
#include "engine/generate.inc"

#include "engine/count.inc"

#include "engine/perft.inc"

const struct variant variant_classic = {
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
