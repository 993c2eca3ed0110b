/* The table of rule sets, and what walks any of them. */
#include "engine/rules/variant.h"

#include <assert.h>
#include <string.h>

static const struct variant *const VARIANTS[VARIANT_COUNT] = {
    &variant_international,
    &variant_classic,
    &variant_flying,
};

const struct variant *variant_at(int index)
{
    assert(index >= 0 && index < VARIANT_COUNT);
    return VARIANTS[index];
}

const struct variant *variant_by_name(const char *name, struct err *err)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(VARIANTS[i]->rules->name, name) == 0) {
            return VARIANTS[i];
        }
    }
    err_set(err, ERR_USAGE, "unknown rule set '%s': it is international, classic or flying", name);
    return NULL;
}

const struct pattern_set *variant_pattern_set(const struct variant *variant, const char *name)
{
    for (int i = 0; i < PATTERN_SETS; i++) {
        if (strcmp(variant->pattern_sets[i]->name, name) == 0) {
            return variant->pattern_sets[i];
        }
    }
    return NULL;
}

int variant_index(const struct variant *variant)
{
    int index = 0;

    while (VARIANTS[index] != variant) {
        index++;
        assert(index < VARIANT_COUNT);
    }
    return index;
}
