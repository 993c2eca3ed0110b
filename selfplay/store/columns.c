/* Files of columns in HDF5: a table of columns says what of a row goes where; writing and reading
 * are loops over the table, a chunk at a time. */
#include "selfplay/store/columns.h"

#include <assert.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"

enum { DEFLATE = 1, COLUMNS_MAX = 16 };
enum { STEP = 1 << 20 }; /* bytes by which a file in memory grows */

/* HDF5 looks for a file of this name although the file is in memory; there cannot be one. */
static const char NAME[] = "/dev/null/columns";

static const char IN_MEMORY[] = "cannot make it in memory";

struct columns {
    char path[FILE_PATH];
    char reason[COLUMNS_TEXT]; /* the first thing that HDF5 said against the file */
    const struct column_table *table;
    hid_t access, file;
    hid_t set[COLUMNS_MAX]; /* invalid: not open */
    int64_t rows;           /* written, or there to be read */
    uint8_t *buffer;        /* [COLUMNS_CHUNK] values of one column */
};

/* The type of a number in the file or, with `memory`, in this machine. */
static hid_t type_of(const struct column *column, bool memory)
{
    switch (column->bytes) {
    case 1:
        return column->is_signed ? H5T_STD_I8LE : H5T_STD_U8LE;
    case 2:
        return memory              ? column->is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16
               : column->is_signed ? H5T_STD_I16LE
                                   : H5T_STD_U16LE;
    case 4:
        return memory              ? column->is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32
               : column->is_signed ? H5T_STD_I32LE
                                   : H5T_STD_U32LE;
    default:
        return memory              ? column->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64
               : column->is_signed ? H5T_STD_I64LE
                                   : H5T_STD_U64LE;
    }
}

static herr_t keep_innermost(unsigned depth, const H5E_error2_t *error, void *reason)
{
    if (depth == 0 && error->desc != NULL) {
        snprintf(reason, COLUMNS_TEXT, "%s", error->desc);
    }
    return 0;
}

/* HDF5 calls this whenever a call fails, before the next call forgets the reason. */
static herr_t keep_reason(hid_t stack, void *columns)
{
    char *reason = ((struct columns *)columns)->reason;
    return reason[0] != '\0' ? 0 : H5Ewalk2(stack, H5E_WALK_UPWARD, keep_innermost, reason);
}

/* Takes HDF5's failures, which it would print by itself, until `watch_nothing`. */
static void watch(struct columns *columns)
{
    H5Eset_auto2(H5E_DEFAULT, keep_reason, columns);
}

static bool watch_nothing(bool ok)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return ok;
}

bool columns_refuse(const struct columns *columns, enum err_code code, const char *what,
                    struct err *err)
{
    const char *reason = columns->reason;
    bool locked = strstr(reason, "lock file") != NULL;
    return err_set(err, code, "%s: %s%s%s%s", columns->path, what, reason[0] == '\0' ? "" : ": ",
                   reason,
                   locked ? " (another program has it open, or the file system knows no locks: "
                            "then set HDF5_USE_FILE_LOCKING=FALSE)"
                          : "");
}

/* An attribute, one number or one text, of an open file or dataset. */
static bool put_attribute(hid_t place, const char *name, hid_t stored, hid_t memory,
                          const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(place, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return ok;
}

static bool put_text(hid_t place, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok =
        H5Tset_size(type, strlen(text) + 1) >= 0 && put_attribute(place, name, type, type, text);
    H5Tclose(type);
    return ok;
}

static bool get_attribute(hid_t place, const char *name, hid_t memory, void *value)
{
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    if (attribute < 0) {
        return false;
    }
    hid_t space = H5Aget_space(attribute);
    bool ok = H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, memory, value) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return ok;
}

bool columns_put_numbers(struct columns *columns, const struct column *number, size_t count,
                         const void *from, struct err *err)
{
    bool ok = true;
    watch(columns);
    for (size_t i = 0; ok && i < count; i++) {
        ok = put_attribute(columns->file, number[i].name, type_of(&number[i], false),
                           type_of(&number[i], true), (const char *)from + number[i].offset);
    }
    return watch_nothing(ok) || columns_refuse(columns, ERR_FAILED, IN_MEMORY, err);
}

bool columns_put_text(struct columns *columns, const char *name, const char *text, struct err *err)
{
    watch(columns);
    bool ok = put_text(columns->file, name, text);
    return watch_nothing(ok) || columns_refuse(columns, ERR_FAILED, IN_MEMORY, err);
}

