/* Games replayed into rows, rows cut into shards at the borders of games. */
#include "selfplay/sharding.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selfplay/record.h"
#include "selfplay/run.h"

static int8_t result_of(enum outcome outcome)
{
    return (int8_t)((outcome == OUTCOME_WHITE_WINS) - (outcome == OUTCOME_BLACK_WINS));
}

static bool reserve(struct shard_row **rows, size_t needed, size_t *capacity)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t wider = needed + *capacity / 2 + 1024;
    struct shard_row *grown = realloc(*rows, wider * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    *rows = grown;
    *capacity = wider;
    return true;
}

bool sharding_rows(const struct record *record, const struct variant *variant,
                   struct shard_row **rows, size_t *count, size_t *capacity, struct err *err)
{
    const struct rules *rules = variant->rules;
    if (!reserve(rows, *count + (size_t)record->plies, capacity)) {
        return err_set(err, ERR_FAILED, "out of memory for %zu positions", *count);
    }
    struct position position = record->start;
    for (int ply = 0; ply < record->plies; ply++) {
        const struct move *move = &record->ply[ply].move;
        if (ply >= record->opening_plies) {
            int squares = bit_to_square(rules, move->from) * 256 + bit_to_square(rules, move->to);
            (*rows)[(*count)++] = (struct shard_row){.position = position,
                                                     .game = record->number,
                                                     .ply = (uint16_t)ply,
                                                     .best_move = (uint16_t)squares,
                                                     .score = record->ply[ply].score,
                                                     .result = result_of(record->outcome)};
        }
        position = position_after(rules, &position, move);
    }
    return true;
}

/* The work: where the games come from, the shard being filled, what has come out so far. */
struct sharding {
    const struct games *games;
    const struct variant *variant;
    const struct shard_info *info;
    const struct sharding_watch *watch;
    int64_t rows_max;
    struct shard_row *rows; /* of the shard being filled */
    size_t count, capacity;
    struct shard_entry entry; /* of that shard */
    struct sharding_result *result;
};

static uint64_t hash_rows(uint64_t hash, const struct rules *rules, const struct shard_row *rows,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct shard_flat flat = shard_flatten(rules, &rows[i]);
        hash = shard_hash(hash, &flat, 1);
    }
    return hash;
}

/* Name and path of the stage's shard number `index`. */
static bool name_shard(const struct sharding *work, int64_t index, char name[SHARD_NAME],
                       char path[FILE_PATH], struct err *err)
{
    snprintf(name, SHARD_NAME, "%s-%04lld.h5", work->games->name, (long long)index);
    return run_shard_path(path, work->games->directory, name, err);
}

/* Whether the shard's file is there, readable, and holds exactly these rows. */
static bool stands(const struct sharding *work, const char *path)
{
    struct shard_info found;
    struct shard_row *rows;
    if (!file_exists(path) || !shard_read(path, work->variant, &found, &rows, NULL)) {
        return false;
    }
    free(rows);
    return found.hash == work->entry.info.hash && found.rows == work->entry.info.rows &&
           found.generation == work->info->generation && found.seed == work->info->seed &&
           found.weights_id == work->info->weights_id &&
           found.opening_plies == work->info->opening_plies;
}

/* Makes sure of the shard's file, tells the watcher, and begins the next shard. */
static bool end_shard(struct sharding *work, struct err *err)
{
    char path[FILE_PATH];
    struct sharding_result *result = work->result;
    if (work->count == 0) {
        return true;
    }
    if (!name_shard(work, result->shards, work->entry.name, path, err)) {
        return false;
    }
    work->entry.info = *work->info;
    work->entry.info.rows = (int64_t)work->count;
    work->entry.info.hash = hash_rows(0, work->variant->rules, work->rows, work->count);
    if (!stands(work, path) &&
        !shard_write(path, work->variant, work->info, work->rows, work->count, err)) {
        return false;
    }
    if (work->watch != NULL && work->watch->shard != NULL &&
        !work->watch->shard(work->watch->context, &work->entry, err)) {
        return false;
    }
    result->hash = hash_rows(result->hash, work->variant->rules, work->rows, work->count);
    result->positions += (int64_t)work->count;
    result->shards++;
    work->entry = (struct shard_entry){0};
    work->count = 0;
    return true;
}

static bool add_game(struct sharding *work, const struct games_entry *entry, struct err *err)
{
    struct record record;
    struct sharding_result *result = work->result;
    if (!record_decode(entry->data, entry->size, work->variant, &record, err)) {
        return err_prefix(err, "%s/games/%s.records", work->games->directory, work->games->name);
    }
    size_t more = (size_t)(record.plies - record.opening_plies);
    bool shards = work->rows_max > 0;
    bool ok = !shards || work->count + more <= (size_t)work->rows_max || end_shard(work, err);
    if (ok && work->entry.games++ == 0) {
        work->entry.first_game = record.number;
    }
    ok = ok && (!shards || sharding_rows(&record, work->variant, &work->rows, &work->count,
                                         &work->capacity, err));
    result->positions += shards ? 0 : (int64_t)more;
    result->games++;
    result->plies += (int64_t)more;
    result->white_wins += record.outcome == OUTCOME_WHITE_WINS;
    result->black_wins += record.outcome == OUTCOME_BLACK_WINS;
    result->draws += record.outcome == OUTCOME_DRAW;
    record_fini(&record);
    return ok;
}

/* Shards behind the last one are left from another cut of the games. */
static bool remove_surplus(const struct sharding *work, struct err *err)
{
    char name[SHARD_NAME], path[FILE_PATH];
    for (int64_t index = work->result->shards;; index++) {
        if (!name_shard(work, index, name, path, err)) {
            return false;
        }
        if (unlink(path) == 0) {
            continue;
        }
        return errno == ENOENT ||
               err_set(err, ERR_FAILED, "%s: cannot remove it: %s", path, strerror(errno));
    }
}

bool sharding_run(const struct games *games, const struct variant *variant,
                  const struct shard_info *info, int64_t rows_max,
                  const struct sharding_watch *watch, struct stop *stop, struct progress *progress,
                  struct sharding_result *result, bool *stopped, struct err *err)
{
    assert(rows_max >= 0);
    *result = (struct sharding_result){0};
    struct sharding work = {.games = games,
                            .variant = variant,
                            .info = info,
                            .watch = watch,
                            .rows_max = rows_max,
                            .result = result};
    bool ok = true;
    *stopped = false;
    for (int64_t i = 0; ok && !*stopped && i < games->count; i++) {
        ok = add_game(&work, &games->entry[i], err);
        *stopped = stop != NULL && stop_requested(stop);
        if (progress != NULL) {
            progress_update(progress, i + 1);
        }
    }
    if (ok && !*stopped) {
        ok = end_shard(&work, err) && remove_surplus(&work, err);
    }
    free(work.rows);
    return ok;
}
