/* What the files of the table of settings (options*.c) share; see engine/base/options.h. */
#pragma once

#include "engine/base/options.h"

/* The bounds of an OPTION_INT stand in the table as doubles, which reach beyond int64_t. */
long long option_bound(double bound);

/* The word number `index` of a list separated by single spaces, its length in *length; NULL behind
 * the last. */
const char *option_choice(const char *choices, int64_t index, size_t *length);

/* Whether a row is a key of the family; family may be NULL. */
bool option_is_of(const struct option *family, const struct option *option);

/* The NAME in a section of the family; NULL when it is none of its sections. */
const char *option_name_in(const struct option *family, const char *section);