bool columns_get_number(struct columns *columns, const struct column *number, void *to)
{
    watch(columns);
    bool ok = get_attribute(columns->file, number->name, type_of(number, true),
                            (char *)to + number->offset);
    return watch_nothing(ok);
}

bool columns_get_text(struct columns *columns, const char *name, char out[COLUMNS_TEXT])
{
    watch(columns);
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = H5Tset_size(type, COLUMNS_TEXT) >= 0 && get_attribute(columns->file, name, type, out);
    H5Tclose(type);
    watch_nothing(ok);
    out[COLUMNS_TEXT - 1] = '\0';
    return ok;
}

/* How every column is stored. */
static hid_t column_properties(void)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Pset_chunk(properties, 1, &(hsize_t){COLUMNS_CHUNK}) < 0 ||
        H5Pset_shuffle(properties) < 0 || H5Pset_deflate(properties, DEFLATE) < 0 ||
        H5Pset_fletcher32(properties) < 0 || H5Pset_obj_track_times(properties, false) < 0) {
        H5Pclose(properties);
        return H5I_INVALID_HID;
    }
    return properties;
}

/* With headers that carry checksums, and without times, so that equal rows make equal files. */
static hid_t create_file(hid_t access)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, STEP, false) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0) {
        file = H5Fcreate(NAME, H5F_ACC_TRUNC, creation, access);
    }
    H5Pclose(creation);
    return file;
}

