/* A fit's quality as rows of the catalogue. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue_fit.h"
#include "tuner/fit/fit.h"

/* The caller gives them back with catalogue_fit_free. ERR_FAILED: out of memory. */
bool quality_rows(const struct variant *variant, const struct fit_result *result,
                  struct catalogue_fit *rows, struct err *err);
