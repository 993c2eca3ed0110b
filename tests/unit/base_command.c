/* The shared command line: flags in every spelling, operands, precedence of settings, and refusals
 * that name the fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/commands.h"

enum { ARGUMENTS = 12 };

/* One command line, parsed. */
struct parsed {
    int64_t seed; /* the only setting */
    const char *rules, *divide;
    struct command_line line;
    struct err err;
    bool ok;
    char *argv[ARGUMENTS];
};

static const struct option SEED = {"run", "seed", OPTION_INT, offsetof(struct parsed, seed), "1", 0,
                                   100,   NULL,   "the seed"};

static bool not_unlucky(const void *settings, struct err *err)
{
    const struct parsed *parsed = settings;
    return parsed->seed != 13 || err_set(err, ERR_USAGE, "run.seed: 13 is unlucky");
}

/* Parses "program WORDS...", split at blanks. `words` is changed and must outlive *parsed. */
static void parse(struct parsed *parsed, char *words, size_t operands_max)
{
    memset(parsed, 0, sizeof *parsed);
    const struct flag flags[] = {{'r', "rules", "RULES", "rule set", &parsed->rules},
                                 {0, "divide", NULL, "per move", &parsed->divide}};
    const struct program program = {"draughts", "summary", &SEED, 1, parsed, not_unlucky};
    const struct command command = {"perft", "DEPTH", "counts", flags, 2, 1, operands_max};
    static char name[] = "draughts";
    int argc = 0;
    parsed->argv[argc++] = name;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        parsed->argv[argc++] = word;
    }
    parsed->ok =
        command_parse(&program, &command, argc, parsed->argv, 1, &parsed->line, &parsed->err);
}

static void every_spelling_is_read(void **state)
{
    (void)state;
    static const char *const SAME[] = {"-r classic --divide 7", "--rules classic 7 --divide",
                                       "7 --divide --rules=classic", "--divide -rclassic 7",
                                       "-q --divide -r classic -- 7"};
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s", SAME[i]);
        struct parsed parsed;
        parse(&parsed, words, 1);
        assert_true(parsed.ok);
        assert_false(parsed.line.finished);
        assert_string_equal(parsed.rules, "classic");
        assert_string_equal(parsed.divide, "");
        assert_int_equal(parsed.line.operand_count, 1);
        assert_string_equal(parsed.line.operands[0], "7");
    }
}

static void operands_keep_their_order(void **state)
{
    (void)state;
    char words[] = "a -r x - b -- -c --check";
    struct parsed parsed;
    parse(&parsed, words, SIZE_MAX);
    static const char *const EXPECTED[] = {"a", "-", "b", "-c", "--check"};
    assert_int_equal(parsed.line.operand_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(parsed.line.operands[i], EXPECTED[i]);
    }
}

static void log_level_follows_the_flags(void **state)
{
    (void)state;
    char plain[] = "7", quiet[] = "-q 7", loud[] = "7 --verbose", both[] = "-qv 7";
    struct parsed parsed;
    parse(&parsed, plain, 1);
    assert_int_equal(parsed.line.log.level, LOG_INFO);
    parse(&parsed, quiet, 1);
    assert_int_equal(parsed.line.log.level, LOG_WARNING);
    parse(&parsed, loud, 1);
    assert_int_equal(parsed.line.log.level, LOG_DEBUG);
    parse(&parsed, both, 1);
    assert_int_equal(parsed.line.log.level, LOG_WARNING);
}

static void settings_have_precedence(void **state)
{
    (void)state;
    FILE *file = fopen("base_command.ini", "w");
    assert_non_null(file);
    fputs("[run]\nseed = 5\n", file);
    assert_int_equal(fclose(file), 0);
    char none[] = "7", from_file[] = "-c base_command.ini 7";
    char over[] = "-s run.seed=8 -s run.seed=9 7 -c base_command.ini";
    struct parsed parsed;
    parse(&parsed, none, 1);
    assert_int_equal(parsed.seed, 1);
    parse(&parsed, from_file, 1);
    assert_int_equal(parsed.seed, 5);
    parse(&parsed, over, 1);
    assert_int_equal(parsed.seed, 9);
    remove("base_command.ini");
}

