/* Settings: defaults, assignments, the configuration file and its way back; every kind of bad input
 * is refused with a text that says where and what would be right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/options.h"

struct settings {
    int64_t seed, any, rules;
    double margin;
    bool resume;
    char directory[OPTION_VALUE];
};

static const struct option TABLE[] = {
    {"run", "seed", OPTION_INT, offsetof(struct settings, seed), "1", 0, 1e6, NULL, "the seed"},
    {"run", "any", OPTION_INT, offsetof(struct settings, any), "0", -0x1p63, 0x1p63, NULL, "any"},
    {"run", "rules", OPTION_CHOICE, offsetof(struct settings, rules), "all", 0, 0,
     "all international classic", "rule sets"},
    {"search", "margin", OPTION_REAL, offsetof(struct settings, margin), "0.1", -1, 2, NULL, "men"},
    {"search", "resume", OPTION_BOOL, offsetof(struct settings, resume), "yes", 0, 0, NULL,
     "go on"},
    {"weights", "dir", OPTION_TEXT, offsetof(struct settings, directory), "", 0, 0, NULL, "where"},
};
enum { COUNT = sizeof TABLE / sizeof TABLE[0] };

static struct settings defaults(void)
{
    struct settings settings;
    options_defaults(TABLE, COUNT, &settings);
    return settings;
}

static void defaults_are_set(void **state)
{
    (void)state;
    struct settings settings = defaults();
    assert_int_equal(settings.seed, 1);
    assert_int_equal(settings.rules, 0);
    assert_true(settings.margin == 0.1);
    assert_true(settings.resume);
    assert_string_equal(settings.directory, "");
}

static void good_assignments_are_taken(void **state)
{
    (void)state;
    static const char *const GOOD[] = {
        "run.seed=1000000",    "run.any=-9223372036854775808",
        "run.rules=classic",   "search.margin=-2.5e-1",
        "search.resume=off",   "weights.dir=a b;c=d #e",
        "search.resume=false", "search.resume=0",
        "search.resume=no",
    };
    struct settings settings = defaults();
    struct err err;
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        assert_true(options_assign(TABLE, COUNT, &settings, GOOD[i], &err));
    }
    assert_int_equal(settings.seed, 1000000);
    assert_true(settings.any == INT64_MIN);
    assert_int_equal(settings.rules, 2);
    assert_true(settings.margin == -0.25);
    assert_false(settings.resume);
    assert_string_equal(settings.directory, "a b;c=d #e");
}

struct refusal {
    const char *text, *says;
};

static void bad_assignments_are_refused(void **state)
{
    (void)state;
    static const struct refusal BAD[] = {
        {"run.seed", "'run.seed' has no '=', a setting is section.key=value"},
        {"run.sed=1", "unknown key 'run.sed', did you mean 'run.seed'?"},
        {"=1", "unknown key '', --help lists those known"},
        {"seed=1", "unknown key 'seed', --help lists those known"},
        {"run.seed=", "run.seed: '' is not a whole number, it must be one from 0 to 1000000"},
        {"run.seed=1x", "run.seed: '1x' is not a whole number, it must be one from 0 to 1000000"},
        {"run.seed= 1", "run.seed: ' 1' is not a whole number, it must be one from 0 to 1000000"},
        {"run.seed=1.5", "run.seed: '1.5' is not a whole number, it must be one from 0 to 1000000"},
        {"run.seed=-", "run.seed: '-' is not a whole number, it must be one from 0 to 1000000"},
        {"run.seed=1-2", "run.seed: '1-2' is not a whole number, it must be one from 0 to 1000000"},
        {"search.margin=1e", "search.margin: '1e' is not a number, it must be one from -1 to 2"},
        {"run.seed=-1", "run.seed: -1 is out of range, it must be from 0 to 1000000"},
        {"run.seed=1000001", "run.seed: 1000001 is out of range, it must be from 0 to 1000000"},
        {"run.any=9223372036854775808", "run.any: 9223372036854775808 is out of range, it must be "
                                        "at least -9223372036854775808"},
        {"search.margin=2.01", "search.margin: 2.01 is out of range, it must be from -1 to 2"},
        {"search.margin=nan", "search.margin: 'nan' is not a number, it must be one from -1 to 2"},
        {"search.margin=0x1", "search.margin: '0x1' is not a number, it must be one from -1 to 2"},
        {"search.margin=1e999", "search.margin: 1e999 is out of range, it must be from -1 to 2"},
        {"search.margin=1,5", "search.margin: '1,5' is not a number, it must be one from -1 to 2"},
        {"search.resume=maybe", "search.resume: 'maybe' is neither yes nor no"},
        {"run.rules=class", "run.rules: 'class' is not one of: all international classic"},
        {"run.rules=", "run.rules: '' is not one of: all international classic"},
        {"weights.dir= x", "weights.dir: ' x' must have no control character, no blank at its ends "
                           "and no ';' at its start or behind a blank"},
    };
    struct settings settings = defaults(), before = settings;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct err err = {0};
        assert_false(options_assign(TABLE, COUNT, &settings, BAD[i].text, &err));
        assert_string_equal(err.text, BAD[i].says);
        assert_int_equal(err.code, ERR_USAGE);
    }
    assert_memory_equal(&settings, &before, sizeof settings);
}

static void texts_that_no_file_can_hold_are_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {"weights.dir=x ", "weights.dir=;x", "weights.dir=x ;y",
                                      "weights.dir=x\ny", "weights.dir= "};
    struct settings settings = defaults();
    struct err err;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        assert_false(options_assign(TABLE, COUNT, &settings, BAD[i], &err));
    }
    char longest[256];
    int room = OPTION_LINE - (int)strlen("dir = ");
    snprintf(longest, sizeof longest, "weights.dir=%0*d", room, 0);
    assert_true(options_assign(TABLE, COUNT, &settings, longest, &err));
    snprintf(longest, sizeof longest, "weights.dir=%0*d", room + 1, 0);
    assert_false(options_assign(TABLE, COUNT, &settings, longest, &err));
    assert_string_equal(err.text, "weights.dir: the value has 194 bytes, at most 193 fit");
}

static const char FILE_NAME[] = "base_options.ini";

static void write_file(const char *text, size_t size)
{
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static bool read_text(const char *text, struct settings *settings, struct err *err)
{
    *settings = defaults();
    write_file(text, strlen(text));
    return options_read(TABLE, COUNT, settings, FILE_NAME, err);
}

static void good_file_is_read(void **state)
{
    (void)state;
    struct settings settings;
    struct err err;
    assert_true(read_text("# comment\n"
                          "  ; indented comment\n"
                          "   \n"
                          "[run]\r\n"
                          "seed = 7 ; of the week\r\n"
                          "rules=international\n"
                          "\n"
                          "[weights]\n"
                          "dir = runs/demo\n"
                          "[search]\n"
                          "resume: no",
                          &settings, &err));
    assert_int_equal(settings.seed, 7);
    assert_int_equal(settings.rules, 1);
    assert_string_equal(settings.directory, "runs/demo");
    assert_false(settings.resume);
    assert_true(settings.margin == 0.1);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct refusal BAD[] = {
        {"[run]\n\nsed = 1\n", "base_options.ini:3: unknown key 'run.sed', did you mean "
                               "'run.seed'?"},
        {"[rum]\nseed = 1\n", "base_options.ini:2: unknown key 'rum.seed', did you mean "
                              "'run.seed'?"},
        {"[run]\nseed = 1x\n", "base_options.ini:2: run.seed: '1x' is not a whole number, it must "
                               "be one from 0 to 1000000"},
        {"; x\nseed = 1\n", "base_options.ini:2: a key stands before the first [section]"},
        {"[run]\nseed\n", "base_options.ini:2: is neither [section] nor key = value"},
        {"[run\nseed = 1\n", "base_options.ini:1: is neither [section] nor key = value"},
        {"[run]\nwhat\nsed = 1\n", "base_options.ini:2: is neither [section] nor key = value"},
        {"[run]\nsed = 1\nwhat\n", "base_options.ini:2: unknown key 'run.sed', did you mean "
                                   "'run.seed'?"},
        {"[run]\nseed = 1\n  2\n",
         "base_options.ini:3: the line is indented, a setting starts at the margin"},
        {"[run]\n\tseed = 1\n",
         "base_options.ini:2: the line is indented, a setting starts at the margin"},
        {"[run]\nseed = 1\n[search]\nmargin = 1\n[run]\nseed = 1\n",
         "base_options.ini:6: run.seed was given on line 2 already"},
    };
    struct settings settings;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct err err = {0};
        assert_false(read_text(BAD[i].text, &settings, &err));
        assert_string_equal(err.text, BAD[i].says);
        assert_int_equal(err.code, ERR_USAGE);
    }
}

/* libinih would cut the line and take its rest for another one. */
static void long_lines_are_refused(void **state)
{
    (void)state;
    char text[512];
    struct settings settings;
    struct err err;
    int room = OPTION_LINE - (int)strlen("dir = ");
    snprintf(text, sizeof text, "[weights]\ndir = %0*d\n", room, 0);
    assert_true(read_text(text, &settings, &err));
    assert_int_equal(strlen(settings.directory), room);
    snprintf(text, sizeof text, "[weights]\ndir = %0*d\n", room + 1, 0);
    assert_false(read_text(text, &settings, &err));
    assert_string_equal(err.text,
                        "base_options.ini:2: the line is too long, at most 199 bytes are read");
}

