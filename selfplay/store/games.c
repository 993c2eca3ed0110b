/* Where the finished games of a stage are, in which order, and how they move into one file. */
#include "selfplay/store/games.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selfplay/game/record.h"

bool games_journal_path(char out[FILE_PATH], const char *directory, const char *name,
                        struct err *err)
{
    char file[GAMES_NAME + 64];
    snprintf(file, sizeof file, "journal/%s.journal", name);
    return file_join(out, directory, file, err);
}

bool games_records_path(char out[FILE_PATH], const char *directory, const char *name,
                        struct err *err)
{
    char file[GAMES_NAME + 64];
    snprintf(file, sizeof file, "games/%s.records", name);
    return file_join(out, directory, file, err);
}

static bool starts_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

/* Calls `visit` with the path of each file in the run's `folder` whose name starts with `head`. */
static bool for_each_file(const struct games *games, const char *folder, const char *head,
                          bool (*visit)(void *context, const char *path, struct err *err),
                          void *context, struct err *err)
{
    char path[FILE_PATH];
    if (!file_join(path, games->directory, folder, err)) {
        return false;
    }
    DIR *listing = opendir(path);
    if (listing == NULL) {
        return errno == ENOENT || err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    bool ok = true;
    for (struct dirent *item; ok && (item = readdir(listing)) != NULL;) {
        char file[FILE_PATH];
        if (starts_with(item->d_name, head)) {
            ok = file_join(file, path, item->d_name, err) && visit(context, file, err);
        }
    }
    closedir(listing);
    return ok;
}

static bool remove_file(void *context, const char *path, struct err *err)
{
    (void)context;
    if (unlink(path) == 0 || errno == ENOENT) {
        return true;
    }
    return err_set(err, ERR_FAILED, "%s: cannot remove it: %s", path, strerror(errno));
}

/* Removes what a writer that was killed left under a temporary name. */
static bool remove_temporary(void *context, const char *path, struct err *err)
{
    return strstr(strrchr(path, '/'), ".tmp.") == NULL || remove_file(context, path, err);
}

static bool add_entry(struct games *games, const struct games_entry *entry, struct err *err)
{
    if (games->count == games->capacity) {
        int64_t capacity = 2 * games->capacity + 1024;
        struct games_entry *grown = realloc(games->entry, (size_t)capacity * sizeof *games->entry);
        if (grown == NULL) {
            return err_set(err, ERR_FAILED, "out of memory for %lld games", (long long)capacity);
        }
        games->entry = grown;
        games->capacity = capacity;
    }
    games->entry[games->count++] = *entry;
    return true;
}

/* Maps one file and lists its games; whether it is the records. */
static bool add_file(struct games *games, const char *path, const char *about, bool records,
                     struct err *err)
{
    struct journal_map *maps = realloc(games->maps, (games->files + 1) * sizeof *maps);
    if (maps == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for %zu journals", games->files + 1);
    }
    games->maps = maps;
    struct journal_map *map = &maps[games->files];
    if (!journal_map(map, path, about, err)) {
        return false;
    }
    games->files++;
    games->torn += map->torn;
    int64_t end = (int64_t)map->next, last = -1;
    struct games_entry entry = {.stored = records};
    games->ascending = games->ascending || records;
    size_t size;
    while ((entry.data = journal_next(map, &size)) != NULL) {
        entry.number = record_number(entry.data, size);
        entry.size = (uint32_t)size;
        if (entry.number < 0) {
            return err_set(err, ERR_USAGE, "%s: holds an entry that is no game of this version",
                           path);
        }
        if (!add_entry(games, &entry, err)) {
            return false;
        }
        end += (int64_t)(JOURNAL_FRAME + size);
        games->ascending = games->ascending && (!records || entry.number > last);
        last = entry.number;
    }
    if (records) {
        games->records = (int64_t)map->size;
        games->ascending = games->ascending && end == games->records;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct games_entry *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* By number, those of journals first. */
static int by_place(const void *a, const void *b)
{
    const struct games_entry *one = a, *other = b;
    int order = by_number(a, b);
    return order != 0 ? order : one->stored - other->stored;
}

/* Sorts the games; of one that is there twice, alike, one is kept. */
static bool keep_each_once(struct games *games, struct err *err)
{
    if (games->count == 0) {
        return true;
    }
    qsort(games->entry, (size_t)games->count, sizeof *games->entry, by_place);
    int64_t kept = 0;
    for (int64_t i = 1; i < games->count; i++) {
        struct games_entry *last = &games->entry[kept], *entry = &games->entry[i];
        if (entry->number != last->number) {
            games->entry[++kept] = *entry;
            continue;
        }
        games->twice += entry->stored == entry[-1].stored;
        last->stored = last->stored || entry->stored;
        if (entry->size != last->size || memcmp(entry->data, last->data, last->size) != 0) {
            return err_set(err, ERR_FAILED,
                           "%s: game %lld of %s stands there twice with different moves; were two "
                           "different programs run on this directory?",
                           games->directory, (long long)entry->number, games->name);
        }
    }
    games->count = kept + 1;
    return true;
}

static bool make_folders(const struct games *games, struct err *err)
{
    static const char *const FOLDERS[] = {"journal", "games", "shards"};
    char path[FILE_PATH];
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        if (!file_join(path, games->directory, FOLDERS[i], err) ||
            !file_make_directories(path, err)) {
            return false;
        }
    }
    return true;
}

/* Makes the folders, and removes from them what a killed writer left. */
static bool tidy(const struct games *games, struct err *err)
{
    char head[GAMES_NAME + 8], file[GAMES_NAME + 8];
    snprintf(head, sizeof head, "%s-", games->name);
    snprintf(file, sizeof file, "%s.", games->name);
    return make_folders(games, err) &&
           for_each_file(games, "games", file, remove_temporary, NULL, err) &&
           for_each_file(games, "journal", file, remove_temporary, NULL, err) &&
           for_each_file(games, "shards", head, remove_temporary, NULL, err);
}

static bool find_games(struct games *games, const char *about, struct err *err)
{
    char records[FILE_PATH], journal[FILE_PATH];
    return games_records_path(records, games->directory, games->name, err) &&
           games_journal_path(journal, games->directory, games->name, err) &&
           (!file_exists(records) || add_file(games, records, about, true, err)) &&
           (!file_exists(journal) || add_file(games, journal, about, false, err)) &&
           keep_each_once(games, err);
}

static bool name_games(struct games *games, const char *directory, const char *name,
                       struct err *err)
{
    *games = (struct games){0};
    int length = snprintf(games->directory, sizeof games->directory, "%s", directory);
    assert(strlen(name) < sizeof games->name);
    snprintf(games->name, sizeof games->name, "%s", name);
    return length < (int)sizeof games->directory ||
           err_set(err, ERR_USAGE, "%.60s...: the path is too long", directory);
}

bool games_open(struct games *games, const char *directory, const char *name, const char *about,
                struct err *err)
{
    if (name_games(games, directory, name, err) && tidy(games, err) &&
        find_games(games, about, err)) {
        return true;
    }
    games_close(games);
    return false;
}

bool games_look(struct games *games, const char *directory, const char *name, const char *about,
                struct err *err)
{
    if (name_games(games, directory, name, err) && find_games(games, about, err)) {
        return true;
    }
    games_close(games);
    return false;
}

void games_close(struct games *games)
{
    for (size_t i = 0; i < games->files; i++) {
        journal_unmap(&games->maps[i]);
    }
    free(games->maps);
    free(games->entry);
    *games = (struct games){0};
}

/* Appends to *again the numbers that are in both. */
static bool find_both(const struct games *games, const struct games *other, int64_t **again,
                      int64_t *again_count, struct err *err)
{
    int64_t *list = realloc(*again, (size_t)(*again_count + other->count + 1) * sizeof *list);
    if (list == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for %lld games", (long long)other->count);
    }
    *again = list;
    for (int64_t i = 0, j = 0; i < games->count && j < other->count;) {
        int order = by_number(&games->entry[i], &other->entry[j]);
        if (order == 0) {
            list[(*again_count)++] = other->entry[j].number;
        }
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

bool games_add(struct games *games, const struct games *other, int64_t **again,
               int64_t *again_count, struct err *err)
{
    if (!find_both(games, other, again, again_count, err)) {
        return false;
    }
    for (int64_t i = 0; i < other->count; i++) {
        struct games_entry entry = other->entry[i];
        entry.stored = false;
        if (!add_entry(games, &entry, err)) {
            return false;
        }
    }
    return keep_each_once(games, err);
}

int64_t games_missing(const struct games *games, int64_t first, int64_t end, int64_t **missing)
{
    int64_t *list = malloc(((size_t)(end - first) + 1) * sizeof *list);
    *missing = list;
    if (list == NULL) {
        return -1;
    }
    int64_t count = 0, at = 0;
    while (at < games->count && games->entry[at].number < first) {
        at++;
    }
    for (int64_t number = first; number < end; number++) {
        if (at < games->count && games->entry[at].number == number) {
            at++;
        } else {
            list[count++] = number;
        }
    }
    return count;
}

static bool write_records(const struct games *games, int64_t count, const char *about, FILE *out)
{
    if (!journal_put(out, 0, about, strlen(about))) {
        return false;
    }
    int64_t offset = (int64_t)(JOURNAL_FRAME + strlen(about));
    for (int64_t i = 0; i < count; i++) {
        const struct games_entry *entry = &games->entry[i];
        if (!journal_put(out, offset, entry->data, entry->size)) {
            return false;
        }
        offset += (int64_t)(JOURNAL_FRAME + entry->size);
    }
    return true;
}

bool games_write(const struct games *games, int64_t count, const char *about, struct err *err)
{
    char path[FILE_PATH], temporary[FILE_PATH];
    if (!games_records_path(path, games->directory, games->name, err) ||
        !file_temporary(temporary, path, err)) {
        return false;
    }
    FILE *out = fopen(temporary, "wb");
    if (out == NULL) {
        return err_set(err, ERR_FAILED, "%s: cannot write it: %s", path, strerror(errno));
    }
    bool ok = write_records(games, count, about, out) && fflush(out) == 0;
    int reason = errno;
    if (fclose(out) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (!ok) {
        unlink(temporary);
        return err_set(err, ERR_FAILED, "%s: cannot write it: %s", path, strerror(reason));
    }
    return file_commit(temporary, path, err);
}

/* Whether the records are all there is: every game, in order, and nothing else. */
static bool is_merged(const struct games *games)
{
    bool ok =
        games->ascending && games->files > 0 && games->maps[0].mapped == (size_t)games->records;
    for (int64_t i = 0; ok && i < games->count; i++) {
        ok = games->entry[i].stored;
    }
    return ok;
}

bool games_merge(const struct games *games, const char *about, struct err *err)
{
    char journal[FILE_PATH];
    return games_journal_path(journal, games->directory, games->name, err) &&
           (games->count == 0 || is_merged(games) ||
            games_write(games, games->count, about, err)) &&
           remove_file(NULL, journal, err);
}
