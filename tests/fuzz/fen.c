/* Positions as text: FEN and Hub's squares. What is read can be written and read back, and is a
 * position that the generator, the features and the mirror can work with. */
#include <stdlib.h>
#include <string.h>

#include "engine/hub/hub_text.h"
#include "engine/rules/fen.h"
#include "fuzz.h"

static void check_fen_again(const struct rules *rules, const struct position *position)
{
    struct position again;
    struct err err = {0};
    char fen[FEN_SIZE], hub[SQUARES_MAX + 2];

    fen_write(rules, position, fen);
    fuzz_require(strlen(fen) < FEN_SIZE - 1, "a FEN fits FEN_SIZE");
    fuzz_require(fen_read(rules, fen, &again, &err) && position_equal(position, &again),
                 "a FEN that is written reads back");
    hub_position_write(rules, position, hub);
    fuzz_require(hub_position_read(rules, hub, &again, &err) && position_equal(position, &again),
                 "a Hub position that is written reads back");
}

static void check_position(const struct variant *variant, const struct position *position)
{
    const struct rules *rules = variant->rules;
    struct weights weights;
    struct move_list list;

    fuzz_require_position(rules, position);
    check_fen_again(rules, position);

    struct position mirror = position_mirror(rules, position);
    fuzz_require_position(rules, &mirror);
    weights_builtin(rules, &weights);
    fuzz_require(variant->evaluate(position, &weights) == variant->evaluate(&mirror, &weights),
                 "both sides see the same score");

    variant->moves(position, &list);
    fuzz_require(list.count == variant->count_moves(position), "moves are as many as counted");
    for (int i = 0; i < list.count; i++) {
        struct position next = position_after(rules, position, &list.move[i]);
        fuzz_require_position(rules, &next);
    }
    variant->moves(&mirror, &list);
    fuzz_require(list.count == variant->count_moves(position), "both sides have the same moves");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct variant *variant = fuzz_variant(data[0]);
    char *text = fuzz_text(data + 1, size - 1);
    struct position position;
    struct err fen = {0}, hub = {0};

    if (fen_read(variant->rules, text, &position, &fen)) {
        check_position(variant, &position);
    } else {
        fuzz_require_refusal(&fen);
    }
    if (hub_position_read(variant->rules, text, &position, &hub)) {
        check_position(variant, &position);
    } else {
        fuzz_require_refusal(&hub);
    }
    free(text);
    return 0;
}
