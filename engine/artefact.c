/* RULES.h5, written and read whole, and HDF5 kept out of everybody else's sight.
 *
 * The file is built and taken apart in memory (HDF5's core driver on an image); the disk is left
 * to engine/base/file.h, so that replacing is atomic and a full disk is an ordinary error. The
 * format of HDF5 1.8 is asked for, whose object headers carry a checksum, and the datasets are
 * small enough to lie within the headers (compact layout): a damaged byte is found rather than
 * played with. No times are recorded: the same artefact makes the same bytes. */
#include "engine/artefact.h"

#include <assert.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"

enum {
    FORMAT = 1,
    FILE_LIMIT = 16 << 20, /* bytes; a real file has some tens of thousands */
    IMAGE_STEP = 64 << 10, /* by which an image in memory grows */
};

static const double ELO_MAX = 10000;

enum kind { KIND_INT, KIND_INT64, KIND_UINT64, KIND_REAL, KIND_TEXT };

/* HDF5 looks for a file of this name although the file is in memory; there cannot be one. */
static const char IMAGE_NAME[] = "/dev/null/artefact";

/* A member of a struct and its name in the file. */
struct field {
    const char *name;
    enum kind kind;
    size_t offset, size; /* of the member, in bytes */
};

static const struct field PROVENANCE_FIELDS[] = {
    {"dataset_hash", KIND_TEXT, offsetof(struct provenance, dataset_hash), PROVENANCE_TEXT},
    {"games", KIND_INT64, offsetof(struct provenance, games), sizeof(int64_t)},
    {"positions", KIND_INT64, offsetof(struct provenance, positions), sizeof(int64_t)},
    {"loss_before", KIND_REAL, offsetof(struct provenance, loss_before), sizeof(double)},
    {"loss_after", KIND_REAL, offsetof(struct provenance, loss_after), sizeof(double)},
    {"scale", KIND_REAL, offsetof(struct provenance, scale), sizeof(double)},
    {"configuration", KIND_TEXT, offsetof(struct provenance, configuration), PROVENANCE_TEXT},
    {"software", KIND_TEXT, offsetof(struct provenance, software), PROVENANCE_TEXT},
    {"date", KIND_TEXT, offsetof(struct provenance, date), PROVENANCE_TEXT},
};

static const struct field LEVEL_FIELDS[] = {
    {"number", KIND_INT, offsetof(struct level, number), sizeof(int)},
    {"name", KIND_TEXT, offsetof(struct level, name), LEVEL_NAME},
    {"nodes", KIND_UINT64, offsetof(struct level, nodes), sizeof(uint64_t)},
    {"depth", KIND_INT, offsetof(struct level, depth), sizeof(int)},
    {"noise", KIND_INT, offsetof(struct level, noise), sizeof(int)},
    {"elo", KIND_REAL, offsetof(struct level, elo), sizeof(double)},
    {"elo_error", KIND_REAL, offsetof(struct level, elo_error), sizeof(double)},
    {"games", KIND_INT64, offsetof(struct level, games), sizeof(int64_t)},
};

enum {
    PROVENANCE_COUNT = sizeof PROVENANCE_FIELDS / sizeof PROVENANCE_FIELDS[0],
    LEVEL_COUNT = sizeof LEVEL_FIELDS / sizeof LEVEL_FIELDS[0],
};

/* A fresh HDF5 type of the field, in memory or as stored. Negative when memory is out. */
static hid_t field_type(const struct field *field, bool stored)
{
    switch (field->kind) {
    case KIND_INT:
        return H5Tcopy(stored ? H5T_STD_I32LE : H5T_NATIVE_INT);
    case KIND_INT64:
        return H5Tcopy(stored ? H5T_STD_I64LE : H5T_NATIVE_INT64);
    case KIND_UINT64:
        return H5Tcopy(stored ? H5T_STD_U64LE : H5T_NATIVE_UINT64);
    case KIND_REAL:
        return H5Tcopy(stored ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case KIND_TEXT:
        break;
    }
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, field->size) < 0) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

