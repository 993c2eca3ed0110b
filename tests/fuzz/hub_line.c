/* Hub's lines taken apart: words stand within the line, and put together again they are taken apart
 * into the same words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/hub/hub_line.h"
#include "engine/hub/hub_text.h"
#include "fuzz.h"

/* Complains unless the word, its NUL included, stands in the line. */
static void check_word(const char *word, const char *line, size_t size)
{
    if (word[0] != '\0') {
        fuzz_require(word >= line && word + strlen(word) <= line + size, "words are of the line");
    }
    fuzz_require(strchr(word, '"') == NULL, "no word holds a quote");
}

/* The line again, every word quoted. */
static char *put_together(const struct hub_line *line, size_t size)
{
    size_t room = size + 8 * (size_t)(line->count + 1), used;
    char *text = malloc(room);

    fuzz_require(text != NULL, "there is memory");
    used = (size_t)snprintf(text, room, "\"%s\"", line->command);
    for (int i = 0; i < line->count; i++) {
        const struct hub_argument *argument = &line->argument[i];
        bool flag = argument->value[0] == '\0';
        used += (size_t)snprintf(text + used, room - used, flag ? " \"%s\"" : " \"%s\" = \"%s\"",
                                 argument->name, argument->value);
    }
    fuzz_require(used < room, "quotes are all that is added");
    return text;
}

static void check_again(const struct hub_line *line, size_t size)
{
    char *text = put_together(line, size);
    struct hub_line again;
    struct err err = {0};

    fuzz_require(hub_line_parse(text, &again, &err), "a quoted line is a line");
    fuzz_require(strcmp(again.command, line->command) == 0 && again.count == line->count,
                 "a quoted line is the same line");
    for (int i = 0; i < line->count; i++) {
        const struct hub_argument *argument = &line->argument[i];
        fuzz_require(strcmp(again.argument[i].name, argument->name) == 0 &&
                         strcmp(again.argument[i].value, argument->value) == 0,
                     "a quoted argument is the same argument");
        const char *value = hub_line_value(line, argument->name);
        fuzz_require(value != NULL && (i > 0 || value == argument->value), "the first one counts");
    }
    free(text);
}

static void check_level(const struct hub_line *line)
{
    struct hub_level level;
    struct err err = {0};

    if (!hub_level_read(line, &level, &err)) {
        fuzz_require_refusal(&err);
        return;
    }
    double seconds = hub_level_seconds(&level);
    fuzz_require(level.depth >= 0 && level.depth < SEARCH_PLIES, "a depth can be searched");
    fuzz_require(seconds >= 0 && seconds <= 1e12, "a limit of time is a number");
    fuzz_require(level.infinite || level.depth || level.nodes || seconds > 0,
                 "a level limits the search or says that it does not");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct hub_line line;
    struct err err = {0};

    if (hub_line_parse(text, &line, &err)) {
        fuzz_require(line.count >= 0 && line.count <= HUB_ARGUMENTS, "arguments are bounded");
        check_word(line.command, text, size);
        for (int i = 0; i < line.count; i++) {
            check_word(line.argument[i].name, text, size);
            check_word(line.argument[i].value, text, size);
        }
        check_again(&line, size);
        check_level(&line);
    } else {
        fuzz_require_refusal(&err);
    }
    free(text);
    return 0;
}
