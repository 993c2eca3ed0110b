/* Shards in HDF5: rows are turned into a flat form, and a table of columns says what of it goes
 * where; writing and reading are loops over the table. */
#include "selfplay/shard.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"
#include "engine/base/version.h"

enum { FORMAT = 1, CHUNK = 65536, DEFLATE = 1, TEXT = 256 };
enum { STEP = 1 << 20 }; /* bytes by which a file in memory grows */

/* HDF5 looks for a file of this name although the file is in memory; there cannot be one. */
static const char NAME[] = "/dev/null/shard";

struct column {
    const char *name;
    size_t offset; /* in struct shard_flat */
    size_t bytes;
    bool is_signed;
    const char *unit, *encoding; /* attributes of the dataset */
};

static const char SET[] = "bit s - 1 is square s";

static const struct column COLUMNS[] = {
    {"white_men", offsetof(struct shard_flat, white_men), 8, false, "squares", SET},
    {"black_men", offsetof(struct shard_flat, black_men), 8, false, "squares", SET},
    {"white_kings", offsetof(struct shard_flat, white_kings), 8, false, "squares", SET},
    {"black_kings", offsetof(struct shard_flat, black_kings), 8, false, "squares", SET},
    {"side", offsetof(struct shard_flat, side), 1, false, "colour to move", "0 White, 1 Black"},
    {"ply", offsetof(struct shard_flat, ply), 2, false, "half-moves", "0 is the start position"},
    {"game", offsetof(struct shard_flat, game), 8, true, "game number", "from 0 in the generation"},
    {"best_move", offsetof(struct shard_flat, best_move), 2, false, "squares",
     "from square * 256 + to square"},
    {"score", offsetof(struct shard_flat, score), 2, true, "hundredths of a man",
     "side to move's view; -32768: none"},
    {"result", offsetof(struct shard_flat, result), 1, true, "of the game",
     "1 White won, 0 drawn, -1 Black won"},
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static hid_t memory_type(const struct column *column)
{
    switch (column->bytes) {
    case 1:
        return column->is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2:
        return column->is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    default:
        return column->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    }
}

static hid_t file_type(const struct column *column)
{
    switch (column->bytes) {
    case 1:
        return column->is_signed ? H5T_STD_I8LE : H5T_STD_U8LE;
    case 2:
        return column->is_signed ? H5T_STD_I16LE : H5T_STD_U16LE;
    default:
        return column->is_signed ? H5T_STD_I64LE : H5T_STD_U64LE;
    }
}

/* A file being written or read, and the first thing that HDF5 said against it. */
struct place {
    const char *path;
    char reason[TEXT];
};

static herr_t keep_innermost(unsigned depth, const H5E_error2_t *error, void *reason)
{
    if (depth == 0 && error->desc != NULL) {
        snprintf(reason, TEXT, "%s", error->desc);
    }
    return 0;
}

/* HDF5 calls this whenever a call fails, before the next call forgets the reason. */
static herr_t keep_reason(hid_t stack, void *place)
{
    char *reason = ((struct place *)place)->reason;
    return reason[0] != '\0' ? 0 : H5Ewalk2(stack, H5E_WALK_UPWARD, keep_innermost, reason);
}

/* Takes and gives back HDF5's failures, which it would print by itself. */
static void watch_failures(struct place *place)
{
    H5Eset_auto2(H5E_DEFAULT, keep_reason, place);
}

static void ignore_failures(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static bool refuse(const struct place *place, enum err_code code, const char *what, struct err *err)
{
    bool locked = strstr(place->reason, "lock file") != NULL;
    return err_set(err, code, "%s: %s%s%s%s", place->path, what,
                   place->reason[0] == '\0' ? "" : ": ", place->reason,
                   locked ? " (another program has it open, or the file system knows no locks: "
                            "then set HDF5_USE_FILE_LOCKING=FALSE)"
                          : "");
}

/* Attributes: one number or one text. `place` is an open file or dataset. */
static bool put_number(hid_t place, const char *name, hid_t stored, hid_t memory, const void *value)
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
    bool ok = H5Tset_size(type, strlen(text) + 1) >= 0 && put_number(place, name, type, type, text);
    H5Tclose(type);
    return ok;
}

static bool get_number(hid_t place, const char *name, hid_t memory, void *value)
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

static bool get_text(hid_t place, const char *name, char out[TEXT])
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = H5Tset_size(type, TEXT) >= 0 && get_number(place, name, type, out);
    H5Tclose(type);
    out[TEXT - 1] = '\0';
    return ok;
}

