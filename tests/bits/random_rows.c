/* Uniformly random legal moves. */
#include "tests/bits/random_rows.h"

#include "engine/base/rng.h"

int random_rows(const struct variant *variant, const struct weights *weights, int64_t game,
                struct shard_row *rows)
{
    struct rng rng = rng_make(11, RNG_TEST, (uint64_t)game);
    struct position position = position_start(variant->rules);
    int count = 0, result = 0;
    for (; count < RANDOM_ROWS_MAX; count++) {
        struct move_list list;
        variant->moves(&position, &list);
        if (list.count == 0) {
            result = position.turn == WHITE ? -1 : 1;
            break;
        }
        rows[count] = (struct shard_row){.position = position,
                                         .game = game,
                                         .ply = (uint16_t)count,
                                         .score = (int16_t)variant->evaluate(&position, weights)};
        uint32_t chosen = rng_below(&rng, (uint64_t)count, (uint32_t)list.count);
        position = position_after(variant->rules, &position, &list.move[chosen]);
    }
    for (int k = 0; k < count; k++) {
        rows[k].result = (int8_t)result;
    }
    return count;
}
