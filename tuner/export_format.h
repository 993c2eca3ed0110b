/* One self-play stage in each format of tuner/export.h. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/variant.h"
#include "selfplay/catalogue.h"

struct export
{
    const char *directory; /* of the run */
    struct catalogue *catalogue;
    FILE *out; /* write errors are looked for at the end */
    int stages;
    long long count; /* games or positions written */
};

bool export_stage_pdn(struct export *to, const struct variant *variant, int generation,
                      struct err *err);
bool export_stage_csv(struct export *to, const struct variant *variant, int generation,
                      struct err *err);