/* Whether what is stored as `type` fits the field without loss. */
static bool type_fits(hid_t type, const struct field *field)
{
    H5T_class_t class = H5Tget_class(type);
    switch (field->kind) {
    case KIND_INT:
    case KIND_INT64:
    case KIND_UINT64:
        return class == H5T_INTEGER;
    case KIND_REAL:
        return class == H5T_FLOAT;
    case KIND_TEXT:
        break;
    }
    return class == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= field->size;
}

/* Printable ASCII, ended within the member. */
static bool text_is_clean(const char *text, size_t size)
{
    size_t length = 0;
    while (length < size && text[length] >= ' ' && text[length] <= '~')
        length++;
    return length < size && text[length] == '\0';
}

static bool value_is_clean(const struct field *field, const void *value)
{
    double real;
    if (field->kind == KIND_TEXT)
        return text_is_clean(value, field->size);
    if (field->kind != KIND_REAL)
        return true;
    memcpy(&real, value, sizeof real);
    return isfinite(real);
}

static bool read_attribute(hid_t object, const struct field *field, void *out, struct err *err)
{
    if (H5Aexists(object, field->name) <= 0)
        return err_set(err, ERR_USAGE, "attribute '%s' is missing", field->name);
    hid_t attribute = H5Aopen(object, field->name, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    hid_t type = field_type(field, false);
    bool read = H5Sget_simple_extent_npoints(space) == 1 && type_fits(stored, field) &&
                H5Aread(attribute, type, out) >= 0 && value_is_clean(field, out);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
    return read ||
           err_set(err, ERR_USAGE, "attribute '%s' is damaged or of another type", field->name);
}

/* Copies a member for storing; nothing that stands behind the end of a text goes along. */
static void copy_member(const struct field *field, void *to, const void *from)
{
    if (field->kind == KIND_TEXT) {
        strncpy(to, from, field->size);
        ((char *)to)[field->size - 1] = '\0';
    } else {
        memcpy(to, from, field->size);
    }
}

static bool write_attribute(hid_t object, const struct field *field, const void *member)
{
    char value[PROVENANCE_TEXT];
    copy_member(field, value, member);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t stored = field_type(field, true), type = field_type(field, false);
    hid_t attribute = H5Acreate2(object, field->name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    return written;
}

/* The rows of a 1-D dataset, or -1. */
static int64_t column_rows(hid_t group, const char *name)
{
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    int64_t rows =
        H5Sget_simple_extent_ndims(space) == 1 ? H5Sget_simple_extent_npoints(space) : -1;
    H5Sclose(space);
    H5Dclose(dataset);
    return rows;
}

/* Reads a dataset whose dimensions must be dims[0..rank). */
static bool read_dataset(hid_t group, const struct field *field, int rank, const hsize_t *dims,
                         void *out)
{
    hsize_t found[2] = {0, 0};
    hid_t dataset = H5Dopen2(group, field->name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), stored = H5Dget_type(dataset);
    hid_t type = field_type(field, false);
    bool read = H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, found, NULL) == rank &&
                memcmp(found, dims, (size_t)rank * sizeof *dims) == 0 && type_fits(stored, field) &&
                H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(dataset);
    return read;
}

static bool write_dataset(hid_t group, const char *name, hid_t stored, hid_t type, int rank,
                          const hsize_t *dims, const void *data)
{
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    bool prepared =
        H5Pset_layout(creation, H5D_COMPACT) >= 0 && H5Pset_obj_track_times(creation, false) >= 0;
    hid_t dataset = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool written = prepared && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return written;
}

/* The group, or a negative number with the error. */
static hid_t open_group(hid_t file, const char *name, struct err *err)
{
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) {
        err_set(err, ERR_USAGE, "group '/%s' is missing", name);
        return H5I_INVALID_HID;
    }
    hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    if (group < 0)
        err_set(err, ERR_USAGE, "group '/%s' is damaged", name);
    return group;
}

static hid_t create_group(hid_t file, const char *name)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = H5Pset_obj_track_times(creation, false) >= 0
                      ? H5Gcreate2(file, name, H5P_DEFAULT, creation, H5P_DEFAULT)
                      : H5I_INVALID_HID;
    H5Pclose(creation);
    return group;
}

