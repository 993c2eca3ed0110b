/* Memory for the weights of patterns; what patterns are is in pattern.h, how they are found in
 * pattern.inc. */
#include "engine/eval/pattern.h"

#include <stdlib.h>

struct pattern_table *pattern_table_create(const struct rules *rules, const struct pattern_set *set)
{
    int count = pattern_count(rules, set);
    size_t size = sizeof(struct pattern_table) + (size_t)count * sizeof(struct pattern_weight);
    struct pattern_table *table = calloc(1, size);

    if (table != NULL) {
        table->set = set;
        table->count = count;
    }
    return table;
}
