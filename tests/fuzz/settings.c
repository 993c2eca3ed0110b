/* Configuration files and -s. What is read keeps to the table's bounds, and is the same when it is
 * dumped and read again, from the file and from the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/options.h"
#include "fuzz.h"

struct settings {
    int64_t whole, choice;
    double real;
    bool yes;
    char text[OPTION_VALUE];
};

static const struct option TABLE[] = {
    {"run", "seed", OPTION_INT, offsetof(struct settings, whole), "1", -5, 1e6, NULL, "a number"},
    {"run", "rate", OPTION_REAL, offsetof(struct settings, real), "0.5", -1, 1e9, NULL, "a rate"},
    {"run", "quiet", OPTION_BOOL, offsetof(struct settings, yes), "no", 0, 0, NULL, "a switch"},
    {"match", "name", OPTION_TEXT, offsetof(struct settings, text), "a b", 0, 0, NULL, "a text"},
    {"match", "end", OPTION_CHOICE, offsetof(struct settings, choice), "draw", 0, 0,
     "draw resign none", "a choice"},
};
enum { COUNT = sizeof TABLE / sizeof TABLE[0] };

static void check_bounds(const struct settings *settings)
{
    fuzz_require(settings->whole >= -5 && settings->whole <= 1000000, "numbers keep to bounds");
    fuzz_require(settings->real >= -1 && settings->real <= 1e9, "rates keep to bounds");
    fuzz_require(settings->choice >= 0 && settings->choice < 3, "choices are of those given");
    fuzz_require(memchr(settings->text, '\0', OPTION_VALUE) != NULL, "texts end");
    for (const char *at = settings->text; *at != '\0'; at++) {
        fuzz_require((unsigned char)*at >= ' ', "texts have no control character");
    }
}

static bool equal(const struct settings *a, const struct settings *b)
{
    return a->whole == b->whole && a->choice == b->choice && a->yes == b->yes &&
           !(a->real < b->real || a->real > b->real) && strcmp(a->text, b->text) == 0;
}

static bool read_bytes(const void *data, size_t size, struct settings *out, struct err *err)
{
    char path[FUZZ_PATH];

    fuzz_file(data, size, path);
    options_defaults(TABLE, COUNT, out);
    bool read = options_read(TABLE, COUNT, out, path, err);
    unlink(path);
    return read;
}

static void check_dump(const struct settings *settings)
{
    struct settings again = {0};
    struct err err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fuzz_require(out != NULL, "there is memory");
    options_dump(TABLE, COUNT, settings, out);
    fuzz_require(fclose(out) == 0, "there is memory");
    fuzz_require(read_bytes(text, size, &again, &err), "what is dumped can be read");
    fuzz_require(equal(settings, &again), "what is dumped reads back");
    free(text);
}

static void check_assignment(const uint8_t *data, size_t size)
{
    struct settings settings = {0};
    struct err err = {0};
    char *text = fuzz_text(data, size);

    options_defaults(TABLE, COUNT, &settings);
    if (options_assign(TABLE, COUNT, &settings, text, &err)) {
        check_bounds(&settings);
        check_dump(&settings);
    } else {
        fuzz_require_refusal(&err);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings settings = {0};
    struct err err = {0};

    check_assignment(data, size);
    if (read_bytes(data, size, &settings, &err)) {
        check_bounds(&settings);
        check_dump(&settings);
    } else {
        fuzz_require_refusal(&err);
    }
    return 0;
}
