/* Position shards: HDF5 files of one 1-D dataset a column, chunk 65 536, shuffle, deflate 1,
 * fletcher32; h5py and pandas open them as they are.
 *
 *     white_men black_men white_kings black_kings   uint64: bit s - 1 is square s
 *     side uint8 (0 White, 1 Black)    ply uint16 (0 the start position)   game int64
 *     best_move uint16: from square * 256 + to square
 *     score int16: hundredths of a man, side to move's view (-32768: none)
 *     result int8: 1 White won, 0 drawn, -1 Black won
 *
 * File attributes: format, rules, generation, opening_plies, weights (hash), seed, rows, hash (of
 * the rows' content), software. Units and encodings stand as attributes of each dataset. The file
 * is written under a temporary name, closed, synced and renamed. This is selfplay's only file that
 * knows HDF5. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/variant.h"
#include "selfplay/shard_row.h"

struct shard_info {
    int generation, opening_plies;
    uint64_t seed, weights_id;
    int64_t rows;  /* filled when writing and reading, as is */
    uint64_t hash; /* shard_hash of the rows, beginning with 0 */
};

/* Writes rows[0..count) as `path`, atomically. */
bool shard_write(const char *path, const struct variant *variant, const struct shard_info *info,
                 const struct shard_row *rows, size_t count, struct err *err);

/* Reads a whole shard; the caller frees *rows. ERR_USAGE with the path: missing, damaged (checksum,
 * column lengths or hash), of another rule set, of a newer format. */
bool shard_read(const char *path, const struct variant *variant, struct shard_info *info,
                struct shard_row **rows, struct err *err);
