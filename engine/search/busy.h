/* Which moves the threads of a search are at just now, so that another searches them last: it then
 * finds the answer in the table, or the node settled without them. A mark may be lost or found
 * where none was set; that costs time and changes no score. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { BUSY_SLOTS = 1 << 12 };

/* Zero bytes: nobody is anywhere. Any thread may call any function. */
struct busy {
    _Atomic uint64_t mark[BUSY_SLOTS];
};

/* A number for a move in a position, hardly ever the same for two; never 0. */
static inline uint64_t busy_mark(uint64_t key, int index)
{
    return (key + (uint64_t)index + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static inline _Atomic uint64_t *busy_slot(struct busy *busy, uint64_t mark)
{
    return &busy->mark[mark >> 52];
}

static inline bool busy_is(struct busy *busy, uint64_t mark)
{
    return atomic_load_explicit(busy_slot(busy, mark), memory_order_relaxed) == mark;
}

static inline void busy_enter(struct busy *busy, uint64_t mark)
{
    atomic_store_explicit(busy_slot(busy, mark), mark, memory_order_relaxed);
}

/* Without effect when another mark has taken the slot. */
static inline void busy_leave(struct busy *busy, uint64_t mark)
{
    if (busy_is(busy, mark)) {
        atomic_store_explicit(busy_slot(busy, mark), 0, memory_order_relaxed);
    }
}
