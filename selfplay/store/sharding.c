/* The games of a cut replayed into rows. What a shard is made of can be told from the records
 * themselves, so one that stands is known without replaying its games. */
#include "selfplay/store/sharding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selfplay/game/hash.h"
#include "selfplay/store/run.h"

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

/* Name and path of the stage's shard number `index`. */
static bool name_shard(const struct sharding_settings *settings, int64_t index,
                       char name[SHARD_NAME], char path[FILE_PATH], struct err *err)
{
    snprintf(name, SHARD_NAME, "%s-%04lld.h5", settings->name, (long long)index);
    return run_shard_path(path, settings->directory, name, err);
}

/* Describes the shard from the records but for the hash of its rows. */
static bool describe(const struct sharding_settings *settings, const struct shard_cut *cut,
                     struct journal_map map, const char *records, struct shard_entry *entry,
                     struct err *err)
{
    const uint8_t *data;
    size_t size;
    int64_t at = cut->begin;
    entry->info = settings->info;
    entry->info.rows = 0;
    while ((data = journal_next(&map, &size)) != NULL &&
           (int64_t)map.next - at == JOURNAL_FRAME + (int64_t)size) {
        if (entry->games++ == 0) {
            entry->first_game = record_number(data, size);
        }
        entry->info.rows += record_choices(data, size);
        entry->info.records = hash_mix(entry->info.records, hash_bytes(HASH_START, data, size));
        at = (int64_t)map.next;
    }
    return (at == cut->end && entry->games == cut->games) ||
           err_set(
               err, ERR_FAILED,
               "%s: game %lld behind byte %lld is not whole; does every node see the same files?",
               records, (long long)entry->games, (long long)at);
}

/* Whether the file is the shard that is described, undamaged; then info->hash is filled in. */
static bool stands(const struct sharding_settings *settings, const char *path,
                   struct shard_info *info)
{
    struct shard_info found;
    struct shard *shard = shard_open(path, settings->variant, &found, NULL);
    bool ok = shard != NULL && found.records == info->records && found.rows == info->rows &&
              found.generation == info->generation && found.seed == info->seed &&
              found.weights_id == info->weights_id && found.opening_plies == info->opening_plies &&
              shard_verify(shard, NULL);
    shard_close(shard);
    info->hash = ok ? found.hash : 0;
    return ok;
}

/* A shard being made. */
struct making {
    const struct sharding_settings *settings;
    struct shard_writer *writer;
    struct shard_row *rows; /* of the game being taken */
    size_t capacity;
};

/* Replays a game, checking it, and appends its rows. */
static bool add_game(struct making *making, const uint8_t *data, size_t size, const char *records,
                     struct err *err)
{
    const struct variant *variant = making->settings->variant;
    struct record record;
    size_t count = 0;
    if (!record_decode(data, size, variant, &record, err)) {
        return err_prefix(err, "%s", records);
    }
    bool ok = sharding_rows(&record, variant, &making->rows, &count, &making->capacity, err) &&
              shard_append(making->writer, making->rows, count, err);
    record_fini(&record);
    return ok;
}

/* Makes the shard that is described. */
static bool make(const struct sharding_settings *settings, struct journal_map map,
                 const char *records, const char *path, const struct play_watch *watch,
                 struct shard_info *info, bool *given_up, struct err *err)
{
    struct making making = {.settings = settings,
                            .writer = shard_create(path, settings->variant, err)};
    const uint8_t *data;
    size_t size;
    bool ok = making.writer != NULL;
    while (ok && !*given_up && (data = journal_next(&map, &size)) != NULL) {
        ok = add_game(&making, data, size, records, err);
        *given_up = !play_goes_on(watch);
    }
    ok = ok && (*given_up || shard_finish(making.writer, info, err));
    shard_destroy(making.writer);
    free(making.rows);
    return ok;
}

bool sharding_make(const struct sharding_settings *settings, const struct shard_cut *cut,
                   const struct play_watch *watch, struct shard_entry *entry, bool *given_up,
                   struct err *err)
{
    char records[FILE_PATH], path[FILE_PATH];
    struct journal_map map;
    *entry = (struct shard_entry){0};
    *given_up = false;
    if (!games_records_path(records, settings->directory, settings->name, err) ||
        !name_shard(settings, cut->index, entry->name, path, err) ||
        !journal_map_part(&map, records, cut->begin, cut->end, err)) {
        return false;
    }
    bool ok = describe(settings, cut, map, records, entry, err);
    if (ok && !stands(settings, path, &entry->info)) {
        entry->mended = file_exists(path);
        ok = make(settings, map, records, path, watch, &entry->info, given_up, err);
    }
    journal_unmap(&map);
    return ok;
}

bool sharding_remove_from(const struct sharding_settings *settings, int64_t count, struct err *err)
{
    char name[SHARD_NAME], path[FILE_PATH];
    for (int64_t index = count;; index++) {
        if (!name_shard(settings, index, name, path, err)) {
            return false;
        }
        if (unlink(path) == 0) {
            continue;
        }
        return errno == ENOENT ||
               err_set(err, ERR_FAILED, "%s: cannot remove it: %s", path, strerror(errno));
    }
}
