/* One self-play stage in each format of tuner/export.h. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/notation.h"
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

/* A move as PDN has it: `32-28`, `26x37`; where that fits two moves, with the squares landed on,
 * `14x3x12`; where even that does, the machine form. What it writes, move_read reads back. */
enum { PDN_MOVE = MOVE_TEXT };
void export_move(const struct variant *variant, const struct position *position,
                 const struct move *move, char out[PDN_MOVE]);