static bool put_header(hid_t file, const struct variant *variant, const struct shard_info *info)
{
    return put_number(file, "format", H5T_STD_I32LE, H5T_NATIVE_INT, &(int){FORMAT}) &&
           put_text(file, "rules", variant->rules->name) &&
           put_number(file, "generation", H5T_STD_I32LE, H5T_NATIVE_INT, &info->generation) &&
           put_number(file, "opening_plies", H5T_STD_I32LE, H5T_NATIVE_INT, &info->opening_plies) &&
           put_number(file, "seed", H5T_STD_U64LE, H5T_NATIVE_UINT64, &info->seed) &&
           put_number(file, "weights", H5T_STD_U64LE, H5T_NATIVE_UINT64, &info->weights_id) &&
           put_number(file, "rows", H5T_STD_I64LE, H5T_NATIVE_INT64, &info->rows) &&
           put_number(file, "hash", H5T_STD_U64LE, H5T_NATIVE_UINT64, &info->hash) &&
           put_text(file, "software", version_line());
}

/* How every column is stored. */
static hid_t column_properties(void)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Pset_chunk(properties, 1, &(hsize_t){CHUNK}) < 0 || H5Pset_shuffle(properties) < 0 ||
        H5Pset_deflate(properties, DEFLATE) < 0 || H5Pset_fletcher32(properties) < 0 ||
        H5Pset_obj_track_times(properties, false) < 0) {
        H5Pclose(properties);
        return H5I_INVALID_HID;
    }
    return properties;
}

/* `buffer` has room for count values of 8 bytes. */
static bool put_column(hid_t file, hid_t properties, const struct column *column,
                       const struct shard_flat *rows, size_t count, unsigned char *buffer)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(buffer + i * column->bytes, (const char *)&rows[i] + column->offset, column->bytes);
    }
    hid_t space = H5Screate_simple(1, &(hsize_t){count}, &(hsize_t){H5S_UNLIMITED});
    hid_t set = H5Dcreate2(file, column->name, file_type(column), space, H5P_DEFAULT, properties,
                           H5P_DEFAULT);
    bool ok = set >= 0 &&
              H5Dwrite(set, memory_type(column), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) >= 0 &&
              put_text(set, "unit", column->unit) && put_text(set, "encoding", column->encoding);
    if (set >= 0 && H5Dclose(set) < 0) {
        ok = false;
    }
    H5Sclose(space);
    return ok;
}

/* Made in memory: a disk that is full leaves HDF5 1.10 a file that it cannot close, and then it
 * crashes at exit. With headers that carry checksums, and without times, so that equal rows make
 * equal files. */
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

static bool fill_file(hid_t file, const struct variant *variant, const struct shard_info *info,
                      const struct shard_flat *rows, unsigned char *buffer)
{
    hid_t properties = column_properties();
    bool ok = properties >= 0 && put_header(file, variant, info);
    for (size_t i = 0; ok && i < COLUMN_COUNT; i++) {
        ok = put_column(file, properties, &COLUMNS[i], rows, (size_t)info->rows, buffer);
    }
    if (properties >= 0) {
        H5Pclose(properties);
    }
    return ok;
}

/* Stores a file in memory, from the driver's own buffer: see image_bytes in engine/image.c. */
static bool store_file(hid_t file, hid_t access, const struct place *place, struct err *err)
{
    void **bytes = NULL;
    hsize_t room = 0;
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    if (size <= 0 || H5Fget_filesize(file, &room) < 0 || room < (hsize_t)size ||
        H5Fget_vfd_handle(file, access, (void **)&bytes) < 0) {
        return refuse(place, ERR_FAILED, "cannot make it in memory", err);
    }
    return file_replace(place->path, *bytes, (size_t)size, err);
}

static bool write_file(const struct place *place, const struct variant *variant,
                       const struct shard_info *info, const struct shard_flat *rows,
                       unsigned char *buffer, struct err *err)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = create_file(access);
    bool ok = file >= 0 && fill_file(file, variant, info, rows, buffer)
                  ? store_file(file, access, place, err)
                  : refuse(place, ERR_FAILED, "cannot make it in memory", err);
    if (file >= 0) {
        H5Fclose(file);
    }
    H5Pclose(access);
    return ok;
}

bool shard_write(const char *path, const struct variant *variant, const struct shard_info *info,
                 const struct shard_row *rows, size_t count, struct err *err)
{
    struct shard_info complete = *info;
    complete.rows = (int64_t)count;
    complete.hash = shard_hash(0, variant->rules, rows, count);
    struct shard_flat *flat = malloc((count + 1) * sizeof *flat);
    unsigned char *buffer = malloc((count + 1) * 8);
    bool ok = flat != NULL && buffer != NULL;
    if (!ok) {
        err_set(err, ERR_FAILED, "%s: out of memory for %zu rows", path, count);
    }
    for (size_t i = 0; ok && i < count; i++) {
        flat[i] = shard_flatten(variant->rules, &rows[i]);
    }
    if (ok) {
        struct place place = {.path = path};
        watch_failures(&place);
        ok = write_file(&place, variant, &complete, flat, buffer, err);
        ignore_failures();
    }
    free(buffer);
    free(flat);
    return ok;
}

