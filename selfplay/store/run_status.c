/* status.json, written by printf and read back by scanf: no other program writes it. */
#include "selfplay/store/run_status.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/file.h"

enum { STATUS_LIMIT = 1 << 20 /* bytes */, FIELDS = 15 /* before the reason */ };

static const char STATUS_NAME[] = "status.json";

/* Words are never empty, so that sscanf reads back what printf wrote. */
static const char *word(const char *text)
{
    return text && *text ? text : "-";
}

/* A text as it may stand between quotation marks. */
static void quote(const char *text, char out[ERR_TEXT])
{
    size_t length = 0;

    for (; *text && length < ERR_TEXT - 1; text++) {
        out[length++] = *text == '"' ? '\'' : *text == '\\' ? '/' : *text < ' ' ? ' ' : *text;
    }
    out[length] = '\0';
}

/* Writes over what is there, which needs no room on the disk: the file's block is there. A reader
 * at this moment may find it damaged. */
static bool write_over(const char *path, const char *text, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && pwrite(fd, text, size, 0) == (ssize_t)size &&
              ftruncate(fd, (off_t)size) == 0 && fsync(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return ok;
}

bool run_write_status(const char *directory, const struct run_status *status, struct err *err)
{
    char path[FILE_PATH], text[1024 + ERR_TEXT], now[CLOCK_STAMP], reason[ERR_TEXT];

    clock_stamp(now);
    quote(word(status->reason), reason);
    int size = snprintf(
        text, sizeof text,
        "{\"state\": \"%s\", \"moment\": \"%s\", \"rules\": \"%s\", "
        "\"generation\": %d, \"stage\": \"%s\", \"done\": %" PRId64 ", \"total\": %" PRId64
        ", \"unit\": \"%s\", \"rate\": %.2f, \"ranks\": %d, "
        "\"games_least\": %" PRId64 ", \"games_most\": %" PRId64
        ", \"busy_least\": %.2f, \"busy_most\": %.2f, \"outside\": %.2f, \"reason\": \"%s\"}\n",
        word(status->state), now, word(status->rules), status->generation, word(status->stage),
        status->done, status->total, word(status->unit), status->rate, status->ranks,
        status->games_least, status->games_most, status->busy_least, status->busy_most,
        status->outside, reason);
    return file_join(path, directory, STATUS_NAME, err) &&
           (file_replace(path, text, (size_t)size, err) || write_over(path, text, (size_t)size));
}

bool run_read_status(const char *directory, struct run_status *status, struct run_words *words,
                     struct err *err)
{
    char path[FILE_PATH];

    if (!file_join(path, directory, STATUS_NAME, err)) {
        return false;
    }
    char *text = file_read(path, STATUS_LIMIT, NULL, err);
    if (!text) {
        return false;
    }
    int fields = sscanf(
        text,
        "{\"state\": \"%31[^\"]\", \"moment\": \"%31[^\"]\", \"rules\": "
        "\"%31[^\"]\", \"generation\": %d, \"stage\": \"%31[^\"]\", \"done\": "
        "%" SCNd64 ", \"total\": %" SCNd64
        ", \"unit\": \"%31[^\"]\", \"rate\": %lf, \"ranks\": %d, "
        "\"games_least\": %" SCNd64 ", \"games_most\": %" SCNd64
        ", \"busy_least\": %lf, \"busy_most\": %lf, \"outside\": %lf, \"reason\": \"%511[^\"]\"",
        words->state, words->moment, words->rules, &status->generation, words->stage, &status->done,
        &status->total, words->unit, &status->rate, &status->ranks, &status->games_least,
        &status->games_most, &status->busy_least, &status->busy_most, &status->outside,
        words->reason);
    free(text);
    status->reason = fields > FIELDS && strcmp(words->reason, "-") != 0 ? words->reason : NULL;
    status->state = words->state;
    status->rules = words->rules;
    status->stage = words->stage;
    status->unit = words->unit;
    return fields >= FIELDS || err_set(err, ERR_USAGE, "%s: damaged", path);
}
