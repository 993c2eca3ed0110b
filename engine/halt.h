/* When a running search ends before it is complete: struct halt, what all its threads look at;
 * struct meter, how one of them counts its nodes and how often it looks. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct halt {
    atomic_bool stop; /* asked for from outside */
    uint64_t nodes;   /* limit; 0: none */
    double deadline;  /* a moment of clock_seconds; 0: none */
};

enum { METER_LOOK = 1024 }; /* nodes between two looks at the clock and at halt->stop */

struct meter {
    const struct halt *halt; /* not owned */
    uint64_t nodes;          /* so far */
    bool armed;              /* false: neither limits nor halt->stop count yet */
    bool cut;                /* one of them was met: what the search returns means nothing */
};

void halt_init(struct halt *halt);

/* Looks at what cannot be looked at each node. */
bool halt_is_due(const struct halt *halt);

/* Whether the search is to be left; otherwise counts one node more. For the meter's own thread. */
static inline bool meter_node(struct meter *meter)
{
    const struct halt *halt = meter->halt;

    if (meter->armed && !meter->cut) {
        meter->cut = (halt->nodes != 0 && meter->nodes >= halt->nodes) ||
                     (meter->nodes % METER_LOOK == 0 && halt_is_due(halt));
    }
    meter->nodes += !meter->cut;
    return meter->cut;
}
