/* Weights written to an HDF5 file and read from one: a dataset a group of features, and the
 * patterns. */
#include "engine/artefact/weights_image.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/eval/feature.h"

static const char PATTERN_PATH[] = "/weights/pattern";
static const struct image_field PATTERN_FIELD = {"pattern", IMAGE_INT16, 0, sizeof(int16_t)};
static const struct image_field PATTERN_ID_FIELD = {"id", IMAGE_UINT64, 0, sizeof(uint64_t)};
static const struct image_field PATTERN_SET_FIELDS[] = {
    {"rows", IMAGE_INT, offsetof(struct pattern_set, rows), sizeof(int)},
    {"columns", IMAGE_INT, offsetof(struct pattern_set, columns), sizeof(int)},
    {"tops", IMAGE_INT, offsetof(struct pattern_set, tops), sizeof(int)},
};

enum { PATTERN_SET_COUNT = sizeof PATTERN_SET_FIELDS / sizeof PATTERN_SET_FIELDS[0] };

/* The weights of one group of features. They are read wider than they are, so that a number out
 * of their range is seen and not cut. */
static bool read_range(const struct image *image, struct feature_range range, struct weights *out,
                       struct err *err)
{
    const struct image_field field = {range.name, IMAGE_INT, 0, sizeof(int)};
    const int dims[2] = {2, range.count};
    int values[2 * FEATURES_MAX];
    char path[IMAGE_PATH];
    image_path(path, "/weights", range.name);
    if (!image_has(image, path)) {
        return err_set(err, ERR_USAGE, "dataset '%s' is missing", path);
    }
    if (!image_read(image, path, &field, 2, dims, values)) {
        return err_set(err, ERR_USAGE, "dataset '%s' is damaged or not int16 [2][%d]", path,
                       range.count);
    }
    for (int i = 0; i < 2 * range.count; i++) {
        if (values[i] < INT16_MIN || values[i] > INT16_MAX) {
            return err_set(err, ERR_USAGE, "'%s' holds %d, which is no int16", path, values[i]);
        }
    }
    for (int i = 0; i < range.count; i++) {
        out->opening[range.first + i] = (int16_t)values[i];
        out->ending[range.first + i] = (int16_t)values[range.count + i];
    }
    return true;
}

/* The set of windows that the file's patterns are of; NULL: this version has no such set. */
static const struct pattern_set *read_pattern_set(const struct image *image,
                                                  const struct variant *variant, struct err *err)
{
    struct pattern_set found = {0};
    for (int i = 0; i < PATTERN_SET_COUNT; i++) {
        if (!image_read_attribute(image, PATTERN_PATH, &PATTERN_SET_FIELDS[i],
                                  (char *)&found + PATTERN_SET_FIELDS[i].offset, err)) {
            return NULL;
        }
    }
    for (int i = 0; i < PATTERN_SETS; i++) {
        const struct pattern_set *set = variant->pattern_sets[i];
        if (found.rows == set->rows && found.columns == set->columns && found.tops == set->tops) {
            return set;
        }
    }
    err_set(err, ERR_USAGE,
            "its patterns are of %d x %d squares from %d rows, of which this version knows nothing",
            found.rows, found.columns, found.tops);
    return NULL;
}

/* Fills the table from the dataset. */
static bool read_pattern_values(const struct image *image, struct pattern_table *table,
                                struct err *err)
{
    const int dims[2] = {2, table->count};
    int16_t *values = malloc(2 * (size_t)table->count * sizeof *values);
    if (values == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for %d patterns", table->count);
    }
    bool read = image_read(image, PATTERN_PATH, &PATTERN_FIELD, 2, dims, values) ||
                err_set(err, ERR_USAGE, "dataset '%s' is damaged or not int16 [2][%d]",
                        PATTERN_PATH, table->count);
    for (int i = 0; read && i < table->count; i++) {
        table->weight[i] = (struct pattern_weight){values[i], values[table->count + i]};
    }
    free(values);
    return read;
}

/* The patterns, where the file has any; the other weights are read already. */
static bool read_patterns(const struct image *image, const struct variant *variant,
                          struct weights *weights, struct err *err)
{
    uint64_t id = 0;
    if (!image_has(image, PATTERN_PATH)) {
        return true;
    }
    const struct pattern_set *set = read_pattern_set(image, variant, err);
    if (set == NULL) {
        return false;
    }
    weights->patterns = pattern_table_create(variant->rules, set);
    if (weights->patterns == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for the patterns of %s", set->name);
    }
    return read_pattern_values(image, weights->patterns, err) &&
           image_read_attribute(image, PATTERN_PATH, &PATTERN_ID_FIELD, &id, err) &&
           (id == weights_id(variant->rules, weights) ||
            err_set(err, ERR_USAGE, "the weights are not those that were written"));
}

static bool write_patterns(struct image *image, const struct variant *variant,
                           const struct weights *weights)
{
    const struct pattern_table *table = weights->patterns;
    const int dims[2] = {2, table->count};
    uint64_t id = weights_id(variant->rules, weights);
    int16_t *values = malloc(2 * (size_t)table->count * sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (int i = 0; i < table->count; i++) {
        values[i] = table->weight[i].opening;
        values[table->count + i] = table->weight[i].ending;
    }
    bool written = image_write(image, PATTERN_PATH, &PATTERN_FIELD, 2, dims, values) &&
                   image_write_attribute(image, PATTERN_PATH, &PATTERN_ID_FIELD, &id);
    for (int i = 0; written && i < PATTERN_SET_COUNT; i++) {
        written = image_write_attribute(image, PATTERN_PATH, &PATTERN_SET_FIELDS[i],
                                        (const char *)table->set + PATTERN_SET_FIELDS[i].offset);
    }
    free(values);
    return written;
}

bool weights_image_read(const struct image *image, const struct variant *variant,
                        struct weights *out, struct err *err)
{
    const struct rules *rules = variant->rules;
    if (!image_has(image, "/weights")) {
        return err_set(err, ERR_USAGE, "group '/weights' is missing");
    }
    for (int i = 0; i < FEATURE_GROUPS; i++) {
        if (!read_range(image, feature_range(rules, (enum feature_group)i), out, err)) {
            return false;
        }
    }
    return read_patterns(image, variant, out, err);
}

bool weights_image_write(struct image *image, const struct variant *variant,
                         const struct weights *weights)
{
    const struct rules *rules = variant->rules;
    bool written = image_add_group(image, "/weights");
    for (int i = 0; written && i < FEATURE_GROUPS; i++) {
        const struct feature_range range = feature_range(rules, (enum feature_group)i);
        const struct image_field field = {range.name, IMAGE_INT16, 0, sizeof(int16_t)};
        const int dims[2] = {2, range.count};
        const size_t size = (size_t)range.count * sizeof(int16_t);
        int16_t values[2 * FEATURES_MAX];
        char path[IMAGE_PATH];
        image_path(path, "/weights", range.name);
        memcpy(values, weights->opening + range.first, size);
        memcpy(values + range.count, weights->ending + range.first, size);
        written = image_write(image, path, &field, 2, dims, values);
    }
    return written && (weights->patterns == NULL || write_patterns(image, variant, weights));
}
