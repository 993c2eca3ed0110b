/* The looks at stop flag, clock, node count and the caller's question. */
#include "engine/search/halt.h"

#include "engine/base/clock.h"

enum { TELL = 1024 }; /* nodes that a thread keeps to itself: the sum is shared, and slow */

/* Within this time a first iteration is completed whatever is asked: it seldom takes a tenth. */
static const double FIRM_SECONDS = 1e-3;

void halt_init(struct halt *halt)
{
    *halt = (struct halt){0};
    atomic_init(&halt->stop, false);
    atomic_init(&halt->deadline, 0);
    atomic_init(&halt->soft, 0);
    atomic_init(&halt->depth, 0);
    atomic_init(&halt->nodes, 0);
}

void halt_start(struct halt *halt, uint64_t nodes_max, double seconds, double soft_seconds)
{
    double now = clock_seconds();

    halt->nodes_max = nodes_max;
    halt->own_deadline = seconds > 0 ? now + seconds : 0;
    halt->own_soft = soft_seconds > 0 ? now + soft_seconds : 0;
    halt->firm = now + FIRM_SECONDS;
    atomic_store_explicit(&halt->depth, 1, memory_order_relaxed);
    atomic_store_explicit(&halt->nodes, 0, memory_order_relaxed);
}

void meter_start(struct meter *meter)
{
    meter->nodes = meter->told = meter->ask_at = 0;
}

bool meter_join(struct meter *meter)
{
    int depth = atomic_load_explicit(&meter->halt->depth, memory_order_relaxed);

    if (depth == 0) {
        return false;
    }
    meter->depth = depth;
    meter->cut = false;
    meter->look_at = meter->nodes;
    return true;
}

uint64_t meter_tell(struct meter *meter)
{
    uint64_t more = meter->nodes - meter->told;

    meter->told = meter->nodes;
    return more + atomic_fetch_add_explicit(&meter->halt->nodes, more, memory_order_relaxed);
}

/* Whether a moment has come, where 0 is never. */
static bool has_come(double moment, double now)
{
    return moment > 0 && now >= moment;
}

bool halt_is_late(const struct halt *halt)
{
    double now = clock_seconds();

    return has_come(halt->own_soft, now) ||
           has_come(atomic_load_explicit(&halt->soft, memory_order_relaxed), now);
}

/* Whether stop, time or the caller ask for the end; they are heard every METER_ASK nodes. */
static bool is_asked_for(struct meter *meter)
{
    const struct halt *halt = meter->halt;

    if (meter->nodes < meter->ask_at) {
        return false;
    }
    meter->ask_at = meter->nodes + METER_ASK;
    double now = clock_seconds();
    return (now >= halt->firm || meter->depth > 1) &&
           (atomic_load_explicit(&halt->stop, memory_order_relaxed) ||
            has_come(halt->own_deadline, now) ||
            has_come(atomic_load_explicit(&halt->deadline, memory_order_relaxed), now) ||
            (meter->first && halt->go_on != NULL && !halt->go_on(halt->context)));
}

/* Nodes of all threads, of the others as far as they have told. */
static uint64_t count_all(struct meter *meter)
{
    uint64_t more = meter->nodes - meter->told;

    return more < TELL ? more + atomic_load_explicit(&meter->halt->nodes, memory_order_relaxed)
                       : meter_tell(meter);
}

/* Nodes up to the limit, which does not count in the first iteration. */
static uint64_t nodes_left(struct meter *meter)
{
    uint64_t sum = count_all(meter), limit = meter->halt->nodes_max;

    if (limit == 0 || meter->depth == 1) {
        return UINT64_MAX;
    }
    return sum < limit ? limit - sum : 0;
}

bool meter_look(struct meter *meter)
{
    struct halt *halt = meter->halt;

    if (meter->cut) {
        return true;
    }
    uint64_t left = nodes_left(meter);
    if (left == 0 || is_asked_for(meter)) {
        atomic_store_explicit(&halt->depth, 0, memory_order_relaxed);
    }
    meter->cut = atomic_load_explicit(&halt->depth, memory_order_relaxed) != meter->depth;
    meter->look_at = meter->nodes + (meter->cut ? 0 : left < METER_LOOK ? left : METER_LOOK);
    return meter->cut;
}
