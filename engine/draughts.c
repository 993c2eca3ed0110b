/* Program `draughts`: finds the command and turns its result into an exit status. */
#include "engine/draughts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/nearest.h"
#include "engine/base/streams.h"

static const struct entry {
    const char *name, *summary;
    draughts_command *run;
} COMMANDS[] = {
    {"moves", "Lists the legal moves of a position, one a line.", command_moves},
    {"perft",
     "Counts move sequences; a line for each depth up to DEPTH: depth, leaves, seconds, leaves/s.",
     command_perft},
    {"search", "Searches a position: a line for each depth, then the best move.", command_search},
    {"eval", "Shows the static score and what each group of terms adds to it.", command_eval},
    {"bench", "Searches fixed positions; the node counts are the search's signature.",
     command_bench},
    {"play", "Plays a game against you, at a level of measured strength.", command_play},
    {"hub", "Speaks the Hub protocol, version 2, on standard input and output.", command_hub},
    {"pdn", "Replays every game of PDN files and names the faults.", command_pdn},
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const struct option OPTIONS[] = {
    {"weights", "dir", OPTION_TEXT, offsetof(struct draughts_settings, weights_dir), "", 0, 0, NULL,
     "directory that holds RULES.h5; empty: the shipped files"},
};

static const struct entry *find(const char *name, struct err *err)
{
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0) {
            return &COMMANDS[i];
        }
        nearest_offer(&nearest, COMMANDS[i].name);
    }
    const char *close = nearest_found(&nearest);
    if (close != NULL) {
        err_set(err, ERR_USAGE, "unknown command '%s', did you mean '%s'?", name, close);
    } else {
        err_set(err, ERR_USAGE, "unknown command '%s', --help lists those known", name);
    }
    return NULL;
}

/* The program's summary and its commands, for --help. */
static void describe(const struct program *program, char *out, size_t size)
{
    int used = snprintf(out, size, "%s\n\nCommands (COMMAND --help says more):", program->summary);
    for (size_t i = 0; i < COMMAND_COUNT && used < (int)size; i++) {
        used += snprintf(out + used, size - (size_t)used, "\n  %-8s  %s", COMMANDS[i].name,
                         COMMANDS[i].summary);
    }
}

/* The program called without a command: --help, --version, --dump-config, --check. */
static bool run_without_command(const struct program *program, int argc, char *argv[],
                                struct err *err)
{
    char summary[1024];
    describe(program, summary, sizeof summary);
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
    return line.finished ||
           err_set(err, ERR_USAGE, "the command comes first, --help lists those known");
}

static bool run(const struct program *program, struct draughts_settings *settings, int argc,
                char *argv[], struct err *err)
{
    if (argc < 2 || argv[1][0] == '-') {
        return run_without_command(program, argc, argv, err);
    }
    const struct entry *entry = find(argv[1], err);
    if (entry == NULL) {
        return false;
    }
    const struct invocation invocation = {program,        settings, entry->name,
                                          entry->summary, argc,     argv};
    return entry->run(&invocation, err);
}

int main(int argc, char *argv[])
{
    struct draughts_settings settings;
    const struct program program = {
        .name = "draughts",
        .summary = "Draughts at a terminal: legal moves, search, a game, the Hub protocol, PDN.",
        .options = OPTIONS,
        .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
        .settings = &settings,
    };
    struct err err = {0};
    if (!streams_reserve(&err) || !run(&program, &settings, argc, argv, &err) ||
        !output_flush(&err)) {
        return command_fail(&program, &err);
    }
    return 0;
}