/* Makes the datasets, of no rows yet. */
static bool create_sets(struct columns *columns)
{
    hid_t properties = column_properties();
    hid_t space = H5Screate_simple(1, &(hsize_t){0}, &(hsize_t){H5S_UNLIMITED});
    bool ok = columns->file >= 0 && properties >= 0 && space >= 0;
    for (size_t i = 0; ok && i < columns->table->count; i++) {
        const struct column *column = &columns->table->column[i];
        hid_t set = columns->set[i] =
            H5Dcreate2(columns->file, column->name, type_of(column, false), space, H5P_DEFAULT,
                       properties, H5P_DEFAULT);
        ok = set >= 0 && put_text(set, "unit", column->unit) &&
             put_text(set, "encoding", column->encoding);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (properties >= 0) {
        H5Pclose(properties);
    }
    return ok;
}

/* An open file but for HDF5's part of it; NULL when memory is out. */
static struct columns *allocate(const char *path, const struct column_table *table, struct err *err)
{
    assert(table->count <= COLUMNS_MAX);
    struct columns *columns = calloc(1, sizeof *columns);
    if (columns != NULL) {
        snprintf(columns->path, sizeof columns->path, "%s", path);
        columns->table = table;
        columns->access = H5Pcreate(H5P_FILE_ACCESS);
        columns->file = H5I_INVALID_HID;
        for (size_t i = 0; i < COLUMNS_MAX; i++) {
            columns->set[i] = H5I_INVALID_HID;
        }
        columns->buffer = calloc(COLUMNS_CHUNK, 8); /* bytes of the widest number */
    }
    if (columns == NULL || columns->buffer == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        columns_close(columns);
        return NULL;
    }
    return columns;
}

struct columns *columns_create(const char *path, const struct column_table *table, struct err *err)
{
    struct columns *columns = allocate(path, table, err);
    if (columns == NULL) {
        return NULL;
    }
    watch(columns);
    columns->file = create_file(columns->access);
    if (!watch_nothing(create_sets(columns))) {
        columns_refuse(columns, ERR_FAILED, IN_MEMORY, err);
        columns_close(columns);
        return NULL;
    }
    return columns;
}

/* Reads or writes the values [first, first + count) of a dataset from or to the buffer. */
static bool move_values(struct columns *columns, size_t index, int64_t first, size_t count,
                        bool writing)
{
    hid_t set = columns->set[index], type = type_of(&columns->table->column[index], true);
    hid_t place = H5Dget_space(set);
    hid_t memory = H5Screate_simple(1, &(hsize_t){count}, NULL);
    bool ok = place >= 0 && memory >= 0 &&
              H5Sselect_hyperslab(place, H5S_SELECT_SET, &(hsize_t){(hsize_t)first}, NULL,
                                  &(hsize_t){count}, NULL) >= 0 &&
              (writing ? H5Dwrite(set, type, memory, place, H5P_DEFAULT, columns->buffer)
                       : H5Dread(set, type, memory, place, H5P_DEFAULT, columns->buffer)) >= 0;
    if (memory >= 0) {
        H5Sclose(memory);
    }
    if (place >= 0) {
        H5Sclose(place);
    }
    return ok;
}

bool columns_append(struct columns *columns, const void *rows, size_t count, struct err *err)
{
    assert(count <= COLUMNS_CHUNK && columns->rows % COLUMNS_CHUNK == 0);
    const size_t row_bytes = columns->table->row_bytes;
    bool ok = true;
    watch(columns);
    for (size_t i = 0; ok && i < columns->table->count; i++) {
        const struct column *column = &columns->table->column[i];
        for (size_t k = 0; k < count; k++) {
            memcpy(columns->buffer + k * column->bytes,
                   (const uint8_t *)rows + k * row_bytes + column->offset, column->bytes);
        }
        ok = H5Dset_extent(columns->set[i], &(hsize_t){(hsize_t)columns->rows + count}) >= 0 &&
             move_values(columns, i, columns->rows, count, true);
    }
    columns->rows += (int64_t)count;
    return watch_nothing(ok) || columns_refuse(columns, ERR_FAILED, IN_MEMORY, err);
}

/* The file's bytes are taken from the driver's own buffer: see image_bytes in
 * engine/artefact/image.c. */
bool columns_store(struct columns *columns, struct err *err)
{
    void **bytes = NULL;
    hsize_t room = 0;
    watch(columns);
    bool ok = H5Fflush(columns->file, H5F_SCOPE_GLOBAL) >= 0;
    ssize_t size = ok ? H5Fget_file_image(columns->file, NULL, 0) : -1;
    ok = size > 0 && H5Fget_filesize(columns->file, &room) >= 0 && room >= (hsize_t)size &&
         H5Fget_vfd_handle(columns->file, columns->access, (void **)&bytes) >= 0;
    return watch_nothing(ok) ? file_replace(columns->path, *bytes, (size_t)size, err)
                             : columns_refuse(columns, ERR_FAILED, IN_MEMORY, err);
}

/* Opens the datasets, which must be of one length. */
static bool open_sets(struct columns *columns, struct err *err)
{
    for (size_t i = 0; i < columns->table->count; i++) {
        const char *name = columns->table->column[i].name;
        hid_t set = columns->set[i] = H5Dopen2(columns->file, name, H5P_DEFAULT);
        hid_t space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
        bool flat = space >= 0 && H5Sget_simple_extent_ndims(space) == 1;
        int64_t rows = flat ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
        if (space >= 0) {
            H5Sclose(space);
        }
        if (set < 0) {
            return columns_refuse(columns, ERR_USAGE, "damaged", err);
        }
        if (rows < 0 || (i > 0 && rows != columns->rows)) {
            return err_set(err, ERR_USAGE, "%s: damaged: column %s is not %lld long", columns->path,
                           name, (long long)columns->rows);
        }
        columns->rows = rows;
    }
    return true;
}

struct columns *columns_open(const char *path, const struct column_table *table, struct err *err)
{
    struct columns *columns = allocate(path, table, err);
    if (columns == NULL) {
        return NULL;
    }
    watch(columns);
    columns->file = H5Fopen(path, H5F_ACC_RDONLY, columns->access);
    bool ok = columns->file >= 0
                  ? open_sets(columns, err)
                  : columns_refuse(columns, ERR_USAGE, "cannot be read as HDF5", err);
    if (!watch_nothing(ok)) {
        columns_close(columns);
        return NULL;
    }
    return columns;
}

int64_t columns_rows(const struct columns *columns)
{
    return columns->rows;
}

bool columns_read(struct columns *columns, int64_t first, size_t count, void *rows, struct err *err)
{
    assert(count <= COLUMNS_CHUNK && first >= 0 && first + (int64_t)count <= columns->rows);
    const size_t row_bytes = columns->table->row_bytes;
    bool ok = true;
    watch(columns);
    for (size_t i = 0; ok && i < columns->table->count; i++) {
        const struct column *column = &columns->table->column[i];
        ok = move_values(columns, i, first, count, false);
        for (size_t k = 0; ok && k < count; k++) {
            memcpy((uint8_t *)rows + k * row_bytes + column->offset,
                   columns->buffer + k * column->bytes, column->bytes);
        }
    }
    return watch_nothing(ok) || columns_refuse(columns, ERR_USAGE, "damaged", err);
}

void columns_close(struct columns *columns)
{
    if (columns == NULL) {
        return;
    }
    watch(columns);
    for (size_t i = 0; i < COLUMNS_MAX; i++) {
        if (columns->set[i] >= 0) {
            H5Dclose(columns->set[i]);
        }
    }
    if (columns->file >= 0) {
        H5Fclose(columns->file);
    }
    watch_nothing(H5Pclose(columns->access) >= 0);
    free(columns->buffer);
    free(columns);
}
