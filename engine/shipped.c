/* The two places are set by the build: SHIPPED_SOURCE and SHIPPED_INSTALLED. */
#include "engine/shipped.h"

#include <stddef.h>

bool shipped_find(const char *name, char out[FILE_PATH])
{
    static const char *const PLACES[] = {SHIPPED_SOURCE, SHIPPED_INSTALLED};
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        if (file_join(out, PLACES[i], name, NULL) && file_exists(out)) {
            return true;
        }
    }
    return false;
}
