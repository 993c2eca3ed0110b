/* One self-play stage in each format of tuner/export.h, and the matches of a rule set. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/shard_row.h"

struct exporter {
    const char *directory; /* of the run */
    struct catalogue *catalogue;
    FILE *out;       /* write errors are looked for at the end */
    int sources;     /* stages and matches with games */
    long long count; /* games or positions written */
};

bool export_stage_pdn(struct exporter *to, const struct variant *variant, int generation,
                      struct err *err);
/* The weights that a generation was tuned to. */
bool export_stage_weights(struct exporter *to, const struct variant *variant, int generation,
                          struct err *err);
/* Every game that is kept of a match or a round robin, finished or not. */
bool export_matches_pdn(struct exporter *to, const struct variant *variant, struct err *err);
bool export_stage_csv(struct exporter *to, const struct variant *variant, int generation,
                      struct err *err);

/* Shows all stored positions of a generation, in their order, from shards that have been verified;
 * what `row` points to ends with the call. */
typedef void export_visit(void *context, const struct shard_row *row);
bool export_each_row(struct exporter *to, const struct variant *variant, int generation,
                     export_visit *visit, void *context, struct err *err);
