/* Games replayed into rows, rows cut into shards at the borders of games. Where the cuts are can be
 * told from the records' heads, so a shard that stands is found without replaying its games. */
#include "selfplay/sharding.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selfplay/hash.h"
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

struct sharding {
    struct sharding_settings settings;
    struct shard_writer *writer; /* of the shard under way; NULL: none is being written */
    int64_t passing;             /* games still to come of the shard under way, which stands */
    struct shard_info passed;    /* what is in that */
    struct shard_entry entry;    /* of the shard under way */
    struct shard_row *rows;      /* of the game being taken */
    size_t capacity;
    struct sharding_result result;
};

struct sharding *sharding_create(const struct sharding_settings *settings, struct err *err)
{
    assert(settings->rows_max >= 0);
    struct sharding *sharding = malloc(sizeof *sharding);
    if (sharding == NULL) {
        err_set(err, ERR_FAILED, "out of memory for the shards of %s", settings->name);
        return NULL;
    }
    *sharding = (struct sharding){.settings = *settings};
    return sharding;
}

void sharding_destroy(struct sharding *sharding)
{
    if (sharding != NULL) {
        shard_destroy(sharding->writer);
        free(sharding->rows);
    }
    free(sharding);
}

/* Name and path of the stage's shard number `index`. */
static bool name_shard(const struct sharding *sharding, int64_t index, char name[SHARD_NAME],
                       char path[FILE_PATH], struct err *err)
{
    const struct sharding_settings *settings = &sharding->settings;
    snprintf(name, SHARD_NAME, "%s-%04lld.h5", settings->name, (long long)index);
    return run_shard_path(path, settings->directory, name, err);
}

/* The shard under way stands, whoever made it: tells the watcher and begins the next. */
static bool tell_shard(struct sharding *sharding, struct err *err)
{
    const struct sharding_watch *watch = &sharding->settings.watch;
    if (watch->shard != NULL && !watch->shard(watch->context, &sharding->entry, err)) {
        return false;
    }
    sharding->result.positions += sharding->entry.info.rows;
    sharding->result.shards++;
    sharding->entry = (struct shard_entry){0};
    return true;
}

static bool end_shard(struct sharding *sharding, struct err *err)
{
    bool ok = shard_finish(sharding->writer, &sharding->entry.info, err);
    shard_destroy(sharding->writer);
    sharding->writer = NULL;
    return ok && tell_shard(sharding, err);
}

static bool begin_shard(struct sharding *sharding, struct err *err)
{
    char path[FILE_PATH];
    sharding->entry = (struct shard_entry){.info = sharding->settings.info};
    sharding->writer =
        name_shard(sharding, sharding->result.shards, sharding->entry.name, path, err)
            ? shard_create(path, sharding->settings.variant, err)
            : NULL;
    return sharding->writer != NULL;
}

/* Counts a game, as one of the shard under way, and shows it. */
static bool count_game(struct sharding *sharding, const struct games_entry *game,
                       const struct record *record, struct err *err)
{
    struct sharding_result *result = &sharding->result;
    const struct sharding_watch *watch = &sharding->settings.watch;
    uint64_t hash = hash_bytes(HASH_START, game->data, game->size);
    if (sharding->entry.games++ == 0) {
        sharding->entry.first_game = game->number;
    }
    sharding->entry.info.records = hash_mix(sharding->entry.info.records, hash);
    result->hash = hash_mix(result->hash, hash);
    result->games++;
    result->plies += record->plies - record->opening_plies;
    result->white_wins += record->outcome == OUTCOME_WHITE_WINS;
    result->black_wins += record->outcome == OUTCOME_BLACK_WINS;
    result->draws += record->outcome == OUTCOME_DRAW;
    return watch->game == NULL || watch->game(watch->context, record, err);
}

static bool decode(const struct sharding *sharding, const struct games_entry *game,
                   struct record *record, struct err *err)
{
    const struct sharding_settings *settings = &sharding->settings;
    return record_decode(game->data, game->size, settings->variant, record, err) ||
           err_prefix(err, "%s/games/%s.records", settings->directory, settings->name);
}

/* Ends the shard under way when it has no room for the game. */
static bool make_room(struct sharding *sharding, const struct games_entry *game, struct err *err)
{
    int64_t rows = sharding->writer == NULL ? 0 : shard_rows(sharding->writer);
    int64_t more = record_choices(game->data, game->size);
    return rows == 0 || rows + more <= sharding->settings.rows_max || end_shard(sharding, err);
}

