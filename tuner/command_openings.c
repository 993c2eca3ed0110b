/* The command openings: its flags, and what they ask for. */
#include "tuner/command_openings.h"

#include <stdio.h>

#include "engine/artefact/artefact.h"
#include "engine/base/number.h"
#include "tuner/ballots.h"
#include "tuner/settings.h"

/* The flags of command openings as they were typed. */
struct openings_flags {
    const char *plies, *count, *bound, *nodes, *weights;
};

static bool take_openings_flags(const struct openings_flags *flags, struct ballots *ballots,
                                struct weights *weights, struct err *err)
{
    struct artefact artefact;
    long long plies, count = BALLOTS_ALL, bound, nodes;
    int most = flags->count ? OPENING_PLIES_MAX : BALLOTS_ALL_PLIES;

    if (!number_integer(flags->plies, "--plies", 1, most, &plies, err) ||
        (flags->count && !number_integer(flags->count, "--count", 1, 100000, &count, err)) ||
        !number_integer(flags->bound, "--bound", 0, SCORE_WON, &bound, err) ||
        !number_integer(flags->nodes, "--nodes", 1, 1000000000000, &nodes, err)) {
        return false;
    }
    weights_builtin(ballots->variant->rules, weights);
    if (flags->weights) {
        if (!artefact_read(flags->weights, ballots->variant, &artefact, err)) {
            return false;
        }
        *weights = artefact.weights;
    }
    ballots->plies = (int)plies;
    ballots->count = count;
    ballots->bound = (int)bound;
    ballots->nodes = (uint64_t)nodes;
    ballots->weights = weights;
    return true;
}

bool command_openings(const struct invocation *invocation, struct err *err)
{
    struct openings_flags typed = {.plies = "3", .bound = "50", .nodes = "20000"};
    const struct flag flags[] = {
        {.name = "plies", .argument = "N", .help = "of each opening (3)", .value = &typed.plies},
        {.name = "count",
         .argument = "N",
         .help = "random ones; without it every sequence of plies",
         .value = &typed.count},
        {.name = "bound",
         .argument = "N",
         .help = "a search finds at most this, hundredths of a man (50)",
         .value = &typed.bound},
        {.name = "nodes", .argument = "N", .help = "of that search (20000)", .value = &typed.nodes},
        {.letter = 'w',
         .name = "weights",
         .argument = "FILE",
         .help = "RULES.h5 of that search; without it the built-in weights",
         .value = &typed.weights},
    };
    const struct settings *settings = invocation->program->settings;
    struct command_line line;
    struct weights weights;

    if (!invocation_parse(invocation, flags, sizeof flags / sizeof *flags, "RULES", 1, &line,
                          err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    struct ballots ballots = {.variant = variant_by_name(line.operands[0], err),
                              .seed = (uint64_t)settings->run.seed};
    if (!ballots.variant || !take_openings_flags(&typed, &ballots, &weights, err)) {
        return false;
    }
    bool written = ballots_write(stdout, &line.log, &ballots, err);
    weights_fini(&weights);
    return written;
}
