/* Names, places and built-in weights of the features; how their values are found is in
 * feature.inc. */
#include "engine/eval/feature.h"

#include <stdlib.h>

struct feature_range feature_range(const struct rules *rules, enum feature_group group)
{
    static const char *const NAMES[FEATURE_GROUPS] = {
        [FEATURE_MAN] = "man",
        [FEATURE_KING] = "king",
        [FEATURE_FIRST_KING] = "first_king",
        [FEATURE_TURN] = "turn",
        [FEATURE_MAN_SQUARE] = "man_square",
        [FEATURE_KING_SQUARE] = "king_square",
        [FEATURE_CENTRE] = "centre",
        [FEATURE_BACK_ROW] = "back_row",
        [FEATURE_GUARDED] = "guarded",
        [FEATURE_MAN_MOBILITY] = "man_mobility",
        [FEATURE_KING_MOBILITY] = "king_mobility",
    };
    int first = feature_first(rules, group);

    return (struct feature_range){
        .name = NAMES[group],
        .first = first,
        .count = feature_first(rules, (enum feature_group)(group + 1)) - first,
    };
}

int feature_count(const struct rules *rules)
{
    return feature_first(rules, FEATURE_GROUPS);
}

void weights_builtin(const struct rules *rules, struct weights *weights)
{
    int man = feature_first(rules, FEATURE_MAN), king = feature_first(rules, FEATURE_KING);

    *weights = (struct weights){0};
    weights->opening[man] = weights->ending[man] = 100;
    weights->opening[king] = weights->ending[king] = 300;
}

void weights_fini(struct weights *weights)
{
    free(weights->patterns);
    weights->patterns = NULL;
}

/* FNV-1a over 16-bit units, then the low and high halves mixed. */
static uint64_t hash_weights(uint64_t hash, const int16_t *weight, int count)
{
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uint16_t)weight[i]) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}

uint64_t weights_id(const struct rules *rules, const struct weights *weights)
{
    int count = feature_count(rules);
    uint64_t hash = hash_weights(0xcbf29ce484222325, weights->opening, count);

    hash = hash_weights(hash, weights->ending, count);
    for (int i = 0; weights->patterns != NULL && i < weights->patterns->count; i++) {
        const int16_t pair[] = {weights->patterns->weight[i].opening,
                                weights->patterns->weight[i].ending};
        hash = hash_weights(hash, pair, 2);
    }
    return hash;
}
