/* status.json, written by printf and read back by scanf: no other program writes it. */
#include "selfplay/run_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/clock.h"
#include "engine/base/file.h"

enum { STATUS_LIMIT = 1 << 20 }; /* bytes */

static const char STATUS_NAME[] = "status.json";

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
    return file_join(path, directory, STATUS_NAME, err) &&
           file_replace(path, text, (size_t)size, err);
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
