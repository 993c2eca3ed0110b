/* The two places are set by the build: SHIPPED_SOURCE and SHIPPED_INSTALLED. */
#include "engine/artefact/shipped.h"

#include "engine/artefact/artefact.h"

bool shipped_find(const struct variant *variant, char out[FILE_PATH])
{
    static const char *const PLACES[] = {SHIPPED_SOURCE, SHIPPED_INSTALLED};
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        if (artefact_path(out, PLACES[i], variant, NULL) && file_exists(out)) {
            return true;
        }
    }
    return false;
}