static const struct field FORMAT_FIELD = {"format", KIND_INT, 0, sizeof(int)};
static const struct field RULES_FIELD = {"rules", KIND_TEXT, 0, PROVENANCE_TEXT};
static const struct field MODEL_FIELD = {"model", KIND_TEXT, 0, LEVEL_MODEL};

static bool read_heading(hid_t file, const struct variant *variant, struct err *err)
{
    int format = 0;
    char rules[PROVENANCE_TEXT];
    if (!read_attribute(file, &FORMAT_FIELD, &format, err))
        return false;
    if (format < 1 || format > FORMAT)
        return err_set(err, ERR_USAGE, "has format %d, this version reads format %d", format,
                       FORMAT);
    if (!read_attribute(file, &RULES_FIELD, rules, err))
        return false;
    if (strcmp(rules, variant->rules->name) != 0)
        return err_set(err, ERR_USAGE, "holds weights for '%s', needed are weights for '%s'", rules,
                       variant->rules->name);
    return true;
}

static bool read_weights(hid_t group, const struct rules *rules, struct weights *out,
                         struct err *err)
{
    for (int i = 0; i < FEATURE_GROUPS; i++) {
        struct feature_range range = feature_range(rules, (enum feature_group)i);
        struct field field = {range.name, KIND_INT, 0, sizeof(int)};
        int values[2 * FEATURES_MAX];
        hsize_t dims[2] = {2, (hsize_t)range.count};
        if (H5Lexists(group, range.name, H5P_DEFAULT) <= 0)
            return err_set(err, ERR_USAGE, "dataset '/weights/%s' is missing", range.name);
        if (!read_dataset(group, &field, 2, dims, values))
            return err_set(err, ERR_USAGE, "dataset '/weights/%s' is damaged or not int16 [2][%d]",
                           range.name, range.count);
        for (int k = 0; k < 2 * range.count; k++)
            if (values[k] < INT16_MIN || values[k] > INT16_MAX)
                return err_set(err, ERR_USAGE, "'/weights/%s' holds %d, which is no int16",
                               range.name, values[k]);
        for (int k = 0; k < range.count; k++) {
            out->opening[range.first + k] = (int16_t)values[k];
            out->ending[range.first + k] = (int16_t)values[range.count + k];
        }
    }
    return true;
}

static bool write_weights(hid_t group, const struct rules *rules, const struct weights *weights)
{
    for (int i = 0; i < FEATURE_GROUPS; i++) {
        struct feature_range range = feature_range(rules, (enum feature_group)i);
        int16_t values[2 * FEATURES_MAX];
        hsize_t dims[2] = {2, (hsize_t)range.count};
        size_t size = (size_t)range.count * sizeof *values;
        memcpy(values, weights->opening + range.first, size);
        memcpy(values + range.count, weights->ending + range.first, size);
        if (!write_dataset(group, range.name, H5T_STD_I16LE, H5T_NATIVE_INT16, 2, dims, values))
            return false;
    }
    return true;
}

static bool check_level(const struct level *level, int number, struct err *err)
{
    if (level->number != number)
        return err_set(err, ERR_USAGE, "level %d stands where level %d belongs", level->number,
                       number);
    if (level->name[0] == '\0' || !text_is_clean(level->name, LEVEL_NAME))
        return err_set(err, ERR_USAGE, "the name of level %d is no text", number);
    if (level->nodes > INT64_MAX)
        return err_set(err, ERR_USAGE, "level %d: nodes out of range", number);
    if (level->depth < 0 || level->depth >= SEARCH_PLIES)
        return err_set(err, ERR_USAGE, "level %d: depth %d is not within 0..%d", number,
                       level->depth, SEARCH_PLIES - 1);
    if (level->noise < 0 || level->noise > SCORE_WON)
        return err_set(err, ERR_USAGE, "level %d: noise %d is not within 0..%d", number,
                       level->noise, SCORE_WON);
    if (!(fabs(level->elo) <= ELO_MAX) || !(level->elo_error >= 0 && level->elo_error <= ELO_MAX))
        return err_set(err, ERR_USAGE, "level %d: elo %g with error %g is out of range", number,
                       level->elo, level->elo_error);
    if (level->games < 0)
        return err_set(err, ERR_USAGE, "level %d: %lld games are none", number,
                       (long long)level->games);
    return true;
}

