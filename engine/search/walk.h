/* The way through a node's moves: best promise first, but those that another thread is at (see
 * busy.h) at the end. By then the other has mostly stored the answer, or the node was settled
 * without them. The first move is never put off. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/search/busy.h"
#include "engine/search/order.h"

enum { PUT_OFF_MAX = 32 };

/* A move of a node: its place in the order, and in the list of legal moves. */
struct place {
    int n, index;
};

struct walk {
    struct busy *busy;     /* not owned, as the next two; NULL: whatever others do */
    struct order *order;   /* of the node's moves */
    struct place *put_off; /* [PUT_OFF_MAX]: moves that another thread was at */
    uint64_t key;          /* of the node's position */

    struct place at;   /* the present move */
    uint64_t mark;     /* of it, if busy */
    int picked;        /* moves taken from the order */
    int put_off_count; /* of them, those put off */
    int resumed;       /* of them, those taken up again */
};

/* Goes on to the next move, walk->at. False: all were tried. A walk begins with all zero but the
 * first four members. */
static inline bool walk_next(struct walk *walk)
{
    while (walk->picked < walk->order->list->count) {
        walk->at.n = walk->picked++;
        walk->at.index = order_pick(walk->order, walk->at.n);
        if (walk->busy == NULL) {
            return true;
        }
        walk->mark = busy_mark(walk->key, walk->at.index);
        if (walk->at.n == 0 || walk->put_off_count == PUT_OFF_MAX ||
            !busy_is(walk->busy, walk->mark)) {
            return true;
        }
        walk->put_off[walk->put_off_count++] = walk->at;
    }
    if (walk->resumed == walk->put_off_count) {
        return false;
    }
    walk->at = walk->put_off[walk->resumed++];
    walk->mark = busy_mark(walk->key, walk->at.index);
    return true;
}

/* Tells the other threads that this one is at the present move, and that it no longer is. */
static inline void walk_enter(const struct walk *walk)
{
    if (walk->busy != NULL) {
        busy_enter(walk->busy, walk->mark);
    }
}

static inline void walk_leave(const struct walk *walk)
{
    if (walk->busy != NULL) {
        busy_leave(walk->busy, walk->mark);
    }
}
