/* When a running search, or an iteration of it, ends before it is complete: struct halt, what all
 * its threads look at; struct meter, how one of them counts its nodes and how often it looks.
 *
 * A look is due every METER_LOOK nodes: that soon a thread sees that another has completed the
 * iteration. Stop, clock and the caller's question, which cost more, are heard every METER_ASK
 * nodes, in a tenth of a millisecond; the limit of nodes is met exactly (by one thread). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct halt {
    /* By any thread, at any time. */
    atomic_bool stop;        /* asked for from outside */
    _Atomic double deadline; /* a moment of clock_seconds; 0: none */
    _Atomic double soft;     /* the same, after which no iteration is begun */

    /* By the threads of the search. */
    _Atomic int depth;      /* of the iteration under way, 0 at the end of the search: whoever is
                               at another leaves that */
    _Atomic uint64_t nodes; /* by all of them, as of their last looks */

    /* Before the search begins. */
    uint64_t nodes_max;  /* limit; 0: none */
    double own_deadline; /* of this search alone, like deadline and soft */
    double own_soft;
    double firm;                  /* before this moment no first iteration is cut short */
    bool (*go_on)(void *context); /* asked by the first thread's meter; NULL: nobody is asked */
    void *context;
};

enum { METER_LOOK = 32, METER_ASK = 512 }; /* nodes between two */

struct meter {
    struct halt *halt; /* not owned */
    bool first;        /* of the thread that called search_run */
    int depth;         /* of the iteration that the thread is at */
    bool cut;          /* it is to be left: what it returns means nothing */
    uint64_t nodes;    /* so far */
    uint64_t told;     /* of them, in halt->nodes */
    uint64_t look_at;  /* nodes at the next look */
    uint64_t ask_at;   /* nodes from which on it asks */
};

/* Nothing is asked for and nobody is asked; the search is at its end until halt_start. */
void halt_init(struct halt *halt);

/* For a search that begins now, with depth 1; the limits of struct search_limits. */
void halt_start(struct halt *halt, uint64_t nodes_max, double seconds, double soft_seconds);

/* Whether no iteration is to be begun any more. */
bool halt_is_late(const struct halt *halt);

/* For a search that begins now: no nodes yet. The thread joins an iteration before it counts. */
void meter_start(struct meter *meter);

/* The thread takes up the iteration under way. False: the search is at its end, and the meter is as
 * before. */
bool meter_join(struct meter *meter);

/* Adds what the thread has not yet told to halt->nodes, and returns that. */
uint64_t meter_tell(struct meter *meter);

/* Whether the iteration is to be left; for the meter's own thread. */
bool meter_look(struct meter *meter);

/* The same at each node, which is counted unless the iteration is to be left. */
static inline bool meter_node(struct meter *meter)
{
    if (meter->nodes >= meter->look_at && meter_look(meter)) {
        return true;
    }
    meter->nodes++;
    return false;
}
