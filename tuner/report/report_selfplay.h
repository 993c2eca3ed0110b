/* The part of a report on a generation's self-play. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "selfplay/store/catalogue.h"

/* Tables of what the games came to, how many came twice, and how often their adjudication errs.
 * `key` is of the finished stage. */
bool report_selfplay(FILE *out, struct catalogue *catalogue, const struct stage_key *key,
                     struct err *err);
