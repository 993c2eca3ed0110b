/* RULES.h5, written and read whole. Tables say which member of which struct is which attribute or
 * column; what is read is checked before anybody plays by it. */
#include "engine/artefact/artefact.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/artefact/image.h"
#include "engine/artefact/weights_image.h"

enum {
    FORMAT_PLAIN = 1, /* without patterns */
    FORMAT = 2,       /* with them */
};

static const double ELO_MAX = 10000;

static const struct image_field FORMAT_FIELD = {"format", IMAGE_INT, 0, sizeof(int)};
static const struct image_field RULES_FIELD = {"rules", IMAGE_TEXT, 0, IMAGE_TEXT_MAX};
static const struct image_field MODEL_FIELD = {"model", IMAGE_TEXT, 0, LEVEL_MODEL};

static const struct image_field PROVENANCE_FIELDS[] = {
    {"dataset_hash", IMAGE_TEXT, offsetof(struct provenance, dataset_hash), PROVENANCE_TEXT},
    {"games", IMAGE_INT64, offsetof(struct provenance, games), sizeof(int64_t)},
    {"positions", IMAGE_INT64, offsetof(struct provenance, positions), sizeof(int64_t)},
    {"loss_before", IMAGE_REAL, offsetof(struct provenance, loss_before), sizeof(double)},
    {"loss_after", IMAGE_REAL, offsetof(struct provenance, loss_after), sizeof(double)},
    {"scale", IMAGE_REAL, offsetof(struct provenance, scale), sizeof(double)},
    {"configuration", IMAGE_TEXT, offsetof(struct provenance, configuration), PROVENANCE_TEXT},
    {"software", IMAGE_TEXT, offsetof(struct provenance, software), PROVENANCE_TEXT},
    {"date", IMAGE_TEXT, offsetof(struct provenance, date), PROVENANCE_TEXT},
};

static const struct image_field LEVEL_FIELDS[] = {
    {"number", IMAGE_INT, offsetof(struct level, number), sizeof(int)},
    {"name", IMAGE_TEXT, offsetof(struct level, name), LEVEL_NAME},
    {"nodes", IMAGE_UINT64, offsetof(struct level, nodes), sizeof(uint64_t)},
    {"depth", IMAGE_INT, offsetof(struct level, depth), sizeof(int)},
    {"noise", IMAGE_INT, offsetof(struct level, noise), sizeof(int)},
    {"elo", IMAGE_REAL, offsetof(struct level, elo), sizeof(double)},
    {"elo_error", IMAGE_REAL, offsetof(struct level, elo_error), sizeof(double)},
    {"games", IMAGE_INT64, offsetof(struct level, games), sizeof(int64_t)},
};

enum {
    PROVENANCE_COUNT = sizeof PROVENANCE_FIELDS / sizeof PROVENANCE_FIELDS[0],
    LEVEL_COUNT = sizeof LEVEL_FIELDS / sizeof LEVEL_FIELDS[0],
};

static_assert((int)PROVENANCE_TEXT <= (int)IMAGE_TEXT_MAX, "texts fit an attribute");

static bool read_heading(const struct image *image, const struct variant *variant, struct err *err)
{
    int format = 0;
    char rules[IMAGE_TEXT_MAX];
    if (!image_read_attribute(image, "/", &FORMAT_FIELD, &format, err)) {
        return false;
    }
    if (format < 1 || format > FORMAT) {
        return err_set(err, ERR_USAGE, "has format %d, this version reads formats 1 to %d", format,
                       FORMAT);
    }
    if (!image_read_attribute(image, "/", &RULES_FIELD, rules, err)) {
        return false;
    }
    if (strcmp(rules, variant->rules->name) != 0) {
        return err_set(err, ERR_USAGE, "holds weights for '%s', needed are weights for '%s'", rules,
                       variant->rules->name);
    }
    return true;
}

