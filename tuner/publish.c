/* The artefacts of a run handed on. */
#include "tuner/publish.h"

#include "engine/artefact.h"

static bool publish_one(FILE *out, const char *from, const char *target,
                        const struct variant *variant, struct err *err)
{
    char to[FILE_PATH];
    struct artefact artefact;

    if (!artefact_read(from, variant, &artefact, err)) {
        return false;
    }
    if (artefact.levels.count == 0) {
        return err_set(err, ERR_USAGE, "%s: has no measured levels", from);
    }
    if (!artefact_path(to, target, variant, err) || !artefact_write(to, &artefact, err)) {
        return false;
    }
    fprintf(out, "%s\n", to);
    return true;
}

bool publish(FILE *out, const char *directory, const char *target, struct err *err)
{
    int count = 0;

    if (!file_make_directories(target, err)) {
        return false;
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        char from[FILE_PATH];
        if (!artefact_path(from, directory, variant_at(i), err)) {
            return false;
        }
        if (file_exists(from)) {
            if (!publish_one(out, from, target, variant_at(i), err)) {
                return false;
            }
            count++;
        }
    }
    return count > 0 ||
           err_set(err, ERR_USAGE, "%s: no RULES.h5 file; has the run finished?", directory);
}
