/* The end of a change. */
#include "daemon/store/change.h"

#include <stdlib.h>

void change_destroy(struct change *change)
{
    if (change != NULL) {
        artefacts_release(change->artefacts);
        free(change);
    }
}
