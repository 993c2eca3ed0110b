/* The part of a report on the patterns with the greatest weights. */
#pragma once

#include <stdio.h>

#include "engine/eval/pattern.h"

/* The patterns of greatest and of least weight, the mean of opening and ending, each drawn on a
 * board as its owner sees it. Nothing without patterns (NULL). */
void report_patterns(FILE *out, const struct rules *rules, const struct pattern_table *table);
