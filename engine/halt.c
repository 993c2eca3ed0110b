/* The looks at the stop flag and the clock. */
#include "engine/halt.h"

#include "engine/base/clock.h"

void halt_init(struct halt *halt)
{
    *halt = (struct halt){0};
    atomic_init(&halt->stop, false);
}

bool halt_is_due(const struct halt *halt)
{
    return atomic_load_explicit(&halt->stop, memory_order_relaxed) ||
           (halt->deadline > 0 && clock_seconds() >= halt->deadline);
}
