/* HDF5 with its core driver. An HDF5 call that is given an invalid object fails in its turn, so
 * each function makes its calls in a row and looks at the last; what is closed without having been
 * opened does no harm. */
#include "engine/artefact/image.h"

#include <assert.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEP = 64 << 10, /* bytes by which a file in memory grows */
    RANK_MAX = 2,
    COMPACT_MAX = 32 << 10, /* bytes of a dataset that lies in its header */
    CHUNK = 1 << 16,        /* numbers in a chunk of a larger one */
    DEFLATE_LEVEL = 9,
};

/* HDF5 looks for a file of this name although the file is in memory; there cannot be one. */
static const char NAME[] = "/dev/null/image";

struct image {
    hid_t file, access;
};

/* A fresh HDF5 type of the field, in memory or as stored. Negative when memory is out. */
static hid_t field_type(const struct image_field *field, bool stored)
{
    switch (field->kind) {
    case IMAGE_INT:
        return H5Tcopy(stored ? H5T_STD_I32LE : H5T_NATIVE_INT);
    case IMAGE_INT16:
        return H5Tcopy(stored ? H5T_STD_I16LE : H5T_NATIVE_INT16);
    case IMAGE_INT64:
        return H5Tcopy(stored ? H5T_STD_I64LE : H5T_NATIVE_INT64);
    case IMAGE_UINT64:
        return H5Tcopy(stored ? H5T_STD_U64LE : H5T_NATIVE_UINT64);
    case IMAGE_REAL:
        return H5Tcopy(stored ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case IMAGE_TEXT:
        break;
    }
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, field->size) < 0) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

/* Whether what is stored as `type` is of the field's kind and not too long. */
static bool type_fits(hid_t type, const struct image_field *field)
{
    H5T_class_t class = H5Tget_class(type);
    if (field->kind == IMAGE_TEXT) {
        return class == H5T_STRING && H5Tis_variable_str(type) == 0 &&
               H5Tget_size(type) <= field->size;
    }
    return class == (field->kind == IMAGE_REAL ? H5T_FLOAT : H5T_INTEGER);
}

static bool text_is_clean(const char *text, size_t size)
{
    size_t length = 0;
    while (length < size && text[length] >= ' ' && text[length] <= '~') {
        length++;
    }
    return length < size && text[length] == '\0';
}

static bool value_is_clean(const struct image_field *field, const void *value)
{
    double real;
    if (field->kind == IMAGE_TEXT) {
        return text_is_clean(value, field->size);
    }
    if (field->kind != IMAGE_REAL) {
        return true;
    }
    memcpy(&real, value, sizeof real);
    return isfinite(real);
}