static void what_is_no_text_file_is_refused(void **state)
{
    (void)state;
    struct settings settings = defaults();
    struct err err;
    write_file("[run]\0seed = 1\n", 15);
    assert_false(options_read(TABLE, COUNT, &settings, FILE_NAME, &err));
    assert_string_equal(err.text, "base_options.ini: holds a zero byte, a text file is needed");
    assert_false(options_read(TABLE, COUNT, &settings, "nowhere.ini", &err));
    assert_string_equal(err.text, "nowhere.ini: no such file");
    assert_int_equal(err.code, ERR_USAGE);
    assert_false(options_read(TABLE, COUNT, &settings, ".", &err));
    assert_string_equal(err.text, ".: is a directory, a file is needed");
}

static void dump_is_read_back(void **state)
{
    (void)state;
    static const char *const ODD[] = {"run.any=-9223372036854775808", "run.rules=international",
                                      "search.margin=0.30000000000000004", "search.resume=no",
                                      "weights.dir=a;b = c"};
    struct settings settings = defaults(), back = defaults();
    struct err err;
    for (size_t i = 0; i < sizeof ODD / sizeof ODD[0]; i++) {
        assert_true(options_assign(TABLE, COUNT, &settings, ODD[i], &err));
    }
    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    options_dump(TABLE, COUNT, &settings, file);
    assert_int_equal(fclose(file), 0);
    assert_true(options_read(TABLE, COUNT, &back, FILE_NAME, &err));
    assert_int_equal(back.seed, settings.seed);
    assert_true(back.any == settings.any);
    assert_int_equal(back.rules, settings.rules);
    assert_true(back.margin == settings.margin);
    assert_int_equal(back.resume, settings.resume);
    assert_string_equal(back.directory, settings.directory);
}

