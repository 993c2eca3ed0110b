/* Files of weights and levels: what is read keeps to its bounds. */
#include <string.h>
#include <unistd.h>

#include "engine/artefact/artefact.h"
#include "fuzz.h"

static bool read_bytes(const void *data, size_t size, const struct variant *variant,
                       struct artefact *out, struct err *err)
{
    char path[FUZZ_PATH];

    fuzz_file(data, size, path);
    bool read = artefact_read(path, variant, out, err);
    unlink(path);
    return read;
}

static void check_artefact(const struct variant *variant, const struct artefact *artefact)
{
    const struct level_set *levels = &artefact->levels;

    fuzz_require(artefact->variant == variant, "an artefact is of the rule set");
    fuzz_require(levels->count == 0 || levels->count == LEVELS_MAX, "all levels or none");
    for (int i = 0; i < levels->count; i++) {
        const struct level *level = &levels->level[i];
        fuzz_require(level->number == i + 1 && level->depth >= 0 && level->noise >= 0 &&
                         level->games >= 0 && level->nodes <= INT64_MAX,
                     "levels keep to bounds");
    }
    fuzz_require(memchr(artefact->provenance.software, '\0', PROVENANCE_TEXT) != NULL, "texts end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct variant *variant = fuzz_variant(data[0]);
    struct artefact artefact;
    struct err err = {0};

    if (read_bytes(data + 1, size - 1, variant, &artefact, &err)) {
        check_artefact(variant, &artefact);
    } else {
        fuzz_require_refusal(&err);
    }
    return 0;
}
