/* The directory of a run. */
#include "selfplay/run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "selfplay/hash.h"

enum { CONFIG_LIMIT = 1 << 20, HOST_SIZE = 256, LOCK_SIZE = HOST_SIZE + 32, KEY_SIZE = 128 };

static const char LOCK_NAME[] = "lock", CONFIG_NAME[] = "config.ini";

bool run_catalogue_path(char out[FILE_PATH], const char *directory, struct err *err)
{
    return file_join(out, directory, "run.db", err);
}

bool run_shard_path(char out[FILE_PATH], const char *directory, const char *name, struct err *err)
{
    char folder[FILE_PATH];

    return file_join(folder, directory, "shards", err) && file_join(out, folder, name, err);
}

bool run_weights_path(char out[FILE_PATH], const char *directory, const struct variant *variant,
                      int generation, struct err *err)
{
    char name[64];

    snprintf(name, sizeof name, "weights/%s-%d.h5", variant->rules->name, generation);
    return file_join(out, directory, name, err);
}

struct catalogue *run_catalogue(const char *directory, struct err *err)
{
    char path[FILE_PATH];

    return run_catalogue_path(path, directory, err) ? catalogue_open_readonly(path, err) : NULL;
}

/* What the lock file of this process says. */
static void lock_text(char out[LOCK_SIZE])
{
    char host[HOST_SIZE] = "unknown";

    if (gethostname(host, sizeof host) != 0) {
        snprintf(host, sizeof host, "unknown");
    }
    host[sizeof host - 1] = '\0';
    snprintf(out, LOCK_SIZE, "%s %ld\n", host, (long)getpid());
}

/* Whether the process that wrote `text` is surely gone: same host, and no such process. */
static bool lock_is_stale(const char *text)
{
    char host[HOST_SIZE], mine[LOCK_SIZE];
    long pid;

    lock_text(mine);
    if (sscanf(text, "%255s %ld", host, &pid) != 2) {
        return false;
    }
    return strncmp(mine, host, strlen(host)) == 0 && mine[strlen(host)] == ' ' &&
           (pid == (long)getpid() || (kill((pid_t)pid, 0) != 0 && errno == ESRCH));
}

/* 1: made; 0: it exists; -1: failed. The file gets its name with its text in it, so that nobody
 * reads half a lock; link, like O_EXCL, fails when the name is taken. */
