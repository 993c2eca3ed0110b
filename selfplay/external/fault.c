/* The faults' names, as the catalogue keeps them. */
#include "selfplay/external/fault.h"

#include <string.h>

static const char *const NAMES[FAULTS] = {
    [FAULT_NONE] = "none",
    [FAULT_START] = "did not start",
    [FAULT_CRASH] = "crashed",
    [FAULT_HANG] = "hung",
    [FAULT_FLOOD] = "flooded",
    [FAULT_NONSENSE] = "nonsense",
    [FAULT_ILLEGAL] = "illegal move",
    [FAULT_NO_MOVE] = "gave no move",
};

const char *fault_name(enum fault fault)
{
    return NAMES[fault];
}

enum fault fault_named(const char *name)
{
    for (int fault = FAULT_NONE; fault < FAULTS; fault++) {
        if (strcmp(name, NAMES[fault]) == 0) {
            return (enum fault)fault;
        }
    }
    return FAULT_NONE;
}
