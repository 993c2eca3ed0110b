/* Shards as files of columns: what a row looks like there, what the file says of itself, and the
 * hash by which it verifies itself. */
#include "selfplay/store/shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"
#include "engine/base/version.h"
#include "selfplay/store/columns.h"

enum { FORMAT = 1 };

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
static const struct column_table TABLE = {COLUMNS, sizeof COLUMNS / sizeof *COLUMNS,
                                          sizeof(struct shard_flat)};

/* What the file says of itself in numbers. */
struct header {
    int32_t format;
    struct shard_info info;
};
_Static_assert(sizeof(int) == sizeof(int32_t), "members of shard_info are stored as they are");

static const struct column HEADER[] = {
    {.name = "format", offsetof(struct header, format), 4, true},
    {.name = "generation", offsetof(struct header, info.generation), 4, true},
    {.name = "opening_plies", offsetof(struct header, info.opening_plies), 4, true},
    {.name = "seed", offsetof(struct header, info.seed), 8, false},
    {.name = "weights", offsetof(struct header, info.weights_id), 8, false},
    {.name = "rows", offsetof(struct header, info.rows), 8, true},
    {.name = "hash", offsetof(struct header, info.hash), 8, false},
    {.name = "records", offsetof(struct header, info.records), 8, false},
};
enum { HEADER_COUNT = sizeof HEADER / sizeof *HEADER, RECORDS = HEADER_COUNT - 1 };

struct shard_writer {
    struct columns *columns;
    const struct variant *variant;
    struct shard_flat *flat; /* [COLUMNS_CHUNK], the chunk being filled */
    size_t waiting;          /* rows in it */
    int64_t rows;            /* with these */
    uint64_t hash;
};

struct shard_writer *shard_create(const char *path, const struct variant *variant, struct err *err)
{
    struct shard_writer *writer = malloc(sizeof *writer);
    struct shard_flat *flat = malloc(COLUMNS_CHUNK * sizeof *flat);
    if (writer == NULL || flat == NULL) {
        free(writer);
        free(flat);
        err_set(err, ERR_FAILED, "%s: out of memory", path);
        return NULL;
    }
    *writer = (struct shard_writer){
        .columns = columns_create(path, &TABLE, err), .variant = variant, .flat = flat};
    if (writer->columns == NULL) {
        shard_destroy(writer);
        return NULL;
    }
    return writer;
}

/* Hands on the chunk. */
static bool write_chunk(struct shard_writer *writer, struct err *err)
{
    size_t count = writer->waiting;
    writer->hash = shard_hash(writer->hash, writer->flat, count);
    writer->waiting = 0;
    return count == 0 || columns_append(writer->columns, writer->flat, count, err);
}

bool shard_append(struct shard_writer *writer, const struct shard_row *rows, size_t count,
                  struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        writer->flat[writer->waiting++] = shard_flatten(writer->variant->rules, &rows[i]);
        if (writer->waiting == COLUMNS_CHUNK && !write_chunk(writer, err)) {
            return false;
        }
    }
    writer->rows += (int64_t)count;
    return true;
}

int64_t shard_rows(const struct shard_writer *writer)
{
    return writer->rows;
}

bool shard_finish(struct shard_writer *writer, struct shard_info *info, struct err *err)
{
    if (!write_chunk(writer, err)) {
        return false;
    }
    info->rows = writer->rows;
    info->hash = writer->hash;
    const struct header header = {FORMAT, *info};
    return columns_put_text(writer->columns, "rules", writer->variant->rules->name, err) &&
           columns_put_numbers(writer->columns, HEADER, HEADER_COUNT, &header, err) &&
           columns_put_text(writer->columns, "software", version_line(), err) &&
           columns_store(writer->columns, err);
}

void shard_destroy(struct shard_writer *writer)
{
    if (writer != NULL) {
        columns_close(writer->columns);
        free(writer->flat);
    }
    free(writer);
}

struct shard {
    char path[FILE_PATH];
    struct columns *columns;
    const struct variant *variant;
    struct shard_info info;
    struct shard_flat *flat; /* [COLUMNS_CHUNK] */
};

