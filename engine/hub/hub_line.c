/* Taking a Hub line apart, word by word, in place: what follows a word is looked at before the NUL
 * behind the word is written. */
#include "engine/hub/hub_line.h"

#include <string.h>

static const char BLANKS[] = " \t\v\f\r\n";

struct reader {
    char *at;    /* first character not yet read, no blank */
    bool equals; /* an equals sign followed the word just read; it is read, too */
};

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, BLANKS);
}

/* The bare or quoted word at reader->at, or NULL with the error. A bare word may be empty. */
static const char *read_word(struct reader *reader, struct err *err)
{
    char *word = reader->at, *end;
    if (*word == '"') {
        end = strchr(++word, '"');
        if (end == NULL) {
            err_set(err, ERR_USAGE, "the quote before '%.40s' is not closed", word);
            return NULL;
        }
        reader->at = end + 1;
    } else {
        end = word + strcspn(word, " \t\v\f\r\n=\"");
        if (*end == '"') {
            err_set(err, ERR_USAGE, "a quote stands inside the word '%.40s'", word);
            return NULL;
        }
        reader->at = end;
    }
    skip_blanks(reader);
    reader->equals = *reader->at == '=';
    if (reader->equals) {
        reader->at++;
    }
    skip_blanks(reader);
    *end = '\0';
    return word;
}

static bool read_argument(struct reader *reader, struct hub_argument *out, struct err *err)
{
    out->name = read_word(reader, err);
    if (out->name == NULL) {
        return false;
    }
    out->value = "";
    if (!reader->equals) {
        return true;
    }
    if (out->name[0] == '\0') {
        return err_set(err, ERR_USAGE, "an equals sign without a name before it");
    }
    if (*reader->at == '\0') {
        return err_set(err, ERR_USAGE, "no value behind '%.40s='", out->name);
    }
    out->value = read_word(reader, err);
    if (out->value == NULL) {
        return false;
    }
    if (reader->equals) {
        return err_set(err, ERR_USAGE, "the value of '%.40s' has an equals sign: quote it",
                       out->name);
    }
    return true;
}

bool hub_line_parse(char *text, struct hub_line *out, struct err *err)
{
    struct reader reader = {0};
    reader.at = text;
    *out = (struct hub_line){.command = ""};
    skip_blanks(&reader);
    if (*reader.at == '\0') {
        return true;
    }
    out->command = read_word(&reader, err);
    if (out->command == NULL) {
        return false;
    }
    if (reader.equals) {
        return err_set(err, ERR_USAGE, "the line begins with '%.40s=' instead of a command",
                       out->command);
    }
    while (*reader.at != '\0') {
        if (out->count == HUB_ARGUMENTS) {
            return err_set(err, ERR_USAGE, "more than %d arguments", HUB_ARGUMENTS);
        }
        if (!read_argument(&reader, &out->argument[out->count], err)) {
            return false;
        }
        out->count++;
    }
    return true;
}

const char *hub_line_value(const struct hub_line *line, const char *name)
{
    for (int i = 0; i < line->count; i++) {
        if (strcmp(line->argument[i].name, name) == 0) {
            return line->argument[i].value;
        }
    }
    return NULL;
}
