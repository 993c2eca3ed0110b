/* Where finished games wait, in which order they move on, and when files are replaced. */
#include "selfplay/store/game_store.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/game/hash.h"
#include "selfplay/game/record.h"
#include "selfplay/store/journal.h"
#include "selfplay/store/waiting_games.h"

/* Games moved on for each that is added: two would keep up; more when so many wait that they would
 * fill the memory. */
enum { FEW = 16, MANY = 128, CROWD = 1 << 15 };

struct game_store {
    struct game_store_settings settings;
    struct games found;
    int64_t at;  /* found.entry[0..at) have moved on */
    int64_t run; /* found.entry[at..run) follow, without a gap, what has moved on */
    int64_t low; /* the lowest number that was missing at the start */
    struct waiting_games waiting;    /* those that were added */
    int64_t next;                    /* number behind those that have moved on */
    int64_t missing;                 /* games still to be added */
    struct journal journal, records; /* fd -1: not open */
    int64_t spent;                   /* games of the journal that the records have too */
    int64_t bytes;                   /* of the records, with those that have moved on */
    struct cutting cutting;
    size_t given; /* cuts handed out */
    struct game_store_result result;
};

/* What the records lack, or will lack when they are written anew: games that were found and those
 * that wait. */
static bool fill_journal(const struct game_store *store, struct journal *journal, struct err *err)
{
    bool ok = true;
    for (int64_t i = store->at; ok && i < store->found.count; i++) {
        const struct games_entry *entry = &store->found.entry[i];
        if (!entry->stored || entry->number >= store->low) {
            ok = journal_append(journal, entry->data, entry->size, err);
        }
    }
    for (size_t i = 0; ok && i < store->waiting.count; i++) {
        ok = journal_append(journal, store->waiting.entry[i].data, store->waiting.entry[i].size,
                            err);
    }
    return ok;
}

/* Replaces the journal, atomically, by one of the games that the records lack. */
static bool renew_journal(struct game_store *store, struct err *err)
{
    const struct game_store_settings *settings = &store->settings;
    const struct sharding_settings *place = &settings->sharding;
    char path[FILE_PATH], temporary[FILE_PATH];
    struct journal fresh;
    if (!games_journal_path(path, place->directory, place->name, err) ||
        !file_temporary(temporary, path, err)) {
        return false;
    }
    unlink(temporary); /* of a dead process that had this id */
    if (!journal_open(&fresh, temporary, settings->about, settings->sync_seconds, err)) {
        return false;
    }
    if (!fill_journal(store, &fresh, err) || !journal_rename(&fresh, path, err)) {
        close(fresh.fd);
        unlink(temporary);
        return false;
    }
    if (store->journal.fd >= 0) {
        close(store->journal.fd);
    }
    store->journal = fresh;
    store->spent = 0;
    return true;
}

/* Sees that the records hold nothing but the games before the first that is missing. */
static bool tidy_records(struct game_store *store, struct err *err)
{
    struct games *found = &store->found;
    const struct sharding_settings *place = &store->settings.sharding;
    char path[FILE_PATH];
    int64_t before = 0, size = (int64_t)(JOURNAL_FRAME + strlen(store->settings.about));
    bool tidy = found->records == 0 || found->ascending;
    for (int64_t i = 0; i < found->count; i++) {
        const struct games_entry *entry = &found->entry[i];
        tidy = tidy && (!entry->stored || entry->number < store->low);
        before += entry->number < store->low;
        size += entry->number < store->low ? (int64_t)(JOURNAL_FRAME + entry->size) : 0;
    }
    if (!games_records_path(path, place->directory, place->name, err)) {
        return false;
    }
    if (tidy && (found->records > 0 || !file_exists(path))) {
        return true;
    }
    if (!renew_journal(store, err) || !games_write(found, before, store->settings.about, err)) {
        return false;
    }
    for (int64_t i = 0; i < found->count; i++) {
        found->entry[i].stored = i < before;
    }
    found->records = size;
    return true;
}

