/* The table of commands. */
#include "engine/base/commands.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/nearest.h"

enum { NAMES = 256, SUMMARY = 2048 };

/* "run, tune, match" */
static void list_names(const struct command_entry *table, size_t count, char out[NAMES])
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count && used < NAMES; i++) {
        used +=
            (size_t)snprintf(out + used, NAMES - used, "%s%s", i > 0 ? ", " : "", table[i].name);
    }
}

static const struct command_entry *find(const struct command_entry *table, size_t count,
                                        const char *name, struct err *err)
{
    struct nearest nearest = nearest_start(name);
    char names[NAMES];
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
        nearest_offer(&nearest, table[i].name);
    }
    const char *close = nearest_found(&nearest);
    if (close != NULL) {
        err_set(err, ERR_USAGE, "unknown command '%s', did you mean '%s'?", name, close);
        return NULL;
    }
    list_names(table, count, names);
    err_set(err, ERR_USAGE, "unknown command '%s', known are: %s", name, names);
    return NULL;
}

/* The program's summary and its commands, for --help. */
static void describe(const struct program *program, const struct command_entry *table, size_t count,
                     char out[SUMMARY])
{
    int used =
        snprintf(out, SUMMARY, "%s\n\nCommands (COMMAND --help says more):", program->summary);
    for (size_t i = 0; i < count && used < SUMMARY; i++) {
        used += snprintf(out + used, SUMMARY - (size_t)used, "\n  %-9s  %s", table[i].name,
                         table[i].summary);
    }
}

/* A command line that begins with no command. */
static bool run_without(const struct program *program, const struct command_entry *table,
                        size_t count, int argc, char *argv[], struct err *err)
{
    char summary[SUMMARY], names[NAMES];
    describe(program, table, count, summary);
    const struct command command = {
        .name = "",
        .operands = "COMMAND ...",
        .summary = summary,
        .operands_max = SIZE_MAX,
    };
    struct command_line line;
    if (!command_parse(program, &command, argc, argv, 1, &line, err)) {
        return false;
    }
    list_names(table, count, names);
    return line.finished ||
           err_set(err, ERR_USAGE, "the command comes first, known are: %s", names);
}

bool invocation_find(const struct program *program, const struct command_entry *table, size_t count,
                     int argc, char *argv[], struct invocation *out, struct err *err)
{
    *out = (struct invocation){.program = program, .argc = argc, .argv = argv};
    if (argc < 2 || argv[1][0] == '-') {
        return run_without(program, table, count, argc, argv, err);
    }
    out->command = find(table, count, argv[1], err);
    return out->command != NULL;
}

bool invocation_parse(const struct invocation *invocation, const struct flag *flags,
                      size_t flag_count, const char *operands, size_t operand_count,
                      struct command_line *out, struct err *err)
{
    size_t length = strlen(operands);
    bool any = length > 3 && strcmp(operands + length - 3, "...") == 0;
    const struct command command = {
        .name = invocation->command->name,
        .operands = operands,
        .summary = invocation->command->summary,
        .flags = flags,
        .flag_count = flag_count,
        .operands_min = operand_count,
        .operands_max = any ? SIZE_MAX : operand_count,
    };
    return command_parse(invocation->program, &command, invocation->argc, invocation->argv, 2, out,
                         err);
}
