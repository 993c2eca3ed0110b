/* Where finished games wait, in which order they move on, and when files are replaced. */
#include "selfplay/game_store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/journal.h"
#include "selfplay/record.h"

/* Games moved on for each that is added: two would keep up; more when so many wait that they would
 * fill the memory. */
enum { FEW = 4, MANY = 64, CROWD = 1 << 15 };

/* A game that was added and waits for those before it. */
struct waiting {
    int64_t number;
    uint8_t *data; /* owned */
    uint32_t size;
};

struct game_store {
    struct game_store_settings settings;
    struct games found;
    int64_t at;              /* found.entry[0..at) have moved on */
    int64_t run;             /* found.entry[at..run) follow, without a gap, what has moved on */
    int64_t low;             /* the lowest number that was missing at the start */
    struct waiting *waiting; /* [waiting_count], a heap with the lowest number first; owned */
    size_t waiting_count, waiting_room;
    int64_t next;                    /* number behind those that have moved on */
    int64_t missing;                 /* games still to be added */
    struct journal journal, records; /* fd -1: not open */
    int64_t spent;                   /* games of the journal that the records have too */
    struct sharding *sharding;
};

static bool push(struct game_store *store, const uint8_t *data, size_t size, struct err *err)
{
    if (store->waiting_count == store->waiting_room) {
        size_t room = 2 * store->waiting_room + 64;
        struct waiting *grown = realloc(store->waiting, room * sizeof *grown);
        if (grown == NULL) {
            return err_set(err, ERR_FAILED, "out of memory for %zu games that wait", room);
        }
        store->waiting = grown;
        store->waiting_room = room;
    }
    struct waiting game = {record_number(data, size), malloc(size), (uint32_t)size};
    if (game.data == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for a record of %zu bytes", size);
    }
    memcpy(game.data, data, size);
    size_t place = store->waiting_count++;
    while (place > 0 && store->waiting[(place - 1) / 2].number > game.number) {
        store->waiting[place] = store->waiting[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    store->waiting[place] = game;
    return true;
}

static void pop(struct game_store *store)
{
    struct waiting *heap = store->waiting;
    free(heap[0].data);
    const struct waiting game = heap[--store->waiting_count];
    size_t place = 0, count = store->waiting_count;
    for (size_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && heap[child + 1].number < heap[child].number;
        if (heap[child].number >= game.number) {
            break;
        }
        heap[place] = heap[child];
    }
    heap[place] = game;
}

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
    for (size_t i = 0; ok && i < store->waiting_count; i++) {
        ok = journal_append(journal, store->waiting[i].data, store->waiting[i].size, err);
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

/* A shard stands: the records of its games have to be durable before it counts. */
static bool tell_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    struct game_store *store = context;
    const struct sharding_watch *watch = &store->settings.sharding.watch;
    return (store->records.fd < 0 || journal_sync(&store->records, err)) &&
           (watch->shard == NULL || watch->shard(watch->context, entry, err)) &&
           (store->spent == 0 || renew_journal(store, err));
}

static bool tell_game(void *context, const struct record *record, struct err *err)
{
    const struct sharding_watch *watch = &((struct game_store *)context)->settings.sharding.watch;
    return watch->game == NULL || watch->game(watch->context, record, err);
}

struct game_store *game_store_open(const struct game_store_settings *settings, struct err *err)
{
    struct sharding_settings sharding = settings->sharding;
    struct game_store *store = malloc(sizeof *store);
    if (store == NULL) {
        err_set(err, ERR_FAILED, "out of memory for the games of %s", sharding.name);
        return NULL;
    }
    *store = (struct game_store){.settings = *settings,
                                 .next = settings->first,
                                 .low = INT64_MAX,
                                 .journal = {.fd = -1},
                                 .records = {.fd = -1}};
    int64_t *missing = NULL;
    sharding.watch = (struct sharding_watch){tell_shard, tell_game, store};
    store->sharding = sharding_create(&sharding, err);
    bool ok = store->sharding != NULL &&
              games_open(&store->found, sharding.directory, sharding.name, settings->about, err);
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

/* The game has gone into a shard: it has to stand in the records, too. */
static bool move_on(struct game_store *store, const struct games_entry *game, struct err *err)
{
    if (!game->stored) {
        if ((store->records.fd < 0 && !open_records(store, err)) ||
            !journal_append(&store->records, game->data, game->size, err)) {
            return false;
        }
        store->spent++;
    }
    store->next = game->number >= store->next ? game->number + 1 : store->next;
    return true;
}

/* Finds how many games that were found follow without a gap. Behind the last of those that there
 * are to be gaps do not matter. */
static void find_run(struct game_store *store)
{
    const struct games *found = &store->found;
    bool all = store->missing == 0 && store->waiting_count == 0;
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
    const struct waiting *first = store->waiting_count > 0 ? &store->waiting[0] : NULL;
    find_run(store);
    const struct games_entry *found = &store->found.entry[store->at];
    if (store->run > store->at && (first == NULL || found->number < first->number)) {
        bool last = store->missing == 0 && first == NULL;
        *moved = sharding_take(store->sharding, found, store->run - store->at, last, err) &&
                 move_on(store, found, err);
        store->at += *moved;
        return *moved;
    }
    *moved = first != NULL && first->number <= store->next;
    if (*moved) {
        const struct games_entry game = {first->number, first->data, first->size, false};
        if (!sharding_take(store->sharding, &game, 1, false, err) || !move_on(store, &game, err)) {
            return false;
        }
        pop(store);
    }
    return true;
}

/* Moves on what can be, at most `limit` games (0: no limit). A stop (NULL: none) ends it. */
static bool advance(struct game_store *store, int64_t limit, struct stop *stop,
                    struct progress *progress, struct err *err)
{
    bool moved = true;
    for (int64_t done = 0; moved && (limit == 0 || done < limit); done += moved) {
        if (stop != NULL && stop_requested(stop)) {
            return true;
        }
        if (!move_next(store, &moved, err)) {
            return false;
        }
        if (progress != NULL) {
            progress_update(progress, done + moved);
        }
    }
    return true;
}

bool game_store_add(struct game_store *store, const uint8_t *data, size_t size, struct err *err)
{
    if ((store->journal.fd < 0 && !renew_journal(store, err)) ||
        !journal_append(&store->journal, data, size, err) || !push(store, data, size, err)) {
        return false;
    }
    store->missing--;
    return advance(store, store->waiting_count < CROWD ? FEW : MANY, NULL, NULL, err);
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

bool game_store_finish(struct game_store *store, struct stop *stop, struct progress *progress,
                       struct sharding_result *result, bool *stopped, struct err *err)
{
    *result = (struct sharding_result){0};
    if (!advance(store, 0, stop, progress, err)) {
        return false;
    }
    *stopped = store->at < store->found.count || store->waiting_count > 0;
    return *stopped || (sharding_finish(store->sharding, result, err) && close_files(store, err) &&
                        check_files(store, err));
}

bool game_store_close(struct game_store *store, struct err *err)
{
    if (store == NULL) {
        return true;
    }
    bool ok = close_files(store, err);
    while (store->waiting_count > 0) {
        pop(store);
    }
    free(store->waiting);
    sharding_destroy(store->sharding);
    free(store);
    return ok;
}