struct game_store *game_store_open(const struct game_store_settings *settings, struct err *err)
{
    const struct sharding_settings *place = &settings->sharding;
    struct game_store *store = malloc(sizeof *store);
    if (store == NULL) {
        err_set(err, ERR_FAILED, "out of memory for the games of %s", place->name);
        return NULL;
    }
    *store = (struct game_store){.settings = *settings,
                                 .next = settings->first,
                                 .low = INT64_MAX,
                                 .journal = {.fd = -1},
                                 .records = {.fd = -1},
                                 .bytes = (int64_t)(JOURNAL_FRAME + strlen(settings->about)),
                                 .cutting = {.rows_max = place->rows_max}};
    int64_t *missing = NULL;
    bool ok = games_open(&store->found, place->directory, place->name, settings->about, err);
    if (ok) {
        store->missing = games_missing(&store->found, settings->first, settings->end, &missing);
        ok = store->missing >= 0 || err_set(err, ERR_FAILED, "out of memory for %" PRId64 " games",
                                            settings->end - settings->first);
    }
    if (ok && store->missing > 0) {
        store->low = missing[0];
    }
    free(missing);
    if (!ok || !tidy_records(store, err)) {
        game_store_close(store, NULL);
        return NULL;
    }
    return store;
}

const struct games *game_store_found(const struct game_store *store)
{
    return &store->found;
}

static bool open_records(struct game_store *store, struct err *err)
{
    const struct sharding_settings *place = &store->settings.sharding;
    char path[FILE_PATH];
    if (!games_records_path(path, place->directory, place->name, err)) {
        return false;
    }
    return store->found.records > 0
               ? journal_resume(&store->records, path, store->found.records, INFINITY, err)
               : journal_open(&store->records, path, store->settings.about, INFINITY, err);
}

/* A cut is complete: its games are durable in the records before anybody makes a shard of them, and
 * need not be in the journal any more, which goes anyway once nothing is missing. */
static bool end_cut(struct game_store *store, struct err *err)
{
    return (store->records.fd < 0 || journal_sync(&store->records, err)) &&
           (store->spent == 0 || store->missing == 0 || renew_journal(store, err));
}

/* Counts a game and shows it. */
static bool count_game(struct game_store *store, const struct games_entry *game,
                       const struct record *record, struct err *err)
{
    struct game_store_result *result = &store->result;
    const struct game_store_watch *watch = &store->settings.watch;
    result->hash = hash_mix(result->hash, hash_bytes(HASH_START, game->data, game->size));
    result->games++;
    result->plies += record->plies - record->opening_plies;
    result->white_wins += record->outcome == OUTCOME_WHITE_WINS;
    result->black_wins += record->outcome == OUTCOME_BLACK_WINS;
    result->draws += record->outcome == OUTCOME_DRAW;
    return watch->game == NULL || watch->game(watch->context, record, err);
}

/* Finds the game's place in the cuts. */
static bool cut_game(struct game_store *store, const struct games_entry *game, struct err *err)
{
    int64_t rows = record_choices(game->data, game->size);
    int64_t end = store->bytes + (int64_t)(JOURNAL_FRAME + game->size);
    bool closed = false;
    store->result.positions += rows;
    if (store->cutting.rows_max > 0 &&
        !cutting_add(&store->cutting, rows, store->bytes, end, &closed)) {
        return err_set(err, ERR_FAILED, "out of memory for the shards of %s",
                       store->settings.sharding.name);
    }
    store->bytes = end;
    return !closed || end_cut(store, err);
}

/* Appends the game to the records unless it is there. */
static bool record_game(struct game_store *store, const struct games_entry *game, struct err *err)
{
    if (game->stored) {
        return true;
    }
    store->spent++;
    return (store->records.fd >= 0 || open_records(store, err)) &&
           journal_append(&store->records, game->data, game->size, err);
}

static bool move_on(struct game_store *store, const struct games_entry *game, struct err *err)
{
    const struct sharding_settings *place = &store->settings.sharding;
    struct record record;
    if (!record_parse(game->data, game->size, place->variant->rules, &record, err)) {
        return err_prefix(err, "%s/games/%s.records", place->directory, place->name);
    }
    bool ok = cut_game(store, game, err) && record_game(store, game, err) &&
              count_game(store, game, &record, err);
    record_fini(&record);
    store->next = game->number >= store->next ? game->number + 1 : store->next;
    return ok;
}

/* Finds how many games that were found follow without a gap. Behind the last of those that there
 * are to be gaps do not matter. */
static void find_run(struct game_store *store)
{
    const struct games *found = &store->found;
    bool all = store->missing == 0 && store->waiting.count == 0;
    int64_t next = store->run > store->at ? found->entry[store->run - 1].number + 1 : store->next;
    store->run = store->run > store->at ? store->run : store->at;
    while (store->run < found->count && (all || found->entry[store->run].number <= next)) {
        int64_t number = found->entry[store->run++].number;
        next = number >= next ? number + 1 : next;
    }
}