/* The name is printable if it was read; elo may be no number. */
static bool check_level(const struct level *level, int number, struct err *err)
{
    if (level->number != number) {
        return err_set(err, ERR_USAGE, "level %d stands where level %d belongs", level->number,
                       number);
    }
    if (strcmp(level->name, level_name(number)) != 0) {
        return err_set(err, ERR_USAGE, "level %d is not named '%s'", number, level_name(number));
    }
    if (level->nodes > INT64_MAX) {
        return err_set(err, ERR_USAGE, "level %d: nodes are out of range", number);
    }
    if (level->depth < 0 || level->depth >= SEARCH_PLIES) {
        return err_set(err, ERR_USAGE, "level %d: depth %d is not within 0..%d", number,
                       level->depth, SEARCH_PLIES - 1);
    }
    if (level->noise < 0 || level->noise > SCORE_WON) {
        return err_set(err, ERR_USAGE, "level %d: noise %d is not within 0..%d", number,
                       level->noise, SCORE_WON);
    }
    if (!(fabs(level->elo) <= ELO_MAX) || !(level->elo_error >= 0 && level->elo_error <= ELO_MAX)) {
        return err_set(err, ERR_USAGE, "level %d: elo %g with error %g is out of range", number,
                       level->elo, level->elo_error);
    }
    if (level->games < 0) {
        return err_set(err, ERR_USAGE, "level %d: %lld games are out of range", number,
                       (long long)level->games);
    }
    return true;
}

/* Reads one column into the levels' members. */
static bool read_column(const struct image *image, const struct image_field *field,
                        struct level_set *levels, struct err *err)
{
    char path[IMAGE_PATH], column[LEVELS_MAX * LEVEL_NAME];
    image_path(path, "/levels", field->name);
    if (!image_read(image, path, field, 1, &levels->count, column)) {
        return err_set(err, ERR_USAGE, "dataset '%s' is missing, damaged or not of length %d", path,
                       levels->count);
    }
    for (int i = 0; i < levels->count; i++) {
        image_copy_member(field, (char *)&levels->level[i] + field->offset,
                          column + (size_t)i * field->size);
    }
    return true;
}

static bool read_levels(const struct image *image, struct level_set *out, struct err *err)
{
    if (!image_has(image, "/levels")) {
        return err_set(err, ERR_USAGE, "group '/levels' is missing");
    }
    int64_t rows = image_rows(image, "/levels/number");
    if (rows != 0 && rows != LEVELS_MAX) {
        return err_set(err, ERR_USAGE, "'/levels/number' is missing or not of length 0 or %d",
                       LEVELS_MAX);
    }
    out->count = (int)rows;
    if (!image_read_attribute(image, "/levels", &MODEL_FIELD, out->model, err)) {
        return false;
    }
    for (int i = 0; i < LEVEL_COUNT; i++) {
        if (!read_column(image, &LEVEL_FIELDS[i], out, err)) {
            return false;
        }
    }
    for (int i = 0; i < out->count; i++) {
        if (!check_level(&out->level[i], i + 1, err)) {
            return err_prefix(err, "/levels");
        }
    }
    return true;
}

static bool write_levels(struct image *image, const struct level_set *levels)
{
    bool written = image_add_group(image, "/levels") &&
                   image_write_attribute(image, "/levels", &MODEL_FIELD, levels->model);
    for (int i = 0; written && i < LEVEL_COUNT; i++) {
        const struct image_field *field = &LEVEL_FIELDS[i];
        char path[IMAGE_PATH], column[LEVELS_MAX * LEVEL_NAME];
        image_path(path, "/levels", field->name);
        for (int k = 0; k < levels->count; k++) {
            image_copy_member(field, column + (size_t)k * field->size,
                              (const char *)&levels->level[k] + field->offset);
        }
        written = image_write(image, path, field, 1, &levels->count, column);
    }
    return written;
}

