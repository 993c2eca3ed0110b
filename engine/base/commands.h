/* A program that is several: its table of commands. The first word of the command line names one;
 * --help without a command lists them all. */
#pragma once

#include "engine/base/command.h"

struct invocation;

/* One row of the table. */
struct command_entry {
    const char *name, *summary;
    bool (*run)(const struct invocation *invocation, struct err *err); /* results on stdout; NULL:
                                                                          the program knows how */
};

/* One call of a command. */
struct invocation {
    const struct program *program;
    const struct command_entry *command; /* NULL: none was named, and nothing is left to do */
    int argc;
    char **argv; /* argv[1] is the command */
};

/* Finds the command that argv[1] names. Without one the common flags are answered (--help,
 * --version, --dump-config, --check). ERR_USAGE: an unknown command (the nearest known one is
 * named, or all are), none where one is needed. */
bool invocation_find(const struct program *program, const struct command_entry *table, size_t count,
                     int argc, char *argv[], struct invocation *out, struct err *err);

/* Parses what follows the command's name; see command_parse. It takes operand_count operands, or
 * more when `operands` ends in "...". */
bool invocation_parse(const struct invocation *invocation, const struct flag *flags,
                      size_t flag_count, const char *operands, size_t operand_count,
                      struct command_line *out, struct err *err);