/* --- families ----------------------------------------------------------------------------------*/

struct guest {
    char name[OPTION_NAME];
    int64_t age;
    char drink[OPTION_VALUE];
};

struct party {
    int64_t hour, end;
    struct guest guest[3];
};

static const struct option PARTY[] = {
    {"party", "hour", OPTION_INT, offsetof(struct party, hour), "20", 0, 23, NULL, "begins"},
    {"guest_*", "", OPTION_FAMILY, offsetof(struct party, guest), "", sizeof(struct guest), 3, NULL,
     "who comes"},
    {"guest_*", "age", OPTION_INT, offsetof(struct guest, age), "30", 0, 200, NULL, "years"},
    {"guest_*", "drink", OPTION_TEXT, offsetof(struct guest, drink), "tea", 0, 0, NULL, "likes"},
    {"party", "end", OPTION_INT, offsetof(struct party, end), "23", 0, 23, NULL, "ends"},
};
enum { PARTY_COUNT = sizeof PARTY / sizeof PARTY[0] };

static void sections_of_a_family(void **state)
{
    (void)state;
    struct party party, back;
    struct err err;
    char *text = NULL;
    size_t size;

    memset(&party, 'x', sizeof party);
    options_defaults(PARTY, PARTY_COUNT, &party);
    assert_true(party.hour == 20 && party.end == 23 && party.guest[0].name[0] == '\0');
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_Zoe.age=40", &err));
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_al-1.drink=water", &err));
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_Zoe.drink=beer", &err));
    assert_string_equal(party.guest[0].name, "Zoe");
    assert_true(party.guest[0].age == 40 && party.guest[1].age == 30);
    assert_string_equal(party.guest[0].drink, "beer");
    assert_string_equal(party.guest[1].drink, "water");
    assert_string_equal(party.guest[2].name, "");

    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    options_dump(PARTY, PARTY_COUNT, &party, file);
    assert_int_equal(fclose(file), 0);
    options_defaults(PARTY, PARTY_COUNT, &back);
    assert_true(options_read(PARTY, PARTY_COUNT, &back, FILE_NAME, &err));
    assert_string_equal(back.guest[1].name, "al-1");
    assert_true(back.guest[0].age == 40);
    assert_string_equal(back.guest[1].drink, "water");
    assert_string_equal(back.guest[2].name, "");

    FILE *out = open_memstream(&text, &size);
    options_help(PARTY, PARTY_COUNT, out);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "  guest_NAME (up to 3 sections)\n      who comes\n"));
    assert_non_null(strstr(text, "  guest_NAME.age=0..200 (default: 30)\n      years\n"));
    free(text);
}

