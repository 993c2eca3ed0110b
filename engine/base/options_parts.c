/* What the files of the table of settings share. */
#include "engine/base/options_parts.h"

#include <limits.h>
#include <string.h>

long long option_bound(double bound)
{
    if (bound >= 0x1p63) {
        return LLONG_MAX;
    }
    if (bound <= -0x1p63) {
        return LLONG_MIN;
    }
    return (long long)bound;
}

const char *option_choice(const char *choices, int64_t index, size_t *length)
{
    const char *word = choices;
    for (; index > 0 && word != NULL; index--) {
        word = strchr(word, ' ');
        word = word == NULL ? NULL : word + 1;
    }
    if (word != NULL) {
        *length = strcspn(word, " ");
    }
    return word;
}

bool option_is_of(const struct option *family, const struct option *option)
{
    return family != NULL && strcmp(family->section, option->section) == 0;
}

const char *option_name_in(const struct option *family, const char *section)
{
    size_t prefix = strlen(family->section) - 1;
    return strncmp(family->section, section, prefix) == 0 && section[prefix] != '\0'
               ? section + prefix
               : NULL;
}
