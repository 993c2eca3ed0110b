/* What people call a feature, wherever weights are told of. */
#pragma once

#include "engine/eval/feature.h"

enum { FEATURE_NAME = 64 };

/* The name of its group, with its number from 1 where the group has several: "man",
 * "man_square.17". */
void feature_name(const struct rules *rules, int index, char name[FEATURE_NAME]);
