/* The looks at stop flag, clock, node count and the caller's question. */
#include "engine/halt.h"

#include "engine/base/clock.h"

enum { TELL = 1024 }; /* nodes that a thread keeps to itself: the sum is shared, and slow */

/* Within this time a first iteration is completed whatever is asked: it seldom takes a tenth. */
static const double FIRM_SECONDS = 1e-3;

void halt_init(struct halt *halt)
{
    *halt = (struct halt){0};
    atomic_init(&halt->stop, false);
    atomic_init(&halt->deadline, 0);
    atomic_init(&halt->over, false);
    atomic_init(&halt->nodes, 0);
}

void halt_start(struct halt *halt, uint64_t nodes_max, double seconds)
{
    double now = clock_seconds();

    halt->nodes_max = nodes_max;
    halt->moment = seconds > 0 ? now + seconds : 0;
    halt->firm = now + FIRM_SECONDS;
    atomic_store_explicit(&halt->over, false, memory_order_relaxed);
    atomic_store_explicit(&halt->nodes, 0, memory_order_relaxed);
}

void meter_start(struct meter *meter)
{
    meter->complete = meter->cut = false;
    meter->nodes = meter->told = meter->look_at = 0;
}

void meter_complete(struct meter *meter)
{
    meter->complete = true;
    meter->look_at = meter->nodes;
}

/* Whether stop, time or the caller ask for the end. */
static bool is_asked_for(const struct meter *meter)
{
    const struct halt *halt = meter->halt;
    double deadline = atomic_load_explicit(&halt->deadline, memory_order_relaxed);
    double now = clock_seconds();

    return (now >= halt->firm || meter->complete) &&
           (atomic_load_explicit(&halt->stop, memory_order_relaxed) ||
            (deadline > 0 && now >= deadline) || (halt->moment > 0 && now >= halt->moment) ||
            (meter->first && halt->go_on != NULL && !halt->go_on(halt->context)));
}

/* Nodes of all threads, of the others as far as they have told. */
static uint64_t count_all(struct meter *meter)
{
    _Atomic uint64_t *nodes = &meter->halt->nodes;
    uint64_t more = meter->nodes - meter->told;

    if (more < TELL) {
        return more + atomic_load_explicit(nodes, memory_order_relaxed);
    }
    meter->told = meter->nodes;
    return more + atomic_fetch_add_explicit(nodes, more, memory_order_relaxed);
}

bool meter_look(struct meter *meter)
{
    struct halt *halt = meter->halt;
    uint64_t sum = count_all(meter), next = METER_LOOK;

    if (meter->cut) {
        return true;
    }
    if (halt->nodes_max != 0 && meter->complete) {
        uint64_t left = sum < halt->nodes_max ? halt->nodes_max - sum : 0;
        meter->cut = left == 0;
        next = left < next ? left : next;
    }
    meter->cut = meter->cut || atomic_load_explicit(&halt->over, memory_order_relaxed) ||
                 is_asked_for(meter);
    if (meter->cut) {
        atomic_store_explicit(&halt->over, true, memory_order_relaxed);
        next = 0;
    }
    meter->look_at = meter->nodes + next;
    return meter->cut;
}
