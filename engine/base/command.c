/* The command line that all programs share. One pass over the arguments sorts them into common
 * flags, the command's own flags and operands (moved together at the front of argv); then the
 * settings are made in order of precedence. */
#include "engine/base/command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/nearest.h"
#include "engine/base/version.h"

enum common { HELP, VERSION, QUIET, VERBOSE, CONFIG, SET, DUMP, CHECK, COMMON_COUNT };

static const struct flag COMMON[COMMON_COUNT] = {
    [HELP] = {'h', "help", NULL, "show this help", NULL},
    [VERSION] = {'V', "version", NULL, "show version, compiler and instruction set", NULL},
    [QUIET] = {'q', "quiet", NULL, "only warnings and errors on stderr", NULL},
    [VERBOSE] = {'v', "verbose", NULL, "more on stderr", NULL},
    [CONFIG] = {'c', "config", "FILE", "read settings from FILE", NULL},
    [SET] = {'s', "set", "SECTION.KEY=VALUE", "set one setting, over FILE; repeatable", NULL},
    [DUMP] = {0, "dump-config", NULL, "write the settings as a configuration file and exit", NULL},
    [CHECK] = {0, "check", NULL, "check command line and settings and exit", NULL},
};

struct parsing {
    const struct program *program;
    const struct command *command;
    char **argv;
    int argc, at;          /* argv[at] is the argument being read */
    int operands_end;      /* operands read so far end here in argv */
    const char *config;    /* FILE of -c, or NULL */
    const char **settings; /* assignments of -s, in order */
    size_t settings_count;
    bool given[COMMON_COUNT];
    struct err *err;
};

static bool known_letter(const struct flag *flag, char letter)
{
    return flag->letter != 0 && flag->letter == letter;
}

static bool known_name(const struct flag *flag, const char *name, size_t length)
{
    return flag->name != NULL && strlen(flag->name) == length &&
           strncmp(flag->name, name, length) == 0;
}

static const struct flag *find_letter(const struct parsing *parsing, char letter)
{
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        if (known_letter(&COMMON[i], letter)) {
            return &COMMON[i];
        }
    }
    for (size_t i = 0; i < parsing->command->flag_count; i++) {
        if (known_letter(&parsing->command->flags[i], letter)) {
            return &parsing->command->flags[i];
        }
    }
    return NULL;
}

static const struct flag *find_name(const struct parsing *parsing, const char *name, size_t length)
{
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        if (known_name(&COMMON[i], name, length)) {
            return &COMMON[i];
        }
    }
    for (size_t i = 0; i < parsing->command->flag_count; i++) {
        if (known_name(&parsing->command->flags[i], name, length)) {
            return &parsing->command->flags[i];
        }
    }
    return NULL;
}

static bool unknown_flag(const struct parsing *parsing, const char *name, size_t length)
{
    char word[NEAREST_NAME];
    snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word,
             name);
    struct nearest nearest = nearest_start(word);
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        nearest_offer(&nearest, COMMON[i].name);
    }
    for (size_t i = 0; i < parsing->command->flag_count; i++) {
        if (parsing->command->flags[i].name != NULL) {
            nearest_offer(&nearest, parsing->command->flags[i].name);
        }
    }
    const char *found = nearest_found(&nearest);
    if (found == NULL) {
        return err_set(parsing->err, ERR_USAGE, "unknown flag '--%s', --help lists those known",
                       word);
    }
    return err_set(parsing->err, ERR_USAGE, "unknown flag '--%s', did you mean '--%s'?", word,
                   found);
}

/* Takes note of a flag that was found; value is "" for one without argument. */
static bool apply(struct parsing *parsing, const struct flag *flag, const char *value)
{
    if (flag < COMMON || flag >= COMMON + COMMON_COUNT) {
        if (flag->value != NULL) {
            *flag->value = value;
        }
        return true;
    }
    enum common which = (enum common)(flag - COMMON);
    if (which == CONFIG && parsing->config != NULL) {
        return err_set(parsing->err, ERR_USAGE, "-c is given twice ('%s' and '%s'), one is read",
                       parsing->config, value);
    }
    parsing->given[which] = true;
    if (which == CONFIG) {
        parsing->config = value;
    }
    if (which == SET) {
        parsing->settings[parsing->settings_count++] = value;
    }
    return true;
}

/* The next argument as the argument of `flag`, which the user wrote as `written`. */
static bool apply_next(struct parsing *parsing, const struct flag *flag, const char *written)
{
    if (parsing->at + 1 >= parsing->argc) {
        return err_set(parsing->err, ERR_USAGE, "%s needs an argument: %s", written,
                       flag->argument);
    }
    return apply(parsing, flag, parsing->argv[++parsing->at]);
}

/* "--name", "--name VALUE", "--name=VALUE" */
static bool parse_long(struct parsing *parsing, const char *argument)
{
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const struct flag *flag = find_name(parsing, name, length);
    if (flag == NULL) {
        return unknown_flag(parsing, name, length);
    }
    bool has_value = name[length] == '=';
    if (flag->argument == NULL && has_value) {
        return err_set(parsing->err, ERR_USAGE, "--%s takes no argument", flag->name);
    }
    if (flag->argument == NULL) {
        return apply(parsing, flag, "");
    }
    if (has_value) {
        return apply(parsing, flag, name + length + 1);
    }
    return apply_next(parsing, flag, argument);
}

