/* Names of features. */
#include "tuner/fit/feature_name.h"

#include <stdio.h>

void feature_name(const struct rules *rules, int index, char name[FEATURE_NAME])
{
    for (int group = 0; group < FEATURE_GROUPS; group++) {
        struct feature_range range = feature_range(rules, (enum feature_group)group);
        int k = index - range.first;
        if (k < 0 || k >= range.count) {
            continue;
        }
        if (range.count == 1) {
            snprintf(name, FEATURE_NAME, "%s", range.name);
        } else {
            snprintf(name, FEATURE_NAME, "%s.%d", range.name, k + 1);
        }
    }
}