static bool read_levels(hid_t group, struct level_set *out, struct err *err)
{
    int64_t rows = column_rows(group, LEVEL_FIELDS[0].name);
    if (rows != 0 && rows != LEVELS_MAX)
        return err_set(err, ERR_USAGE, "'/levels/number' is missing or not of length 0 or %d",
                       LEVELS_MAX);
    if (!read_attribute(group, &MODEL_FIELD, out->model, err))
        return err_prefix(err, "/levels");
    out->count = (int)rows;
    hsize_t dims[1] = {(hsize_t)rows};
    for (int i = 0; i < LEVEL_COUNT; i++) {
        const struct field *field = &LEVEL_FIELDS[i];
        char column[LEVELS_MAX * LEVEL_NAME];
        if (!read_dataset(group, field, 1, dims, column))
            return err_set(err, ERR_USAGE, "'/levels/%s' is missing, damaged or not of length %d",
                           field->name, out->count);
        for (int k = 0; k < out->count; k++)
            memcpy((char *)&out->level[k] + field->offset, column + (size_t)k * field->size,
                   field->size);
    }
    for (int k = 0; k < out->count; k++)
        if (!check_level(&out->level[k], k + 1, err))
            return err_prefix(err, "/levels");
    return true;
}

static bool write_levels(hid_t group, const struct level_set *levels)
{
    hsize_t dims[1] = {(hsize_t)levels->count};
    bool written = write_attribute(group, &MODEL_FIELD, levels->model);
    for (int i = 0; written && i < LEVEL_COUNT; i++) {
        const struct field *field = &LEVEL_FIELDS[i];
        char column[LEVELS_MAX * LEVEL_NAME];
        for (int k = 0; k < levels->count; k++)
            copy_member(field, column + (size_t)k * field->size,
                        (const char *)&levels->level[k] + field->offset);
        hid_t stored = field_type(field, true), type = field_type(field, false);
        written = write_dataset(group, field->name, stored, type, 1, dims, column);
        H5Tclose(type);
        H5Tclose(stored);
    }
    return written;
}

static bool read_provenance(hid_t group, struct provenance *out, struct err *err)
{
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        if (!read_attribute(group, &PROVENANCE_FIELDS[i], (char *)out + PROVENANCE_FIELDS[i].offset,
                            err))
            return err_prefix(err, "/provenance");
    if (out->games < 0 || out->positions < 0 || out->scale < 0)
        return err_set(err, ERR_USAGE, "/provenance: games, positions or scale are negative");
    return true;
}

static bool write_provenance(hid_t group, const struct provenance *provenance)
{
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        if (!write_attribute(group, &PROVENANCE_FIELDS[i],
                             (const char *)provenance + PROVENANCE_FIELDS[i].offset))
            return false;
    return true;
}

/* Access in memory, with everything closed when the file is. */
static hid_t memory_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(access, IMAGE_STEP, false) < 0 ||
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

static hid_t open_image(void *image, size_t size)
{
    hid_t access = memory_access();
    hid_t file = H5Pset_file_image(access, image, size) >= 0
                     ? H5Fopen(IMAGE_NAME, H5F_ACC_RDONLY, access)
                     : H5I_INVALID_HID;
    H5Pclose(access);
    return file;
}

static bool read_file(hid_t file, const struct variant *variant, struct artefact *out,
                      struct err *err)
{
    *out = (struct artefact){.variant = variant};
    if (!read_heading(file, variant, err))
        return false;
    hid_t group = open_group(file, "weights", err);
    bool read = group >= 0 && read_weights(group, variant->rules, &out->weights, err);
    H5Gclose(group);
    if (!read)
        return false;
    group = open_group(file, "levels", err);
    read = group >= 0 && read_levels(group, &out->levels, err);
    H5Gclose(group);
    if (!read)
        return false;
    group = open_group(file, "provenance", err);
    read = group >= 0 && read_provenance(group, &out->provenance, err);
    H5Gclose(group);
    return read;
}

