/* The command line that every program shares: -h, -V, -q, -v, -c FILE, -s section.key=value,
 * --dump-config, --check; and the program's own flags described by a table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "engine/base/options.h"

/* A flag of one command: "-r RULES", "--depth N", "--divide". */
struct flag {
    char letter;          /* 0 when it has only a long name */
    const char *name;     /* long name without the dashes; NULL when it has only a letter */
    const char *argument; /* "N" for --help; NULL when the flag takes none */
    const char *help;     /* one line */
    const char **value;   /* receives the argument; "" for a flag without one; NULL means ignore */
};

/* A program: its name, what it does in one line, its settings. */
struct program {
    const char *name; /* "draughts" */
    const char *summary;
    const struct option *options;
    size_t option_count;
    void *settings;                                       /* filled: defaults, -c, -s */
    bool (*check)(const void *settings, struct err *err); /* of all together; may be NULL */
};

/* One command of a program (or the program itself, name "" when it has no commands). */
struct command {
    const char *name;     /* "perft" */
    const char *operands; /* "DEPTH", "FILE...", "" */
    const char *summary;
    const struct flag *flags;
    size_t flag_count;
    size_t operands_min, operands_max; /* SIZE_MAX: no limit */
};

/* What remains of a parsed command line. */
struct command_line {
    bool finished; /* -h, -V, --dump-config or --check was answered: exit with status 0 */
    struct log log;
    const char *const *operands; /* into argv */
    size_t operand_count;
};

/* Parses argv[first..argc) for `command`: short, long, "--name=value", "--" ends the flags. Common
 * flags are handled here; the flags' values are written through flag.value. Sets the settings'
 * defaults first. Results of -h, -V and --dump-config go to stdout. ERR_USAGE names the unknown
 * flag (and the nearest known one), the missing argument, a missing or surplus operand. */
bool command_parse(const struct program *program, const struct command *command, int argc,
                   char *argv[], int first, struct command_line *out, struct err *err);

/* Writes "program: error: text" to stderr and returns the exit status for err->code. */
int command_fail(const struct program *program, const struct err *err);