/* Moves on the next game, one that was found or one that waits, if there is one. */
static bool move_next(struct game_store *store, bool *moved, struct err *err)
{
    const struct games_entry *first = store->waiting.count > 0 ? &store->waiting.entry[0] : NULL;
    find_run(store);
    const struct games_entry *found = &store->found.entry[store->at];
    if (store->run > store->at && (first == NULL || found->number < first->number)) {
        *moved = move_on(store, found, err);
        store->at += *moved;
        return *moved;
    }
    *moved = first != NULL && first->number <= store->next;
    if (*moved) {
        if (!move_on(store, first, err)) {
            return false;
        }
        waiting_games_pop(&store->waiting);
    }
    return true;
}

/* Moves on what can be, at most `limit` games. */
static bool advance(struct game_store *store, int64_t limit, struct err *err)
{
    bool moved = true;
    for (int64_t done = 0; moved && done < limit; done++) {
        if (!move_next(store, &moved, err)) {
            return false;
        }
    }
    return true;
}

bool game_store_advance(struct game_store *store, struct stop *stop, struct progress *progress,
                        bool *stopped, struct err *err)
{
    bool closed = false;
    assert(store->missing == 0);
    *stopped = false;
    while (store->at < store->found.count || store->waiting.count > 0) {
        *stopped = stop != NULL && stop_requested(stop);
        if (*stopped || !advance(store, MANY, err)) {
            return *stopped;
        }
        if (progress != NULL) {
            progress_update(progress, store->result.games);
        }
    }
    if (!cutting_end(&store->cutting, &closed)) {
        return err_set(err, ERR_FAILED, "out of memory for the last shard");
    }
    return !closed || end_cut(store, err);
}

bool game_store_add(struct game_store *store, const uint8_t *data, size_t size, struct err *err)
{
    bool stopped;
    if ((store->journal.fd < 0 && !renew_journal(store, err)) ||
        !journal_append(&store->journal, data, size, err) ||
        !waiting_games_push(&store->waiting, data, size, err)) {
        return false;
    }
    return --store->missing == 0 ? game_store_advance(store, NULL, NULL, &stopped, err)
                                 : advance(store, store->waiting.count < CROWD ? FEW : MANY, err);
}

bool game_store_cut(struct game_store *store, struct shard_cut *cut)
{
    if (store->given == store->cutting.count) {
        return false;
    }
    *cut = store->cutting.cut[store->given++];
    return true;
}

bool game_store_made(struct game_store *store, const struct shard_entry *entry, struct err *err)
{
    const struct game_store_watch *watch = &store->settings.watch;
    store->result.shards++;
    store->result.mended += entry->mended;
    return watch->shard == NULL || watch->shard(watch->context, entry, err);
}

static bool close_files(struct game_store *store, struct err *err)
{
    bool ok = store->records.fd < 0 || journal_close(&store->records, err);
    bool closed = store->journal.fd < 0 || journal_close(&store->journal, ok ? err : NULL);
    games_close(&store->found);
    return ok && closed;
}

/* Looks at the files as the next start would, and leaves the records alone. */
static bool check_files(struct game_store *store, struct err *err)
{
    const struct game_store_settings *settings = &store->settings;
    const struct sharding_settings *place = &settings->sharding;
    struct games games;
    int64_t *missing;
    if (!games_open(&games, place->directory, place->name, settings->about, err)) {
        return false;
    }
    int64_t count = games_missing(&games, settings->first, settings->end, &missing);
    free(missing);
    bool ok = count == 0 || err_set(err, ERR_FAILED,
                                    "%s: %" PRId64 " finished games did not reach the disk whole; "
                                    "start again and they will be played again",
                                    place->name, count);
    ok = ok && games_merge(&games, settings->about, err);
    games_close(&games);
    return ok;
}

bool game_store_finish(struct game_store *store, struct game_store_result *result, struct err *err)
{
    assert(store->result.shards == (int64_t)store->cutting.count);
    *result = store->result;
    return sharding_remove_from(&store->settings.sharding, result->shards, err) &&
           close_files(store, err) && check_files(store, err);
}

bool game_store_close(struct game_store *store, struct err *err)
{
    if (store == NULL) {
        return true;
    }
    bool ok = close_files(store, err);
    waiting_games_fini(&store->waiting);
    cutting_fini(&store->cutting);
    free(store);
    return ok;
}