bool artefact_read(const char *path, const struct variant *variant, struct artefact *out,
                   struct err *err)
{
    static const char SIGNATURE[] = "\x89HDF\r\n\x1a\n";
    size_t size = 0;
    char *image = file_read(path, FILE_LIMIT, &size, err);
    if (image == NULL)
        return false;
    bool read = false;
    if (size < strlen(SIGNATURE) || memcmp(image, SIGNATURE, strlen(SIGNATURE)) != 0) {
        err_set(err, ERR_USAGE, "is not an HDF5 file");
    } else {
        struct artefact found;
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        hid_t file = open_image(image, size);
        if (file < 0)
            err_set(err, ERR_USAGE, "is a damaged HDF5 file");
        read = file >= 0 && read_file(file, variant, &found, err);
        if (file >= 0)
            H5Fclose(file);
        if (read)
            *out = found;
    }
    free(image);
    return read || err_prefix(err, "%s", path);
}

static bool write_file(hid_t file, const struct artefact *artefact)
{
    const struct rules *rules = artefact->variant->rules;
    int format = FORMAT;
    char name[PROVENANCE_TEXT] = "";
    strncat(name, rules->name, sizeof name - 1);
    hid_t weights = create_group(file, "weights");
    hid_t levels = create_group(file, "levels");
    hid_t provenance = create_group(file, "provenance");
    bool written = write_attribute(file, &FORMAT_FIELD, &format) &&
                   write_attribute(file, &RULES_FIELD, name) &&
                   write_weights(weights, rules, &artefact->weights) &&
                   write_levels(levels, &artefact->levels) &&
                   write_provenance(provenance, &artefact->provenance);
    H5Gclose(provenance);
    H5Gclose(levels);
    H5Gclose(weights);
    return written && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
}

/* A copy of the bytes of a flushed file in memory, to be freed, or NULL. Taken from the driver's
 * own buffer: the copy that H5Fget_file_image of HDF5 1.10 makes has a flag cleared in the
 * superblock without the checksum over it being renewed. */
static void *copy_image(hid_t file, hid_t access, size_t *size)
{
    void **buffer = NULL;
    hsize_t room = 0;
    ssize_t length = H5Fget_file_image(file, NULL, 0);
    if (length <= 0 || H5Fget_filesize(file, &room) < 0 || room < (hsize_t)length ||
        H5Fget_vfd_handle(file, access, (void **)&buffer) < 0)
        return NULL;
    void *image = malloc((size_t)length);
    if (image != NULL)
        memcpy(image, *buffer, (size_t)length);
    *size = (size_t)length;
    return image;
}

/* The finished file's bytes, to be freed; NULL when it could not be built. */
static void *build_image(const struct artefact *artefact, size_t *size)
{
    void *image = NULL;
    hid_t access = memory_access(), creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = H5Pset_obj_track_times(creation, false) >= 0
                     ? H5Fcreate(IMAGE_NAME, H5F_ACC_TRUNC, creation, access)
                     : H5I_INVALID_HID;
    if (file >= 0 && write_file(file, artefact))
        image = copy_image(file, access, size);
    if (file >= 0)
        H5Fclose(file);
    H5Pclose(creation);
    H5Pclose(access);
    return image;
}

bool artefact_write(const char *path, const struct artefact *artefact, struct err *err)
{
    assert(artefact->levels.count == 0 || artefact->levels.count == LEVELS_MAX);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    size_t size = 0;
    void *image = build_image(artefact, &size);
    if (image == NULL)
        return err_set(err, ERR_FAILED, "%s: cannot build the HDF5 file in memory", path);
    bool replaced = file_replace(path, image, size, err);
    free(image);
    return replaced;
}

void artefact_builtin(const struct variant *variant, struct artefact *out)
{
    *out = (struct artefact){.variant = variant};
    weights_builtin(variant->rules, &out->weights);
}