static void check_needs_no_operand(void **state)
{
    (void)state;
    char good[] = "--check -s run.seed=2", bad[] = "--check -s run.seed=200";
    char unlucky[] = "--check -s run.seed=13";
    struct parsed parsed;
    parse(&parsed, good, 1);
    assert_true(parsed.ok);
    assert_true(parsed.line.finished);
    parse(&parsed, bad, 1);
    assert_false(parsed.ok);
    parse(&parsed, unlucky, 1);
    assert_false(parsed.ok);
    assert_string_equal(parsed.err.text, "run.seed: 13 is unlucky");
}

static void faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *words, *says;
    } BAD[] = {
        {"", "missing operand, expected: DEPTH"},
        {"7 8", "one operand too many: '8', expected: DEPTH"},
        {"-x 7", "unknown flag '-x', --help lists those known"},
        {"--divid 7", "unknown flag '--divid', did you mean '--divide'?"},
        {"--chek 7", "unknown flag '--chek', did you mean '--check'?"},
        {"--nothing=3 7", "unknown flag '--nothing', --help lists those known"},
        {"--divide=yes 7", "--divide takes no argument"},
        {"7 -r", "-r needs an argument: RULES"},
        {"7 --rules", "--rules needs an argument: RULES"},
        {"-s run.sed=1 7", "-s: unknown key 'run.sed', did you mean 'run.seed'?"},
        {"-c nowhere.ini 7", "nowhere.ini: no such file"},
        {"-c a -c b 7", "-c is given twice ('a' and 'b'), one is read"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s", BAD[i].words);
        struct parsed parsed;
        parse(&parsed, words, 1);
        assert_false(parsed.ok);
        assert_string_equal(parsed.err.text, BAD[i].says);
        assert_int_equal(parsed.err.code, ERR_USAGE);
    }
}

static void no_operand_where_none_is_expected(void **state)
{
    (void)state;
    char words[] = "7";
    struct parsed parsed;
    parse(&parsed, words, 0);
    assert_false(parsed.ok);
    assert_string_equal(parsed.err.text, "unexpected operand '7'");
}

static bool do_nothing(const struct invocation *invocation, struct err *err)
{
    (void)invocation;
    (void)err;
    return true;
}

/* The command that the first word of "program WORD" names; NULL with *err when there is none. */
static const struct command_entry *found_by(char *word, struct err *err)
{
    static const struct command_entry TABLE[] = {{"moves", "Lists.", do_nothing},
                                                 {"search", "Searches.", do_nothing},
                                                 {"tune", "Fits.", NULL}};
    static char name[] = "draughts";
    const struct program program = {"draughts", "summary", NULL, 0, NULL, NULL};
    struct invocation invocation;
    char *argv[] = {name, word, NULL};
    *err = (struct err){0};
    bool ok = invocation_find(&program, TABLE, 3, word != NULL ? 2 : 1, argv, &invocation, err);
    assert_int_equal(ok, invocation.command != NULL);
    return invocation.command;
}

static void commands_are_found_by_name(void **state)
{
    (void)state;
    char search[] = "search", tune[] = "tune", near[] = "serch", far[] = "xyzzy", quiet[] = "-q";
    struct err err;
    assert_string_equal(found_by(search, &err)->name, "search");
    assert_null(found_by(tune, &err)->run);
    assert_null(found_by(near, &err));
    assert_string_equal(err.text, "unknown command 'serch', did you mean 'search'?");
    assert_null(found_by(far, &err));
    assert_string_equal(err.text, "unknown command 'xyzzy', known are: moves, search, tune");
    assert_null(found_by(NULL, &err));
    assert_string_equal(err.text, "the command comes first, known are: moves, search, tune");
    assert_null(found_by(quiet, &err));
    assert_int_equal(err.code, ERR_USAGE);
}

static void exit_status_follows_the_code(void **state)
{
    (void)state;
    const struct program program = {"test", "", NULL, 0, NULL, NULL};
    struct err err = {ERR_USAGE, "shown on purpose: status 2"};
    assert_int_equal(command_fail(&program, &err), 2);
    err = (struct err){ERR_FAILED, "shown on purpose: status 1"};
    assert_int_equal(command_fail(&program, &err), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_is_read),
        cmocka_unit_test(operands_keep_their_order),
        cmocka_unit_test(log_level_follows_the_flags),
        cmocka_unit_test(settings_have_precedence),
        cmocka_unit_test(check_needs_no_operand),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(no_operand_where_none_is_expected),
        cmocka_unit_test(commands_are_found_by_name),
        cmocka_unit_test(exit_status_follows_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
