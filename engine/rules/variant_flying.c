/* The rule set `flying`: its constants, and the code compiled for them. */
#include "engine/rules/variant.h"

static const struct rules RULES = {
    .name = "flying",
    .title = "Draughts with flying kings on 8x8",
    .rows = 8,
    .row_squares = 4,
    .squares = 32,
    .men_each = 12,
    .opener = WHITE,
    .men_capture_backwards = false,
    .flying_kings = true,
    .most_captures = false,
    .crowning_ends_move = true,
    .quiet_plies_to_draw = 50,
    .repetitions_to_draw = 3,
    .king_holds = 0,
    .pdn_game_type = 0,
    .hub_name = "flying",
};

#include "engine/eval/windows_8x8.inc"

#include "engine/eval/feature.inc"

#include "engine/eval/evaluator.inc"
#include "engine/rules/jumps.inc"

#include "engine/rules/walk.inc"

#include "engine/rules/generate.inc"

#include "engine/rules/count.inc"

#include "engine/rules/answers.inc"

#include "engine/rules/perft.inc"

const struct variant variant_flying = {
    .rules = &RULES,
    .moves = moves,
    .count_moves = count_moves,
    .perft = perft_position,
    .can_capture = can_capture,
    .features = features,
    .pattern_sets = {&WINDOWS_4X2, &WINDOWS_6X2},
    .evaluate = evaluate,
    .evaluate_folded = evaluate_folded,
    .probes = false,
};