static int make_lock(const char *path, struct err *err)
{
    char text[LOCK_SIZE], prepared[FILE_PATH];

    lock_text(text);
    if (!file_temporary(prepared, path, err) || !file_replace(prepared, text, strlen(text), err)) {
        return -1;
    }
    int made = link(prepared, path) == 0 ? 1 : errno == EEXIST ? 0 : -1;
    if (made < 0) {
        err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    unlink(prepared);
    return made;
}

/* Moves a stale lock out of the way. Somebody else may have done so and made a fresh one in the
 * meantime: what was moved is looked at again, and put back when it is not the stale one. */
static bool remove_stale(const char *path, const char *stale, struct err *err)
{
    char aside[FILE_PATH];

    if (!file_temporary(aside, path, err)) {
        return false;
    }
    if (rename(path, aside) != 0) {
        return errno == ENOENT || err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    char *moved = file_read(aside, LOCK_SIZE, NULL, err);
    if (moved && strcmp(moved, stale) != 0 && link(aside, path) != 0 && errno != EEXIST) {
        err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    bool ok = moved != NULL;
    free(moved);
    unlink(aside);
    return ok;
}

static bool take_lock(struct run *run, struct err *err)
{
    char path[FILE_PATH];

    if (!file_join(path, run->directory, LOCK_NAME, err)) {
        return false;
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        int made = make_lock(path, err);
        if (made != 0) {
            run->locked = made > 0;
            return run->locked;
        }
        char *holder = file_read(path, LOCK_SIZE, NULL, err);
        if (!holder) {
            return false;
        }
        bool stale = lock_is_stale(holder) && remove_stale(path, holder, err);
        holder[strcspn(holder, "\n")] = '\0';
        if (!stale) {
            err_set(err, ERR_FAILED,
                    "%s: another program works on this run (host and process: %s); if it does "
                    "not exist any more, remove %s",
                    run->directory, *holder ? holder : "not yet known", path);
        }
        free(holder);
        if (!stale) {
            return false;
        }
    }
    return err_set(err, ERR_FAILED, "%s: cannot take the lock", path);
}

/* Goes through an ini text: the next "section.key" and value, or false at the end. */
struct ini_reader {
    const char *at;
    char section[KEY_SIZE];
};

static bool ini_next(struct ini_reader *reader, char key[2 * KEY_SIZE], char value[KEY_SIZE * 4])
{
    while (*reader->at) {
        char line[1024], name[KEY_SIZE];
        size_t length = strcspn(reader->at, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, reader->at);
        reader->at += length + (reader->at[length] == '\n');
        if (sscanf(line, "[%127[^]]]", name) == 1) {
            snprintf(reader->section, sizeof reader->section, "%s", name);
        } else if (line[0] != ';' && line[0] != '#' && sscanf(line, "%127[^= ]", name) == 1 &&
                   strchr(line, '=')) {
            const char *text = strchr(line, '=') + 1;
            text += strspn(text, " ");
            snprintf(key, 2 * KEY_SIZE, "%s.%s", reader->section, name);
            snprintf(value, KEY_SIZE * 4, "%s", text);
            return true;
        }
    }
    return false;
}

static bool ini_find(const char *text, const char *wanted, char value[KEY_SIZE * 4])
{
    struct ini_reader reader = {.at = text};
    char key[2 * KEY_SIZE];

    while (ini_next(&reader, key, value)) {
        if (strcmp(key, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_free(const char *key, const char *const *free_keys)
{
    for (; *free_keys; free_keys++) {
        size_t length = strlen(*free_keys);
        bool section = (*free_keys)[length - 1] == '.';
        if (strncmp(*free_keys, key, length) == 0 && (section || key[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Writes "key: was A, now B; ..." for each key that differs and is not free; false when none. */
static bool differences(const char *before, const char *now, const char *const *free_keys,
                        char *out, size_t size)
{
    struct ini_reader reader = {.at = now};
    char key[2 * KEY_SIZE], value[KEY_SIZE * 4], old[KEY_SIZE * 4];
    size_t length = 0;

    while (ini_next(&reader, key, value)) {
        if (is_free(key, free_keys)) {
            continue;
        }
        if (!ini_find(before, key, old)) {
            snprintf(old, sizeof old, "unknown");
        }
        if (strcmp(old, value) != 0 && length < size) {
            length += (size_t)snprintf(out + length, size - length, "%s%s was %s, now %s",
                                       length ? "; " : "", key, old, value);
        }
    }
    return length > 0;
}

static bool compare_settings(const struct run *run, const char *path, const char *settings,
                             const char *const *free_keys, struct err *err)
{
    char list[ERR_TEXT / 2];
    char *before = file_read(path, CONFIG_LIMIT, NULL, err);

    if (!before) {
        return false;
    }
    bool differ = differences(before, settings, free_keys, list, sizeof list);
    free(before);
    return !differ || err_set(err, ERR_USAGE,
                              "%s: this run was begun with other settings: %s; use another "
                              "directory for them",
                              run->directory, list);
}

static bool prepare(struct run *run, const char *settings, const char *const *free_keys,
                    struct err *err)
{
    char path[FILE_PATH];

    if (!file_join(path, run->directory, CONFIG_NAME, err)) {
        return false;
    }
    if (file_exists(path) && !compare_settings(run, path, settings, free_keys, err)) {
        return false;
    }
    snprintf(run->configuration, sizeof run->configuration, "%016" PRIx64,
             hash_bytes(HASH_START, settings, strlen(settings)));
    return file_replace(path, settings, strlen(settings), err);
}

bool run_open(struct run *run, const char *directory, const char *settings,
              const char *const *free_keys, struct err *err)
{
    static const char *const FOLDERS[] = {"shards", "weights"};
    char path[FILE_PATH];

    *run = (struct run){0};
    if ((size_t)snprintf(run->directory, sizeof run->directory, "%s", directory) >=
        sizeof run->directory) {
        return err_set(err, ERR_USAGE, "%s: path too long", directory);
    }
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        if (!file_join(path, directory, FOLDERS[i], err) || !file_make_directories(path, err)) {
            return false;
        }
    }
    if (!take_lock(run, err)) {
        return false;
    }
    if (!prepare(run, settings, free_keys, err)) {
        run_close(run);
        return false;
    }
    return true;
}

void run_close(struct run *run)
{
    char path[FILE_PATH];

    if (run->locked && file_join(path, run->directory, LOCK_NAME, NULL)) {
        unlink(path);
        run->locked = false;
    }
}

/* Words are never empty, so that sscanf reads back what printf wrote. */
static const char *word(const char *text)
{
    return text && *text ? text : "-";
}

bool run_write_status(const char *directory, const struct run_status *status, struct err *err)
{
    char path[FILE_PATH], text[1024], now[CLOCK_STAMP];

    clock_stamp(now);
    int size = snprintf(text, sizeof text,
                        "{\"state\": \"%s\", \"moment\": \"%s\", \"rules\": \"%s\", "
                        "\"generation\": %d, \"stage\": \"%s\", \"done\": %" PRId64
                        ", \"total\": %" PRId64 ", \"unit\": \"%s\", \"rate\": %.2f}\n",
                        word(status->state), now, word(status->rules), status->generation,
                        word(status->stage), status->done, status->total, word(status->unit),
                        status->rate);
    return file_join(path, directory, "status.json", err) &&
           file_replace(path, text, (size_t)size, err);
}

bool run_read_status(const char *directory, struct run_status *status, struct run_words *words,
                     struct err *err)
{
    char path[FILE_PATH];

    if (!file_join(path, directory, "status.json", err)) {
        return false;
    }
    char *text = file_read(path, CONFIG_LIMIT, NULL, err);
    if (!text) {
        return false;
    }
    int fields =
        sscanf(text,
               "{\"state\": \"%31[^\"]\", \"moment\": \"%31[^\"]\", \"rules\": "
               "\"%31[^\"]\", \"generation\": %d, \"stage\": \"%31[^\"]\", \"done\": "
               "%" SCNd64 ", \"total\": %" SCNd64 ", \"unit\": \"%31[^\"]\", \"rate\": %lf",
               words->state, words->moment, words->rules, &status->generation, words->stage,
               &status->done, &status->total, words->unit, &status->rate);
    free(text);
    status->state = words->state;
    status->rules = words->rules;
    status->stage = words->stage;
    status->unit = words->unit;
    return fields == 9 || err_set(err, ERR_USAGE, "%s: damaged", path);
}

bool run_is_locked(const char *directory)
{
    char path[FILE_PATH];

    char *holder =
        file_join(path, directory, LOCK_NAME, NULL) ? file_read(path, LOCK_SIZE, NULL, NULL) : NULL;
    bool locked = holder && !lock_is_stale(holder);
    free(holder);
    return locked;
}
