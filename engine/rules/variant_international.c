/* The rule set `international`: its constants, and the code compiled for them. */
#include "engine/rules/variant.h"

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
    .king_holds = 3,
    .pdn_game_type = 20,
    .hub_name = "normal",
};

#include "engine/eval/windows_10x10.inc"

#include "engine/eval/feature.inc"

#include "engine/eval/evaluator.inc"
#include "engine/rules/jumps.inc"

#include "engine/rules/walk.inc"

#include "engine/rules/generate.inc"

#include "engine/rules/count.inc"

#include "engine/rules/answers.inc"

#include "engine/rules/perft.inc"

const struct variant variant_international = {
    .rules = &RULES,
    .moves = moves,
    .count_moves = count_moves,
    .perft = perft_position,
    .can_capture = can_capture,
    .features = features,
    .pattern_sets = {&WINDOWS_4X2, &WINDOWS_6X2},
    .evaluate = evaluate,
    .evaluate_folded = evaluate_folded,
    .probes = true,
};