static bool get_header(hid_t file, const struct place *place, const struct variant *variant,
                       struct shard_info *info, struct err *err)
{
    int format = 0;
    char rules[TEXT];
    if (!get_number(file, "format", H5T_NATIVE_INT, &format)) {
        return err_set(err, ERR_USAGE, "%s: no shard of positions", place->path);
    }
    if (format != FORMAT) {
        return err_set(err, ERR_USAGE, "%s: format %d, this program reads %d", place->path, format,
                       FORMAT);
    }
    if (!get_text(file, "rules", rules) ||
        !get_number(file, "generation", H5T_NATIVE_INT, &info->generation) ||
        !get_number(file, "opening_plies", H5T_NATIVE_INT, &info->opening_plies) ||
        !get_number(file, "seed", H5T_NATIVE_UINT64, &info->seed) ||
        !get_number(file, "weights", H5T_NATIVE_UINT64, &info->weights_id) ||
        !get_number(file, "rows", H5T_NATIVE_INT64, &info->rows) ||
        !get_number(file, "hash", H5T_NATIVE_UINT64, &info->hash) || info->rows < 0) {
        return refuse(place, ERR_USAGE, "damaged header", err);
    }
    if (strcmp(rules, variant->rules->name) != 0) {
        return err_set(err, ERR_USAGE, "%s: positions of %s, needed are those of %s", place->path,
                       rules, variant->rules->name);
    }
    return true;
}

static bool get_column(hid_t file, const struct place *place, const struct column *column,
                       struct shard_flat *rows, size_t count, unsigned char *buffer,
                       struct err *err)
{
    hid_t set = H5Dopen2(file, column->name, H5P_DEFAULT);
    hid_t space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count;
    if (set >= 0 && !ok) {
        err_set(err, ERR_USAGE, "%s: damaged: column %s is not %zu long", place->path, column->name,
                count);
    } else if (!ok ||
               H5Dread(set, memory_type(column), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) < 0) {
        ok = refuse(place, ERR_USAGE, "damaged", err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        memcpy((char *)&rows[i] + column->offset, buffer + i * column->bytes, column->bytes);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return ok;
}

/* Reads all columns of an open file into fresh rows. */
static struct shard_row *get_rows(hid_t file, const struct place *place,
                                  const struct variant *variant, size_t count, struct err *err)
{
    struct shard_flat *flat = calloc(count + 1, sizeof *flat);
    unsigned char *buffer = malloc((count + 1) * 8);
    struct shard_row *rows = malloc((count + 1) * sizeof *rows);
    bool ok = flat != NULL && buffer != NULL && rows != NULL;
    if (!ok) {
        err_set(err, ERR_FAILED, "%s: out of memory for %zu rows", place->path, count);
    }
    for (size_t i = 0; ok && i < COLUMN_COUNT; i++) {
        ok = get_column(file, place, &COLUMNS[i], flat, count, buffer, err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        if (!shard_unflatten(variant->rules, &flat[i], &rows[i])) {
            ok = err_set(err, ERR_USAGE, "%s: damaged: row %zu is no position", place->path, i);
        }
    }
    free(flat);
    free(buffer);
    if (ok) {
        return rows;
    }
    free(rows);
    return NULL;
}

static struct shard_row *read_file(const struct place *place, const struct variant *variant,
                                   struct shard_info *info, struct err *err)
{
    struct shard_row *rows = NULL;
    hid_t file = H5Fopen(place->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        refuse(place, ERR_USAGE, "cannot be read as HDF5", err);
        return NULL;
    }
    if (get_header(file, place, variant, info, err)) {
        rows = get_rows(file, place, variant, (size_t)info->rows, err);
    }
    H5Fclose(file);
    if (rows == NULL || shard_hash(0, variant->rules, rows, (size_t)info->rows) == info->hash) {
        return rows;
    }
    free(rows);
    err_set(err, ERR_USAGE, "%s: damaged: its rows are not those that were written", place->path);
    return NULL;
}

bool shard_read(const char *path, const struct variant *variant, struct shard_info *info,
                struct shard_row **rows, struct err *err)
{
    *rows = NULL;
    if (!file_exists(path)) {
        return err_set(err, ERR_USAGE, "%s: no such file", path);
    }
    struct place place = {.path = path};
    watch_failures(&place);
    *rows = read_file(&place, variant, info, err);
    ignore_failures();
    return *rows != NULL;
}
