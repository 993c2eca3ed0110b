/* Rows flattened, restored and hashed. */
#include "selfplay/store/shard_row.h"

#include "selfplay/game/hash.h"

struct shard_flat shard_flatten(const struct rules *rules, const struct shard_row *row)
{
    const struct position *position = &row->position;
    return (struct shard_flat){
        .white_men = bitboard_pack(rules, position->men[WHITE]),
        .black_men = bitboard_pack(rules, position->men[BLACK]),
        .white_kings = bitboard_pack(rules, position->kings[WHITE]),
        .black_kings = bitboard_pack(rules, position->kings[BLACK]),
        .game = row->game,
        .ply = row->ply,
        .best_move = row->best_move,
        .score = row->score,
        .side = position->turn,
        .result = row->result,
    };
}

bool shard_unflatten(const struct rules *rules, const struct shard_flat *flat,
                     struct shard_row *row)
{
    uint64_t all = flat->white_men | flat->black_men | flat->white_kings | flat->black_kings;
    *row = (struct shard_row){.position = {.men = {bitboard_unpack(rules, flat->white_men),
                                                   bitboard_unpack(rules, flat->black_men)},
                                           .kings = {bitboard_unpack(rules, flat->white_kings),
                                                     bitboard_unpack(rules, flat->black_kings)},
                                           .turn = flat->side},
                              .game = flat->game,
                              .ply = flat->ply,
                              .best_move = flat->best_move,
                              .score = flat->score,
                              .result = flat->result};
    return all >> rules->squares == 0 && flat->side <= BLACK && flat->game >= 0 &&
           flat->result >= -1 && flat->result <= 1;
}

uint64_t shard_hash(uint64_t hash, const struct shard_flat *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct shard_flat *row = &rows[i];
        uint64_t small = (uint64_t)row->ply << 48 | (uint64_t)row->best_move << 32 |
                         (uint64_t)(uint16_t)row->score << 16 | (uint64_t)row->side << 8 |
                         (uint64_t)(uint8_t)row->result;
        hash = hash_mix(hash, row->white_men);
        hash = hash_mix(hash, row->black_men);
        hash = hash_mix(hash, row->white_kings);
        hash = hash_mix(hash, row->black_kings);
        hash = hash_mix(hash, (uint64_t)row->game);
        hash = hash_mix(hash, small);
    }
    return hash;
}