/* Appends a game's rows to the shard under way. */
static bool add_rows(struct sharding *sharding, const struct record *record, struct err *err)
{
    const struct sharding_settings *settings = &sharding->settings;
    size_t count = 0;
    if (!sharding_rows(record, settings->variant, &sharding->rows, &count, &sharding->capacity,
                       err)) {
        return false;
    }
    return (sharding->writer != NULL || begin_shard(sharding, err)) &&
           shard_append(sharding->writer, sharding->rows, count, err);
}

/* How many of the games make up the next shard, which *info then describes but for the hash of its
 * rows; 0 when not all of them are there yet. */
static int64_t cut(const struct sharding *sharding, const struct games_entry *game, int64_t count,
                   bool last, struct shard_info *info)
{
    *info = sharding->settings.info;
    info->rows = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t rows = record_choices(game[i].data, game[i].size);
        if (info->rows > 0 && info->rows + rows > sharding->settings.rows_max) {
            return i;
        }
        info->rows += rows;
        info->records = hash_mix(info->records, hash_bytes(HASH_START, game[i].data, game[i].size));
    }
    return last && info->rows > 0 ? count : 0;
}

/* Whether the file holds what `info` says, undamaged; then info->hash is filled in. */
static bool stands(const struct sharding *sharding, const char *path, struct shard_info *info)
{
    struct shard_info found;
    struct shard *shard = shard_open(path, sharding->settings.variant, &found, NULL);
    bool ok = shard != NULL && found.records == info->records && found.rows == info->rows &&
              found.generation == info->generation && found.seed == info->seed &&
              found.weights_id == info->weights_id && found.opening_plies == info->opening_plies &&
              shard_verify(shard, NULL);
    shard_close(shard);
    info->hash = ok ? found.hash : 0;
    return ok;
}

/* At a border: whether the next shard stands; its games are then passed. */
static bool look_for_shard(struct sharding *sharding, const struct games_entry *game, int64_t count,
                           bool last, struct err *err)
{
    char path[FILE_PATH];
    if (!name_shard(sharding, sharding->result.shards, sharding->entry.name, path, err)) {
        return false;
    }
    if (!file_exists(path)) {
        return true;
    }
    int64_t games = cut(sharding, game, count, last, &sharding->passed);
    if (games > 0 && stands(sharding, path, &sharding->passed)) {
        sharding->passing = games;
    } else {
        sharding->result.mended++;
    }
    return true;
}

/* Counts a game of a shard that stands; the last of them ends it. */
static bool pass_game(struct sharding *sharding, const struct games_entry *game,
                      const struct record *record, struct err *err)
{
    if (!count_game(sharding, game, record, err)) {
        return false;
    }
    if (--sharding->passing > 0) {
        return true;
    }
    sharding->entry.info = sharding->passed;
    return tell_shard(sharding, err);
}

static bool take_game(struct sharding *sharding, const struct games_entry *game,
                      const struct record *record, struct err *err)
{
    if (sharding->passing > 0) {
        return pass_game(sharding, game, record, err);
    }
    bool shards = sharding->settings.rows_max > 0;
    sharding->result.positions += shards ? 0 : record->plies - record->opening_plies;
    return (!shards || add_rows(sharding, record, err)) && count_game(sharding, game, record, err);
}

bool sharding_take(struct sharding *sharding, const struct games_entry *entry, int64_t count,
                   bool last, struct err *err)
{
    assert(count > 0);
    if (!make_room(sharding, entry, err)) {
        return false;
    }
    bool border =
        sharding->settings.rows_max > 0 && sharding->writer == NULL && sharding->passing == 0;
    struct record record;
    if ((border && !look_for_shard(sharding, entry, count, last, err)) ||
        !decode(sharding, entry, &record, err)) {
        return false;
    }
    bool ok = take_game(sharding, entry, &record, err);
    record_fini(&record);
    return ok;
}

/* Shards behind the last one are left from another cut of the games. */
static bool remove_surplus(const struct sharding *sharding, struct err *err)
{
    char name[SHARD_NAME], path[FILE_PATH];
    for (int64_t index = sharding->result.shards;; index++) {
        if (!name_shard(sharding, index, name, path, err)) {
            return false;
        }
        if (unlink(path) == 0) {
            continue;
        }
        return errno == ENOENT ||
               err_set(err, ERR_FAILED, "%s: cannot remove it: %s", path, strerror(errno));
    }
}

bool sharding_finish(struct sharding *sharding, struct sharding_result *result, struct err *err)
{
    bool empty = sharding->writer == NULL || shard_rows(sharding->writer) == 0;
    bool ok = (empty || end_shard(sharding, err)) && remove_surplus(sharding, err);
    *result = sharding->result;
    return ok;
}