static void bad_sections_of_a_family(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *says;
    } BAD[] = {
        {"guest_a.aeg=1", "unknown key 'guest_a.aeg', did you mean 'guest_a.age'?"},
        {"guest_.age=1", "unknown key 'guest_.age', did you mean 'guest_*.age'?"},
        {"guest_a b.age=1",
         "section 'guest_a b': behind 'guest_' stands a name of letters, digits, "
         "'_' and '-', 31 at most"},
        {"guest_a.age=-1", "guest_a.age: -1 is out of range, it must be from 0 to 200"},
        {"guest_d.age=1", "section 'guest_d': there are 3 sections 'guest_*' already, the most"},
    };
    struct party party;
    struct err err;

    options_defaults(PARTY, PARTY_COUNT, &party);
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_a.age=1", &err));
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_b.age=1", &err));
    assert_true(options_assign(PARTY, PARTY_COUNT, &party, "guest_c.age=1", &err));
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        assert_false(options_assign(PARTY, PARTY_COUNT, &party, BAD[i].assignment, &err));
        assert_string_equal(err.text, BAD[i].says);
        assert_int_equal(err.code, ERR_USAGE);
    }
    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    fputs("[guest_a]\nage = 1\n[guest_b]\nage = 1\n[guest_a]\nage = 2\n", file);
    assert_int_equal(fclose(file), 0);
    options_defaults(PARTY, PARTY_COUNT, &party);
    assert_false(options_read(PARTY, PARTY_COUNT, &party, FILE_NAME, &err));
    assert_string_equal(err.text, "base_options.ini:6: guest_a.age was given on line 2 already");
}

static int remove_file(void **state)
{
    (void)state;
    return remove(FILE_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(good_assignments_are_taken),
        cmocka_unit_test(bad_assignments_are_refused),
        cmocka_unit_test(texts_that_no_file_can_hold_are_refused),
        cmocka_unit_test(good_file_is_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(what_is_no_text_file_is_refused),
        cmocka_unit_test(dump_is_read_back),
        cmocka_unit_test(sections_of_a_family),
        cmocka_unit_test(bad_sections_of_a_family),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
