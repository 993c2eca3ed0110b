/* The directory of a run. */
#include "selfplay/store/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/game/hash.h"

/* Seconds for which another host's lock is watched. */
static const double PATIENCE = 30;

enum { CONFIG_LIMIT = 1 << 20, KEY_SIZE = 128 };

bool run_settings_path(char out[FILE_PATH], const char *directory, struct err *err)
{
    return file_join(out, directory, "config.ini", err);
}

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
        bool begins = strchr("._", (*free_keys)[length - 1]) != NULL;
        if (strncmp(*free_keys, key, length) == 0 && (begins || key[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Writes "key was A, now B; ..." for each key that differs and is not free; false when none. */
static bool differences(const char *before, const struct run_settings *settings, char *out,
                        size_t size)
{
    struct ini_reader reader = {.at = settings->text};
    char key[2 * KEY_SIZE], value[KEY_SIZE * 4], old[KEY_SIZE * 4];
    size_t length = 0;

    while (ini_next(&reader, key, value)) {
        if (is_free(key, settings->free_keys)) {
            continue;
        }
        if (!ini_find(before, key, old) && !ini_find(settings->initial, key, old)) {
            snprintf(old, sizeof old, "unknown");
        }
        if (strcmp(old, value) != 0 && length < size) {
            length += (size_t)snprintf(out + length, size - length, "%s%s was %s, now %s",
                                       length ? "; " : "", key, old, value);
        }
    }
    return length > 0;
}

static bool compare(const char *directory, const struct run_settings *settings, const char *advice,
                    struct err *err)
{
    char path[FILE_PATH], list[ERR_TEXT / 2];
    char *before =
        run_settings_path(path, directory, err) ? file_read(path, CONFIG_LIMIT, NULL, err) : NULL;

    if (!before) {
        return false;
    }
    bool differ = differences(before, settings, list, sizeof list);
    free(before);
    return !differ || err_set(err, ERR_USAGE, "%s: this run was begun with other settings: %s%s",
                              directory, list, advice);
}

bool run_compare(const char *directory, const struct run_settings *settings, struct err *err)
{
    return compare(directory, settings, "", err);
}

static bool prepare(struct run *run, const struct run_settings *settings, struct err *err)
{
    char path[FILE_PATH];

    if (!run_settings_path(path, run->directory, err)) {
        return false;
    }
    if (file_exists(path) &&
        !compare(run->directory, settings, "; use another directory for them", err)) {
        return false;
    }
    snprintf(run->configuration, sizeof run->configuration, "%016" PRIx64,
             hash_bytes(HASH_START, settings->text, strlen(settings->text)));
    return file_replace(path, settings->text, strlen(settings->text), err);
}

bool run_open(struct run *run, const char *directory, const struct run_settings *settings,
              const struct log *log, struct err *err)
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
    if (!lock_take(&run->lock, directory, PATIENCE, log, err)) {
        return false;
    }
    if (!prepare(run, settings, err)) {
        run_close(run);
        return false;
    }
    return true;
}

void run_close(struct run *run)
{
    lock_release(&run->lock);
}