static bool get_header(struct shard *shard, struct err *err)
{
    struct header header = {0};
    char rules[COLUMNS_TEXT];
    if (!columns_get_number(shard->columns, &HEADER[0], &header)) {
        return err_set(err, ERR_USAGE, "%s: no shard of positions", shard->path);
    }
    if (header.format != FORMAT) {
        return err_set(err, ERR_USAGE, "%s: format %d, this program reads %d", shard->path,
                       header.format, FORMAT);
    }
    bool ok = columns_get_text(shard->columns, "rules", rules);
    for (size_t i = 1; ok && i < HEADER_COUNT; i++) { /* older shards lack the last */
        ok = columns_get_number(shard->columns, &HEADER[i], &header) || i == RECORDS;
    }
    if (!ok || header.info.rows != columns_rows(shard->columns)) {
        return columns_refuse(shard->columns, ERR_USAGE, "damaged header", err);
    }
    shard->info = header.info;
    return strcmp(rules, shard->variant->rules->name) == 0 ||
           err_set(err, ERR_USAGE, "%s: positions of %s, needed are those of %s", shard->path,
                   rules, shard->variant->rules->name);
}

struct shard *shard_open(const char *path, const struct variant *variant, struct shard_info *info,
                         struct err *err)
{
    struct shard *shard = file_exists(path) ? malloc(sizeof *shard) : NULL;
    if (shard == NULL) {
        err_set(err, file_exists(path) ? ERR_FAILED : ERR_USAGE, "%s: %s", path,
                file_exists(path) ? "out of memory" : "no such file");
        return NULL;
    }
    *shard = (struct shard){.variant = variant, .columns = columns_open(path, &TABLE, err)};
    snprintf(shard->path, sizeof shard->path, "%s", path);
    bool ok = shard->columns != NULL && get_header(shard, err);
    if (ok) {
        *info = shard->info;
        shard->flat = malloc(COLUMNS_CHUNK * sizeof *shard->flat);
        ok = shard->flat != NULL || err_set(err, ERR_FAILED, "%s: out of memory", path);
    }
    if (!ok) {
        shard_close(shard);
        return NULL;
    }
    return shard;
}

/* Reads a range; its rows go to `rows` and into *hash, unless these are NULL. */
static bool get_rows(struct shard *shard, int64_t first, int64_t count, struct shard_row *rows,
                     uint64_t *hash, struct err *err)
{
    for (int64_t done = 0; done < count;) {
        int64_t room = COLUMNS_CHUNK - (first + done) % COLUMNS_CHUNK;
        int64_t now = count - done < room ? count - done : room;
        if (!columns_read(shard->columns, first + done, (size_t)now, shard->flat, err)) {
            return false;
        }
        for (int64_t i = 0; rows != NULL && i < now; i++) {
            if (!shard_unflatten(shard->variant->rules, &shard->flat[i], &rows[done + i])) {
                return err_set(err, ERR_USAGE, "%s: damaged: row %" PRId64 " is no position",
                               shard->path, first + done + i);
            }
        }
        if (hash != NULL) {
            *hash = shard_hash(*hash, shard->flat, (size_t)now);
        }
        done += now;
    }
    return true;
}

bool shard_get(struct shard *shard, int64_t first, int64_t count, struct shard_row *rows,
               struct err *err)
{
    return get_rows(shard, first, count, rows, NULL, err);
}

/* Reads all rows, to `rows` unless it is NULL, and compares their hash. */
static bool get_verified(struct shard *shard, struct shard_row *rows, struct err *err)
{
    uint64_t hash = 0;
    return get_rows(shard, 0, shard->info.rows, rows, &hash, err) &&
           (hash == shard->info.hash ||
            err_set(err, ERR_USAGE, "%s: damaged: its rows are not those that were written",
                    shard->path));
}

bool shard_verify(struct shard *shard, struct err *err)
{
    return get_verified(shard, NULL, err);
}

void shard_close(struct shard *shard)
{
    if (shard != NULL) {
        columns_close(shard->columns);
        free(shard->flat);
    }
    free(shard);
}

bool shard_write(const char *path, const struct variant *variant, const struct shard_info *info,
                 const struct shard_row *rows, size_t count, struct err *err)
{
    struct shard_info complete = *info;
    struct shard_writer *writer = shard_create(path, variant, err);
    bool ok = writer != NULL && shard_append(writer, rows, count, err) &&
              shard_finish(writer, &complete, err);
    shard_destroy(writer);
    return ok;
}

bool shard_read(const char *path, const struct variant *variant, struct shard_info *info,
                struct shard_row **rows, struct err *err)
{
    struct shard *shard = shard_open(path, variant, info, err);
    if (shard == NULL) {
        return false;
    }
    *rows = malloc(((size_t)info->rows + 1) * sizeof **rows);
    bool ok = *rows != NULL ||
              err_set(err, ERR_FAILED, "%s: out of memory for %" PRId64 " rows", path, info->rows);
    ok = ok && get_verified(shard, *rows, err);
    if (!ok) {
        free(*rows);
    }
    shard_close(shard);
    return ok;
}
