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
 * the rows' content), records (hash of the games), software. Units and encodings stand as
 * attributes of each dataset. Rows go in as a stream, and any range of them can be read; neither
 * needs memory for all of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/shard_row.h"

struct shard_info {
    int generation, opening_plies;
    uint64_t seed, weights_id;
    int64_t rows;     /* filled when writing and reading, as is */
    uint64_t hash;    /* shard_hash of the rows, beginning with 0 */
    uint64_t records; /* hash of the records that the rows are made of; 0: not known */
};

/* A shard being written. */
struct shard_writer;

/* Begins the shard `path`; nothing is to be seen of it before it is complete. */
struct shard_writer *shard_create(const char *path, const struct variant *variant, struct err *err);

/* Appends rows[0..count). */
bool shard_append(struct shard_writer *writer, const struct shard_row *rows, size_t count,
                  struct err *err);

/* Rows appended so far. */
int64_t shard_rows(const struct shard_writer *writer);

/* Completes the shard: it is durable under its name, or what was there before still is. `info`
 * says what it is made of; its rows and hash are filled in. */
bool shard_finish(struct shard_writer *writer, struct shard_info *info, struct err *err);

/* Gives the memory back, of an unfinished one with its rows; NULL is fine. */
void shard_destroy(struct shard_writer *writer);

/* A shard being read. */
struct shard;

/* Opens a shard and reads what it is made of. NULL with ERR_USAGE and the path: missing, no shard,
 * damaged, of another rule set, of a newer format. */
struct shard *shard_open(const char *path, const struct variant *variant, struct shard_info *info,
                         struct err *err);

/* Reads rows [first, first + count), which the shard must have, into rows[0..count). Cheapest from
 * a multiple of 65 536 on. ERR_USAGE when they are damaged, as far as checksums of HDF5 tell. */
bool shard_get(struct shard *shard, int64_t first, int64_t count, struct shard_row *rows,
               struct err *err);

/* Reads all rows and compares their hash: ERR_USAGE when they are not those that were written. */
bool shard_verify(struct shard *shard, struct err *err);

/* NULL is fine. */
void shard_close(struct shard *shard);

/* A whole shard at once, from and into memory. Reading verifies it; the caller frees *rows.
 * ERR_USAGE as above. */
bool shard_write(const char *path, const struct variant *variant, const struct shard_info *info,
                 const struct shard_row *rows, size_t count, struct err *err);
bool shard_read(const char *path, const struct variant *variant, struct shard_info *info,
                struct shard_row **rows, struct err *err);