/* "-q", "-qv", "-r VALUE", "-rVALUE" */
static bool parse_short(struct parsing *parsing, const char *argument)
{
    for (const char *at = argument + 1; *at != '\0'; at++) {
        const struct flag *flag = find_letter(parsing, *at);
        if (flag == NULL) {
            return err_set(parsing->err, ERR_USAGE, "unknown flag '-%c', --help lists those known",
                           *at);
        }
        if (flag->argument != NULL) {
            const char written[] = {'-', *at, '\0'};
            return at[1] != '\0' ? apply(parsing, flag, at + 1)
                                 : apply_next(parsing, flag, written);
        }
        if (!apply(parsing, flag, "")) {
            return false;
        }
    }
    return true;
}

static bool parse_arguments(struct parsing *parsing)
{
    bool flags = true;
    for (; parsing->at < parsing->argc; parsing->at++) {
        char *argument = parsing->argv[parsing->at];
        if (flags && strcmp(argument, "--") == 0) {
            flags = false;
        } else if (flags && strncmp(argument, "--", 2) == 0) {
            if (!parse_long(parsing, argument)) {
                return false;
            }
        } else if (flags && argument[0] == '-' && argument[1] != '\0') {
            if (!parse_short(parsing, argument)) {
                return false;
            }
        } else {
            parsing->argv[parsing->operands_end++] = argument;
        }
        if (parsing->given[HELP] || parsing->given[VERSION]) {
            return true; /* answered whatever else is on the line */
        }
    }
    return true;
}

static bool check_operands(const struct parsing *parsing, const struct command_line *line)
{
    const struct command *command = parsing->command;
    if (line->operand_count < command->operands_min) {
        return err_set(parsing->err, ERR_USAGE, "missing operand, expected: %s", command->operands);
    }
    if (line->operand_count > command->operands_max && command->operands_max == 0) {
        return err_set(parsing->err, ERR_USAGE, "unexpected operand '%s'", line->operands[0]);
    }
    if (line->operand_count > command->operands_max) {
        return err_set(parsing->err, ERR_USAGE, "one operand too many: '%s', expected: %s",
                       line->operands[command->operands_max], command->operands);
    }
    return true;
}

static bool make_settings(const struct parsing *parsing)
{
    const struct program *program = parsing->program;
    if (parsing->config != NULL &&
        !options_read(program->options, program->option_count, program->settings, parsing->config,
                      parsing->err)) {
        return false;
    }
    for (size_t i = 0; i < parsing->settings_count; i++) {
        if (!options_assign(program->options, program->option_count, program->settings,
                            parsing->settings[i], parsing->err)) {
            return err_prefix(parsing->err, "-s");
        }
    }
    return program->check == NULL || program->check(program->settings, parsing->err);
}

static void help_flag(const struct flag *flag, FILE *out)
{
    char text[64];
    const char letter[] = {'-', flag->letter, '\0'};
    snprintf(text, sizeof text, "%s%s%s%s%s%s", flag->letter != 0 ? letter : "",
             flag->letter != 0 && flag->name != NULL ? ", " : "", flag->name != NULL ? "--" : "",
             flag->name != NULL ? flag->name : "", flag->argument != NULL ? " " : "",
             flag->argument != NULL ? flag->argument : "");
    fprintf(out, "  %-28s  %s\n", text, flag->help);
}

static void show_help(const struct program *program, const struct command *command, FILE *out)
{
    fprintf(out, "Usage: %s%s%s [FLAGS]%s%s\n\n%s\n", program->name,
            command->name[0] != '\0' ? " " : "", command->name,
            command->operands[0] != '\0' ? " " : "", command->operands, command->summary);
    if (command->flag_count > 0) {
        fputs("\nFlags:\n", out);
    }
    for (size_t i = 0; i < command->flag_count; i++) {
        help_flag(&command->flags[i], out);
    }
    fputs("\nCommon flags:\n", out);
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        help_flag(&COMMON[i], out);
    }
    if (program->option_count > 0) {
        fputs("\nSettings (in FILE as key=value under [section], or with -s):\n", out);
    }
    options_help(program->options, program->option_count, out);
}

/* Everything behind the sorting of the arguments. */
static bool finish(struct parsing *parsing, int first, struct command_line *out)
{
    const struct program *program = parsing->program;
    out->operands = (const char *const *)(parsing->argv + first);
    out->operand_count = (size_t)(parsing->operands_end - first);
    if (parsing->given[VERBOSE]) {
        out->log.level = LOG_DEBUG;
    }
    if (parsing->given[QUIET]) {
        out->log.level = LOG_WARNING;
    }
    out->finished = true;
    if (parsing->given[HELP]) {
        show_help(program, parsing->command, stdout);
        return true;
    }
    if (parsing->given[VERSION]) {
        printf("%s\n", version_line());
        return true;
    }
    if (!make_settings(parsing)) {
        return false;
    }
    if (parsing->given[DUMP]) {
        options_dump(program->options, program->option_count, program->settings, stdout);
    }
    out->finished = parsing->given[DUMP] || parsing->given[CHECK];
    return out->finished || check_operands(parsing, out);
}

bool command_parse(const struct program *program, const struct command *command, int argc,
                   char *argv[], int first, struct command_line *out, struct err *err)
{
    *out = (struct command_line){.log = log_stderr(program->name)};
    options_defaults(program->options, program->option_count, program->settings);
    struct parsing parsing = {.program = program,
                              .command = command,
                              .argv = argv,
                              .argc = argc,
                              .at = first,
                              .operands_end = first,
                              .err = err};
    parsing.settings = calloc((size_t)argc + 1, sizeof *parsing.settings);
    if (parsing.settings == NULL) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    bool parsed = parse_arguments(&parsing) && finish(&parsing, first, out);
    free(parsing.settings);
    return parsed;
}

int command_fail(const struct program *program, const struct err *err)
{
    struct log log = log_stderr(program->name);
    log_line(&log, LOG_ERROR, "%s", err->text);
    return err->code == ERR_USAGE ? ERR_USAGE : ERR_FAILED;
}
