/* Buckets of the transposition table and their replacement. */
#include "engine/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/score.h"

enum { BUCKET = 4 };

static_assert(sizeof(struct table_entry) == 16, "four entries fill a cache line");

bool table_init(struct table *table, int bits)
{
    assert(bits >= 2 && bits <= 40);
    size_t bytes = sizeof(struct table_entry) << bits;

    *table = (struct table){.mask = ((uint64_t)1 << bits) - 1};
    table->entries = aligned_alloc(BUCKET * sizeof(struct table_entry), bytes);
    if (table->entries == NULL) {
        return false;
    }
    table_clear(table);
    return true;
}

void table_fini(struct table *table)
{
    free(table->entries);
    table->entries = NULL;
}

void table_clear(struct table *table)
{
    memset(table->entries, 0, (table->mask + 1) * sizeof table->entries[0]);
    table->age = 0;
}

void table_grow_old(struct table *table)
{
    table->age++;
}

static struct table_entry *bucket_of(const struct table *table, uint64_t key)
{
    return &table->entries[key & table->mask & ~(uint64_t)(BUCKET - 1)];
}

bool table_probe(const struct table *table, uint64_t key, struct table_entry *out)
{
    const struct table_entry *bucket = bucket_of(table, key);

    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == key && bucket[i].bound != BOUND_NONE) {
            *out = bucket[i];
            return true;
        }
    }
    return false;
}

/* What replacing an entry would lose: nothing when it is free, little when it is old. */
static int entry_worth(const struct table *table, const struct table_entry *entry)
{
    if (entry->bound == BOUND_NONE) {
        return INT32_MIN;
    }
    return entry->age == table->age ? entry->depth : entry->depth - 256;
}

void table_store(struct table *table, struct table_entry entry)
{
    struct table_entry *bucket = bucket_of(table, entry.key), *victim = bucket;

    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == entry.key && bucket[i].bound != BOUND_NONE) {
            victim = &bucket[i];
            break;
        }
        if (entry_worth(table, &bucket[i]) < entry_worth(table, victim)) {
            victim = &bucket[i];
        }
    }
    entry.age = table->age;
    *victim = entry;
}

int table_score_in(int score, int ply)
{
    if (score > SCORE_MATED_MAX) {
        return score + ply;
    }
    return score < -SCORE_MATED_MAX ? score - ply : score;
}

int table_score_out(int score, int ply)
{
    if (score > SCORE_MATED_MAX) {
        return score - ply;
    }
    return score < -SCORE_MATED_MAX ? score + ply : score;
}
