/* Program `draughts`: finds the command and turns its result into an exit status. */
#include "engine/commands/draughts.h"

#include "engine/base/streams.h"

static const struct command_entry COMMANDS[] = {
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

static const struct option OPTIONS[] = {
    {"weights", "dir", OPTION_TEXT, offsetof(struct draughts_settings, weights_dir), "", 0, 0, NULL,
     "directory that holds RULES.h5; empty: the shipped files"},
};

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
    struct invocation invocation;
    struct err err = {0};
    bool ok = streams_reserve(&err) &&
              invocation_find(&program, COMMANDS, sizeof COMMANDS / sizeof COMMANDS[0], argc, argv,
                              &invocation, &err) &&
              (invocation.command == NULL || invocation.command->run(&invocation, &err)) &&
              output_flush(&err);
    return ok ? 0 : command_fail(&program, &err);
}
