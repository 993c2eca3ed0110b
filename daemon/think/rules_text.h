/* The rules in words, made from the constants the generator is compiled with, so that what is
 * said and what is played cannot disagree. */
#pragma once

#include <jansson.h>

#include "engine/board/rules.h"

/* An array of sentences. NULL when memory is out. */
json_t *rules_text(const struct rules *rules);