static bool read_provenance(const struct image *image, struct provenance *out, struct err *err)
{
    if (!image_has(image, "/provenance")) {
        return err_set(err, ERR_USAGE, "group '/provenance' is missing");
    }
    for (int i = 0; i < PROVENANCE_COUNT; i++) {
        if (!image_read_attribute(image, "/provenance", &PROVENANCE_FIELDS[i],
                                  (char *)out + PROVENANCE_FIELDS[i].offset, err)) {
            return false;
        }
    }
    if (out->games < 0 || out->positions < 0 || out->scale < 0) {
        return err_set(err, ERR_USAGE, "/provenance: games, positions or scale are negative");
    }
    return true;
}

static bool write_provenance(struct image *image, const struct provenance *provenance)
{
    bool written = image_add_group(image, "/provenance");
    for (int i = 0; written && i < PROVENANCE_COUNT; i++) {
        written = image_write_attribute(image, "/provenance", &PROVENANCE_FIELDS[i],
                                        (const char *)provenance + PROVENANCE_FIELDS[i].offset);
    }
    return written;
}

static bool read_image(const struct image *image, const struct variant *variant,
                       struct artefact *out, struct err *err)
{
    *out = (struct artefact){.variant = variant};
    return read_heading(image, variant, err) &&
           weights_image_read(image, variant, &out->weights, err) &&
           read_levels(image, &out->levels, err) && read_provenance(image, &out->provenance, err);
}

bool artefact_read_bytes(char *bytes, size_t size, const struct variant *variant,
                         struct artefact *out, struct err *err)
{
    static const char SIGNATURE[] = "\x89HDF\r\n\x1a\n";
    struct artefact found;
    if (size < strlen(SIGNATURE) || memcmp(bytes, SIGNATURE, strlen(SIGNATURE)) != 0) {
        return err_set(err, ERR_USAGE, "is not an HDF5 file");
    }
    struct image *image = image_open(bytes, size);
    if (image == NULL) {
        return err_set(err, ERR_USAGE, "is a damaged HDF5 file");
    }
    bool read = read_image(image, variant, &found, err);
    image_close(image);
    if (read) {
        *out = found;
    } else {
        weights_fini(&found.weights);
    }
    return read;
}

bool artefact_path(char out[FILE_PATH], const char *directory, const struct variant *variant,
                   struct err *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s.h5", variant->rules->name);
    return file_join(out, directory, name, err);
}

bool artefact_read(const char *path, const struct variant *variant, struct artefact *out,
                   struct err *err)
{
    size_t size = 0;
    char *bytes = file_read(path, ARTEFACT_BYTES, &size, err);
    if (bytes == NULL) {
        return false;
    }
    bool read = artefact_read_bytes(bytes, size, variant, out, err);
    free(bytes);
    return read || err_prefix(err, "%s", path);
}

static bool write_image(struct image *image, const struct artefact *artefact)
{
    const struct rules *rules = artefact->variant->rules;
    int format = artefact->weights.patterns != NULL ? FORMAT : FORMAT_PLAIN;
    char name[IMAGE_TEXT_MAX];
    snprintf(name, sizeof name, "%s", rules->name);
    return image_write_attribute(image, "/", &FORMAT_FIELD, &format) &&
           image_write_attribute(image, "/", &RULES_FIELD, name) &&
           weights_image_write(image, artefact->variant, &artefact->weights) &&
           write_levels(image, &artefact->levels) && write_provenance(image, &artefact->provenance);
}

bool artefact_write(const char *path, const struct artefact *artefact, struct err *err)
{
    assert(artefact->levels.count == 0 || artefact->levels.count == LEVELS_MAX);
    size_t size = 0;
    struct image *image = image_create();
    void *bytes = image != NULL && write_image(image, artefact) ? image_bytes(image, &size) : NULL;
    image_close(image);
    if (bytes == NULL) {
        return err_set(err, ERR_FAILED, "%s: cannot build the HDF5 file in memory", path);
    }
    bool replaced = file_replace(path, bytes, size, err);
    free(bytes);
    return replaced;
}

void artefact_builtin(const struct variant *variant, struct artefact *out)
{
    *out = (struct artefact){.variant = variant};
    weights_builtin(variant->rules, &out->weights);
}
