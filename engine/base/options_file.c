/* The configuration file, read by libinih one line at a time. The lines are handed to it from
 * memory so that those it would misread (over-long or indented ones) are refused, with their
 * number, before it sees them. */
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"
#include "engine/base/options.h"

enum { FILE_LIMIT = 1 << 20, ASSIGNMENT = 3 * OPTION_LINE };

/* A value that the file has set. */
struct given {
    const void *place;
    int line;
};

struct reading {
    const struct option *table;
    size_t count;
    void *settings;
    const char *path;
    const char *next; /* the text not yet read */
    int line;         /* number of the line handed over last */
    struct given *given;
    size_t given_count;
    bool failed; /* *err is filled */
    struct err *err;
};

static bool fail(struct reading *reading, const char *what)
{
    reading->failed = true;
    return err_set(reading->err, ERR_USAGE, "%s:%d: %s", reading->path, reading->line, what);
}

static bool acceptable(struct reading *reading, size_t length)
{
    if (length > OPTION_LINE) {
        return fail(reading, "the line is too long, at most 199 bytes are read");
    }
    size_t blanks = strspn(reading->next, " \t\v\f");
    bool content = blanks < length && strchr(";#\r", reading->next[blanks]) == NULL;
    if (blanks > 0 && content) {
        return fail(reading, "the line is indented, a setting starts at the margin");
    }
    return true;
}

/* ini_reader: copies the next line, without its end, into buffer[size]; NULL stops. */
static char *next_line(char *buffer, int size, void *stream)
{
    struct reading *reading = stream;
    if (reading->failed || *reading->next == '\0') {
        return NULL;
    }
    reading->line++;
    size_t length = strcspn(reading->next, "\n");
    if (!acceptable(reading, length) || length >= (size_t)size) {
        return NULL;
    }
    memcpy(buffer, reading->next, length);
    buffer[length] = '\0';
    reading->next += length + (reading->next[length] == '\n');
    return buffer;
}

/* Notes that this line sets the key; false when an earlier one did. What has no place is let
 * through, options_assign refuses it. */
static bool first_time(struct reading *reading, const char *section, const char *key)
{
    const void *place =
        options_place(reading->table, reading->count, reading->settings, section, key);
    if (place == NULL) {
        return true;
    }
    for (size_t i = 0; i < reading->given_count; i++) {
        if (reading->given[i].place == place) {
            reading->failed = true;
            return err_set(reading->err, ERR_USAGE, "%s:%d: %s.%s was given on line %d already",
                           reading->path, reading->line, section, key, reading->given[i].line);
        }
    }
    reading->given[reading->given_count++] = (struct given){place, reading->line};
    return true;
}

/* ini_handler: one setting. 0 reports a fault, in reading->err. */
static int take(void *user, const char *section, const char *key, const char *value)
{
    struct reading *reading = user;
    if (section[0] == '\0') {
        return fail(reading, "a key stands before the first [section]");
    }
    if (!first_time(reading, section, key)) {
        return 0;
    }
    char assignment[ASSIGNMENT];
    snprintf(assignment, sizeof assignment, "%s.%s=%s", section, key, value);
    if (options_assign(reading->table, reading->count, reading->settings, assignment,
                       reading->err)) {
        return 1;
    }
    reading->failed = true;
    return err_prefix(reading->err, "%s:%d", reading->path, reading->line);
}

static bool parse(struct reading *reading)
{
    int fault = ini_parse_stream(next_line, reading, take, reading);
    if (fault > 0 && (!reading->failed || fault < reading->line)) {
        reading->line = fault;
        return fail(reading, "is neither [section] nor key = value");
    }
    if (fault < 0) {
        return err_set(reading->err, ERR_FAILED, "%s: out of memory", reading->path);
    }
    return !reading->failed;
}

/* How many lines a text has; each sets one value at most. */
static size_t lines_of(const char *text)
{
    size_t lines = 1;
    for (; (text = strchr(text, '\n')) != NULL; text++) {
        lines++;
    }
    return lines;
}

bool options_read(const struct option *table, size_t count, void *settings, const char *path,
                  struct err *err)
{
    size_t size = 0;
    char *text = file_read(path, FILE_LIMIT, &size, err);
    if (text == NULL) {
        return false;
    }
    bool read = false;
    struct given *given = calloc(lines_of(text), sizeof *given);
    if (given == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", path);
    } else if (strlen(text) != size) {
        err_set(err, ERR_USAGE, "%s: holds a zero byte, a text file is needed", path);
    } else {
        struct reading reading = {.table = table,
                                  .count = count,
                                  .settings = settings,
                                  .path = path,
                                  .next = text,
                                  .given = given,
                                  .err = err};
        read = parse(&reading);
    }
    free(given);
    free(text);
    return read;
}
