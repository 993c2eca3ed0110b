/* A row of a shard: a position in which a player chose a move, and what became of it; as the
 * program works with it, and in the flat form that files hold and hashes take in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/board/position.h"
#include "engine/search/search.h"

struct shard_row {
    struct position position; /* quiet_plies is not stored */
    int64_t game;
    uint16_t ply;
    uint16_t best_move; /* from square * 256 + to square */
    int16_t score;      /* hundredths of a man, side to move's view; SCORE_NONE: none */
    int8_t result;      /* of the game: 1 White won, 0 drawn, -1 Black won */
};

/* A row as the file has it. */
struct shard_flat {
    uint64_t white_men, black_men, white_kings, black_kings;
    int64_t game;
    uint16_t ply, best_move;
    int16_t score;
    uint8_t side;
    int8_t result;
};

struct shard_flat shard_flatten(const struct rules *rules, const struct shard_row *row);

/* The reverse; false when the values make no row. */
bool shard_unflatten(const struct rules *rules, const struct shard_flat *flat,
                     struct shard_row *row);

/* A hash of the rows' content, independent of how they are cut into shards only if they are given
 * in the order of (game, ply): chain it from shard to shard, beginning with 0. */
uint64_t shard_hash(uint64_t hash, const struct shard_flat *rows, size_t count);