static struct image *open_file(void *bytes, size_t size)
{
    struct image *image = malloc(sizeof *image);
    if (image == NULL) {
        return NULL;
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    image->access = H5Pcreate(H5P_FILE_ACCESS);
    bool prepared = H5Pset_obj_track_times(creation, false) >= 0 &&
                    H5Pset_fapl_core(image->access, STEP, false) >= 0 &&
                    H5Pset_fclose_degree(image->access, H5F_CLOSE_STRONG) >= 0 &&
                    H5Pset_libver_bounds(image->access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
                    (bytes == NULL || H5Pset_file_image(image->access, bytes, size) >= 0);
    image->file = H5I_INVALID_HID;
    if (prepared) {
        image->file = bytes != NULL ? H5Fopen(NAME, H5F_ACC_RDONLY, image->access)
                                    : H5Fcreate(NAME, H5F_ACC_TRUNC, creation, image->access);
    }
    H5Pclose(creation);
    if (image->file >= 0) {
        return image;
    }
    image_close(image);
    return NULL;
}

struct image *image_open(void *bytes, size_t size)
{
    return open_file(bytes, size);
}

struct image *image_create(void)
{
    return open_file(NULL, 0);
}

void image_close(struct image *image)
{
    if (image == NULL) {
        return;
    }
    if (image->file >= 0) {
        H5Fclose(image->file);
    }
    H5Pclose(image->access);
    free(image);
}

/* The bytes are taken from the driver's own buffer: the copy that H5Fget_file_image of HDF5 1.10
 * makes has a flag cleared in the superblock without the checksum over it being renewed. */
void *image_bytes(struct image *image, size_t *size)
{
    void **buffer = NULL;
    hsize_t room = 0;
    if (H5Fflush(image->file, H5F_SCOPE_GLOBAL) < 0) {
        return NULL;
    }
    ssize_t length = H5Fget_file_image(image->file, NULL, 0);
    if (length <= 0 || H5Fget_filesize(image->file, &room) < 0 || room < (hsize_t)length ||
        H5Fget_vfd_handle(image->file, image->access, (void **)&buffer) < 0) {
        return NULL;
    }
    void *bytes = malloc((size_t)length);
    if (bytes != NULL) {
        memcpy(bytes, *buffer, (size_t)length);
    }
    *size = (size_t)length;
    return bytes;
}

void image_path(char out[IMAGE_PATH], const char *group, const char *name)
{
    int length = snprintf(out, IMAGE_PATH, "%s/%s", group, name);
    assert(length < IMAGE_PATH);
    (void)length;
}

bool image_has(const struct image *image, const char *path)
{
    return H5Lexists(image->file, path, H5P_DEFAULT) > 0;
}

bool image_add_group(struct image *image, const char *path)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = H5Pset_obj_track_times(creation, false) >= 0
                      ? H5Gcreate2(image->file, path, H5P_DEFAULT, creation, H5P_DEFAULT)
                      : H5I_INVALID_HID;
    H5Pclose(creation);
    return H5Gclose(group) >= 0;
}

bool image_read_attribute(const struct image *image, const char *path,
                          const struct image_field *field, void *member, struct err *err)
{
    if (H5Aexists_by_name(image->file, path, field->name, H5P_DEFAULT) <= 0) {
        return err_set(err, ERR_USAGE, "attribute '%s' of '%s' is missing", field->name, path);
    }
    hid_t attribute = H5Aopen_by_name(image->file, path, field->name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    hid_t type = field_type(field, false);
    bool read = H5Sget_simple_extent_npoints(space) == 1 && type_fits(stored, field) &&
                H5Aread(attribute, type, member) >= 0 && value_is_clean(field, member);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
    return read || err_set(err, ERR_USAGE, "attribute '%s' of '%s' is damaged or of another type",
                           field->name, path);
}

bool image_write_attribute(struct image *image, const char *path, const struct image_field *field,
                           const void *member)
{
    char value[IMAGE_TEXT_MAX];
    image_copy_member(field, value, member);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t stored = field_type(field, true), type = field_type(field, false);
    hid_t attribute = H5Acreate_by_name(image->file, path, field->name, stored, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    bool written = H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    return written;
}

int64_t image_rows(const struct image *image, const char *path)
{
    hid_t dataset = H5Dopen2(image->file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    int64_t rows =
        H5Sget_simple_extent_ndims(space) == 1 ? H5Sget_simple_extent_npoints(space) : -1;
    H5Sclose(space);
    H5Dclose(dataset);
    return rows;
}

static bool has_dimensions(hid_t space, int rank, const int *dims)
{
    hsize_t found[RANK_MAX];
    if (H5Sget_simple_extent_ndims(space) != rank ||
        H5Sget_simple_extent_dims(space, found, NULL) != rank) {
        return false;
    }
    for (int i = 0; i < rank; i++) {
        if (found[i] != (hsize_t)dims[i]) {
            return false;
        }
    }
    return true;
}

bool image_read(const struct image *image, const char *path, const struct image_field *field,
                int rank, const int *dims, void *values)
{
    hid_t dataset = H5Dopen2(image->file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), stored = H5Dget_type(dataset);
    hid_t type = field_type(field, false);
    bool read = has_dimensions(space, rank, dims) && type_fits(stored, field) &&
                H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(dataset);
    return read;
}

/* How a dataset is stored: in its header, or compressed in chunks of its rows. */
static bool set_layout(hid_t creation, const struct image_field *field, int rank,
                       const hsize_t *extent)
{
    hsize_t chunk[RANK_MAX] = {1, 1}, count = 1;
    for (int i = 0; i < rank; i++) {
        count *= extent[i];
    }
    if (count * field->size <= COMPACT_MAX) {
        return H5Pset_layout(creation, H5D_COMPACT) >= 0;
    }
    chunk[rank - 1] = extent[rank - 1] < CHUNK ? extent[rank - 1] : CHUNK;
    return H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
           H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(creation) >= 0;
}

bool image_write(struct image *image, const char *path, const struct image_field *field, int rank,
                 const int *dims, const void *values)
{
    hsize_t extent[RANK_MAX] = {0};
    for (int i = 0; i < rank; i++) {
        extent[i] = (hsize_t)dims[i];
    }
    hid_t stored = field_type(field, true), type = field_type(field, false);
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    bool prepared =
        set_layout(creation, field, rank, extent) && H5Pset_obj_track_times(creation, false) >= 0;
    hid_t dataset =
        H5Dcreate2(image->file, path, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool written = prepared && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(stored);
    return written;
}

void image_copy_member(const struct image_field *field, void *to, const void *from)
{
    if (field->kind == IMAGE_TEXT) {
        strncpy(to, from, field->size);
        ((char *)to)[field->size - 1] = '\0';
    } else {
        memcpy(to, from, field->size);
    }
}
