/* Weights as CSV, each with the number of stored positions that have its feature. */
#include <inttypes.h>
#include <stdlib.h>

#include "engine/artefact/artefact.h"
#include "selfplay/store/run.h"
#include "tuner/export_format.h"
#include "tuner/fit/feature_name.h"

enum { NAME = 64 }; /* bytes of a pattern's name: a window has at most 36 squares */

/* How many positions have each feature and each pattern. */
struct occurrences {
    const struct variant *variant;
    const struct pattern_set *set; /* NULL: the weights have no patterns */
    int64_t feature[FEATURES_MAX];
    int64_t *pattern; /* [pattern_count]; owned */
};

/* Of a pattern that both sides have the position counts once. */
static void count_patterns(struct occurrences *seen, const struct position *position)
{
    uint32_t index[PATTERN_ACTIVE_MAX];
    int windows = pattern_windows(seen->variant->rules, seen->set);

    seen->set->indices(position->men, index);
    for (int k = 0; k < windows; k++) {
        seen->pattern[index[k]]++;
        seen->pattern[index[windows + k]] += index[windows + k] != index[k];
    }
}

static void count_row(void *context, const struct shard_row *row)
{
    struct occurrences *seen = context;
    struct feature_list list;

    seen->variant->features(&row->position, &list);
    for (int k = 0; k < list.count; k++) {
        seen->feature[list.feature[k].index]++;
    }
    if (seen->set) {
        count_patterns(seen, &row->position);
    }
}

/* The two lines of a feature. */
static void put_weight(struct exporter *to, const struct variant *variant, int generation,
                       const char *name, int opening, int ending, int64_t positions)
{
    const char *rules = variant->rules->name;

    fprintf(to->out, "%s,%d,%s,opening,%d,%" PRId64 "\n", rules, generation, name, opening,
            positions);
    fprintf(to->out, "%s,%d,%s,ending,%d,%" PRId64 "\n", rules, generation, name, ending,
            positions);
    to->count += 2;
}

static void put_features(struct exporter *to, int generation, const struct weights *weights,
                         const struct occurrences *seen)
{
    const struct rules *rules = seen->variant->rules;

    for (int k = 0; k < feature_count(rules); k++) {
        char name[FEATURE_NAME];
        feature_name(rules, k, name);
        put_weight(to, seen->variant, generation, name, weights->opening[k], weights->ending[k],
                   seen->feature[k]);
    }
}

/* "pattern.3.001200210" of window 3. */
static void pattern_name(const struct pattern_set *set, int index, char name[NAME])
{
    int states = pattern_states(set);
    int length = snprintf(name, NAME, "pattern.%d.", index / states + 1);

    for (int square = 0, state = index % states; square < set->rows * set->columns; square++) {
        name[length++] = (char)('0' + state % 3);
        state /= 3;
    }
    name[length] = '\0';
}

static void put_patterns(struct exporter *to, int generation, const struct pattern_table *table,
                         const struct occurrences *seen)
{
    char name[NAME];

    for (int k = 0; k < table->count; k++) {
        struct pattern_weight weight = table->weight[k];
        if (weight.opening != 0 || weight.ending != 0) {
            pattern_name(table->set, k, name);
            put_weight(to, seen->variant, generation, name, weight.opening, weight.ending,
                       seen->pattern[k]);
        }
    }
}

static bool put_all(struct exporter *to, int generation, const struct artefact *artefact,
                    struct err *err)
{
    struct occurrences seen = {.variant = artefact->variant};
    const struct pattern_table *table = artefact->weights.patterns;

    if (table) {
        seen.set = table->set;
        seen.pattern = calloc((size_t)table->count, sizeof *seen.pattern);
        if (!seen.pattern) {
            return err_set(err, ERR_FAILED, "out of memory for %d patterns", table->count);
        }
    }
    bool ok = export_each_row(to, seen.variant, generation, count_row, &seen, err);
    if (ok) {
        put_features(to, generation, &artefact->weights, &seen);
    }
    if (ok && table) {
        put_patterns(to, generation, table, &seen);
    }
    free(seen.pattern);
    return ok;
}

bool export_stage_weights(struct exporter *to, const struct variant *variant, int generation,
                          struct err *err)
{
    struct artefact artefact;
    char path[FILE_PATH];

    if (!run_weights_path(path, to->directory, variant, generation, err) ||
        !artefact_read(path, variant, &artefact, err)) {
        return false;
    }
    bool ok = put_all(to, generation, &artefact, err);
    weights_fini(&artefact.weights);
    return ok;
}
