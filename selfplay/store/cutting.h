/* Where the games of a stage are cut into shards: as each game comes, in the order of their
 * numbers, only its count of rows is looked at. A cut says which bytes of games/NAME.records make a
 * shard; any rank can make it from that (selfplay/store/sharding.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Games that make up one shard. */
struct shard_cut {
    int64_t index;      /* of the shard in its stage */
    int64_t games;      /* > 0 */
    int64_t begin, end; /* bytes of the records, frames of the entries included */
};

struct cutting {
    int64_t rows_max;      /* a shard, > 0; more only when a single game has more */
    struct shard_cut open; /* the one that grows */
    int64_t rows;          /* in it */
    struct shard_cut *cut; /* [count], those that are complete; owned */
    size_t count, room;
};

/* Takes in a game of `rows` rows whose entry stands at bytes [begin, end) of the records; *closed
 * tells whether a cut was completed before it. False: memory is out. */
bool cutting_add(struct cutting *cutting, int64_t rows, int64_t begin, int64_t end, bool *closed);

/* No game comes any more; *closed as above. */
bool cutting_end(struct cutting *cutting, bool *closed);

void cutting_fini(struct cutting *cutting);
