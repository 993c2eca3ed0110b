/* The transposition table: what the search has found out about positions it may meet again.
 *
 * Entries of 16 bytes in buckets of four, one cache line. Threads share it without locks: an entry
 * is two words, each read and written at once, and the first is the key xor the second. A reader
 * who meets halves of two entries, or another position's entry, gets another key than its own and
 * passes it over, so that a wrong position is taken for the right one only by a collision of 64
 * bits. Probing, storing and prefetching may happen in any number of threads; all else in one,
 * while no other uses the table. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How an entry's score bounds the true one. */
enum bound { BOUND_NONE = 0, BOUND_LOWER = 1, BOUND_UPPER = 2, BOUND_EXACT = 3 };

enum { TABLE_NO_MOVE = UINT16_MAX };

/* What is known of the position with this key. */
struct table_entry {
    uint64_t key;
    int16_t score; /* see table_score_in */
    uint16_t move; /* index in the position's list of legal moves, or TABLE_NO_MOVE */
    int8_t depth;
    uint8_t bound; /* enum bound; BOUND_NONE: the entry is free */
    uint8_t age;   /* of the search that wrote it */
};

struct table_bucket; /* in table.c */

struct table {
    struct table_bucket *buckets; /* owned */
    uint64_t mask;                /* buckets - 1 */
    uint8_t age;
};

/* 2^bits entries, bits in [2, 40], cleared. False when memory is out. */
bool table_init(struct table *table, int bits);
void table_fini(struct table *table);

void table_clear(struct table *table);

/* Marks what is stored so far as older than what follows. */
void table_grow_old(struct table *table);

/* Asks for the key's bucket, which will be probed soon. */
void table_prefetch(const struct table *table, uint64_t key);

/* Copies the entry of `key`. False, *out unchanged: there is none. */
bool table_probe(const struct table *table, uint64_t key, struct table_entry *out);

/* Stores an entry (its age is filled in) in place of the same key's, else of the bucket's least
 * valuable: free, then of an older search, then shallow. */
void table_store(struct table *table, const struct table_entry *entry);

/* Scores of won and lost positions count plies from the root; in the table, from the entry's own
 * position, `ply` plies below the root. */
int table_score_in(int score, int ply);
int table_score_out(int score, int ply);
