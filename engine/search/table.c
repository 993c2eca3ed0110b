/* Buckets of the transposition table and their replacement. */
#include "engine/search/table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/search/score.h"

enum {
    BUCKET = 4,
    HUGE_PAGE = 1 << 21, /* a table of this size or more asks for pages of this size */
};

/* An entry as it is kept. All zeros: free. */
struct slot {
    _Atomic uint64_t check; /* the key xor data */
    _Atomic uint64_t data;  /* see pack */
};

struct table_bucket {
    struct slot slot[BUCKET];
};

static_assert(sizeof(struct table_bucket) == 64, "a bucket is a cache line");

/* From the lowest bit: score 16, move 16, depth 8, bound 8, age 8. */
static uint64_t pack(const struct table_entry *entry)
{
    return (uint64_t)(uint16_t)entry->score | (uint64_t)entry->move << 16 |
           (uint64_t)(uint8_t)entry->depth << 32 | (uint64_t)entry->bound << 40 |
           (uint64_t)entry->age << 48;
}

static struct table_entry unpack(uint64_t key, uint64_t data)
{
    return (struct table_entry){
        .key = key,
        .score = (int16_t)(uint16_t)data,
        .move = (uint16_t)(data >> 16),
        .depth = (int8_t)(uint8_t)(data >> 32),
        .bound = (uint8_t)(data >> 40),
        .age = (uint8_t)(data >> 48),
    };
}

/* What a slot holds; an arbitrary key when another thread is just writing it. */
static struct table_entry slot_load(const struct slot *slot)
{
    uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);

    return unpack(check ^ data, data);
}

static void slot_store(struct slot *slot, const struct table_entry *entry)
{
    uint64_t data = pack(entry);

    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
    atomic_store_explicit(&slot->check, entry->key ^ data, memory_order_relaxed);
}

bool table_init(struct table *table, int bits)
{
    assert(bits >= 2 && bits <= 40);
    size_t bytes = sizeof(struct slot) << bits;
    size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : sizeof(struct table_bucket);

    *table = (struct table){.mask = ((uint64_t)1 << bits) / BUCKET - 1};
    table->buckets = aligned_alloc(alignment, bytes);
    if (table->buckets == NULL) {
        return false;
    }
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE) {
        (void)madvise(table->buckets, bytes, MADV_HUGEPAGE); /* refused: small pages do as well */
    }
#endif
    table_clear(table);
    return true;
}

void table_fini(struct table *table)
{
    free(table->buckets);
    table->buckets = NULL;
}

void table_clear(struct table *table)
{
    memset(table->buckets, 0, (table->mask + 1) * sizeof table->buckets[0]);
    table->age = 0;
}

void table_grow_old(struct table *table)
{
    table->age++;
}

static struct table_bucket *bucket_of(const struct table *table, uint64_t key)
{
    return &table->buckets[key / BUCKET & table->mask];
}

void table_prefetch(const struct table *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

bool table_probe(const struct table *table, uint64_t key, struct table_entry *out)
{
    const struct table_bucket *bucket = bucket_of(table, key);

    for (int i = 0; i < BUCKET; i++) {
        struct table_entry entry = slot_load(&bucket->slot[i]);
        if (entry.key == key && entry.bound != BOUND_NONE) {
            *out = entry;
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

void table_store(struct table *table, const struct table_entry *entry)
{
    struct table_bucket *bucket = bucket_of(table, entry->key);
    struct table_entry aged = *entry;
    int victim = 0, least = INT32_MAX;

    for (int i = 0; i < BUCKET; i++) {
        struct table_entry old = slot_load(&bucket->slot[i]);
        if (old.key == entry->key && old.bound != BOUND_NONE) {
            victim = i;
            break;
        }
        int worth = entry_worth(table, &old);
        if (worth < least) {
            least = worth;
            victim = i;
        }
    }
    aged.age = table->age;
    slot_store(&bucket->slot[victim], &aged);
}

int table_score_in(int score, int ply)
{
    if (score > SCORE_OPEN_MAX) {
        return score + ply;
    }
    return score < -SCORE_OPEN_MAX ? score - ply : score;
}

int table_score_out(int score, int ply)
{
    if (score > SCORE_OPEN_MAX) {
        return score - ply;
    }
    return score < -SCORE_OPEN_MAX ? score + ply : score;
}
