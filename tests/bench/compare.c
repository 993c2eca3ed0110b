/* Program bench_compare: how fast a build of `draughts` is, beside another one.
 *
 * Both do the same work in turns, this one first in every other round, so that what slows the
 * machine slows both. A row gives medians over the rounds and the baseline's figures as multiples
 * of this build's: over 1 this build is the better one. The ratio of seconds is taken round by
 * round. No row is printed before every answer in it has been checked: a
 * perft is the one on record, and a build says the same in every round. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/command.h"
#include "engine/base/file.h"
#include "engine/base/number.h"
#include "engine/base/progress.h"
#include "engine/base/streams.h"
#include "tests/bench/work.h"

enum { ROUNDS_MAX = 99, POSITIONS_SIZE = 1 << 20 };

struct contest {
    const char *program[2]; /* this one and the baseline, which may be NULL */
    int builds, rounds;
    bool counts; /* instructions, too */
    const struct log *log;
};

/* All rounds of one piece of work. */
struct score {
    struct deed deed[2]; /* of the first round, with which all others agree */
    double seconds[2][ROUNDS_MAX];
    uint64_t instructions[2];
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int count)
{
    double sorted[ROUNDS_MAX];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* One build's turn in one round. */
static bool turn(const struct contest *contest, const struct work *work, int build, int round,
                 struct score *score, struct err *err)
{
    struct deed deed;

    if (!work_do(work, contest->program[build], &deed, err)) {
        return false;
    }
    if (round == 0) {
        score->deed[build] = deed;
    }
    for (int i = 0; i < work->count; i++) {
        if (deed.answer[i] != score->deed[build].answer[i]) {
            return err_set(err, ERR_FAILED, "%s %s: another answer in round %d than in round 1",
                           contest->program[build], work->call[i], round + 1);
        }
    }
    score->seconds[build][round] = deed.seconds;
    return true;
}

static bool play_rounds(const struct contest *contest, const struct work *work, struct score *score,
                        struct err *err)
{
    char what[64];

    snprintf(what, sizeof what, "%s %s", work_name(work->kind), work->variant->rules->name);
    struct progress progress = progress_start(contest->log, what, "rounds", contest->rounds, 0);
    for (int round = 0; round < contest->rounds; round++) {
        for (int i = 0; i < contest->builds; i++) {
            int build = (i + round) % contest->builds;
            if (!turn(contest, work, build, round, score, err)) {
                return false;
            }
        }
        progress_update(&progress, round + 1);
    }
    for (int build = 0; build < contest->builds && contest->counts && work->counted[0]; build++) {
        if (!work_instructions(work, contest->program[build], &score->instructions[build], err)) {
            return false;
        }
    }
    progress_end(&progress, contest->rounds);
    return true;
}

static void print_head(const struct contest *contest)
{
    printf("%-6s %-13s %11s %9s %9s %8s", "work", "rules", "nodes", "Mnodes/s", "seconds",
           "Minstr");
    if (contest->builds > 1) {
        printf(" | %9s %6s %12s %7s %7s %s", "baseline", "ratio", "least..most", "instr", "nodes",
               "same");
    }
    printf("\n");
}

/* How many calls both builds answered alike: the best move where there is one, else all. */
static int answered_alike(const struct work *work, const struct score *score)
{
    const struct deed *one = &score->deed[0], *two = &score->deed[1];
    int same = 0;

    for (int i = 0; i < work->count; i++) {
        same += work->kind == WORK_DEPTH ? one->move[i] == two->move[i]
                                         : one->answer[i] == two->answer[i];
    }
    return same;
}

/* The baseline's seconds, then its seconds, instructions and nodes over those of this build. */
static void print_ratios(const struct work *work, const struct score *score, int rounds)
{
    double ratio[ROUNDS_MAX], least = INFINITY, most = 0;
    char instructions[16] = "-";

    for (int i = 0; i < rounds; i++) {
        ratio[i] = score->seconds[1][i] / score->seconds[0][i];
        least = fmin(least, ratio[i]);
        most = fmax(most, ratio[i]);
    }
    if (score->instructions[0] > 0) {
        snprintf(instructions, sizeof instructions, "%.3f",
                 (double)score->instructions[1] / (double)score->instructions[0]);
    }
    printf(" | %9.3f %6.3f %5.2f..%-5.2f %7s %7.3f %d/%d", median(score->seconds[1], rounds),
           median(ratio, rounds), least, most, instructions,
           (double)score->deed[1].nodes / (double)score->deed[0].nodes, answered_alike(work, score),
           work->count);
}

/* Whether every time is one that a ratio can be made of. */
static bool measured(const struct contest *contest, const struct work *work,
                     const struct score *score, struct err *err)
{
    for (int build = 0; build < contest->builds; build++) {
        for (int round = 0; round < contest->rounds; round++) {
            if (score->seconds[build][round] <= 0) {
                return err_set(err, ERR_FAILED, "%s %s: too quick to be measured",
                               contest->program[build], work->call[0]);
            }
        }
    }
    return true;
}

static bool print_row(const struct contest *contest, const struct work *work,
                      const struct score *score, struct err *err)
{
    char instructions[32] = "-";

    if (!measured(contest, work, score, err)) {
        return false;
    }
    if (score->instructions[0] > 0) {
        snprintf(instructions, sizeof instructions, "%.1f", (double)score->instructions[0] / 1e6);
    }
    double seconds = median(score->seconds[0], contest->rounds);
    printf("%-6s %-13s %11" PRIu64 " %9.2f %9.3f %8s", work_name(work->kind),
           work->variant->rules->name, score->deed[0].nodes,
           (double)score->deed[0].nodes / seconds / 1e6, seconds, instructions);
    if (contest->builds > 1) {
        print_ratios(work, score, contest->rounds);
    }
    printf("\n");
    return output_flush(err);
}

static bool compare(const struct contest *contest, enum work_kind kind,
                    const struct variant *variant, const char *positions, struct err *err)
{
    struct work work;
    struct score score = {0};

    return work_make(&work, kind, variant, positions, err) &&
           play_rounds(contest, &work, &score, err) && print_row(contest, &work, &score, err);
}

/* What is asked for; NULL: all of it. */
struct wish {
    const char *rounds, *only, *rules, *positions;
};

static bool known_work(const char *name, struct err *err)
{
    for (int kind = 0; kind < WORK_KINDS; kind++) {
        if (strcmp(name, work_name((enum work_kind)kind)) == 0) {
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "--only: '%s' is none of perft, search, depth", name);
}

static bool compare_all(const struct contest *contest, const struct wish *wish,
                        const struct variant *variant, struct err *err)
{
    char *positions = file_read(wish->positions, POSITIONS_SIZE, NULL, err);
    bool ok = positions != NULL;

    if (ok) {
        print_head(contest);
    }
    for (int i = 0; i < WORK_KINDS * VARIANT_COUNT && ok; i++) {
        enum work_kind kind = (enum work_kind)(i / VARIANT_COUNT);
        const struct variant *at = variant_at(i % VARIANT_COUNT);
        if ((!wish->only || strcmp(wish->only, work_name(kind)) == 0) &&
            (!variant || variant == at)) {
            ok = compare(contest, kind, at, positions, err);
        }
    }
    free(positions);
    return ok;
}

static bool run(const struct program *program, int argc, char *argv[], struct err *err)
{
    struct wish wish = {.rounds = "5", .positions = BENCH_POSITIONS_FILE};
    const struct flag flags[] = {
        {'r', "rules", "RULES", "this rule set only", &wish.rules},
        {0, "only", "WORK", "perft, search or depth only", &wish.only},
        {0, "rounds", "N", "rounds (5)", &wish.rounds},
        {0, "positions", "FILE", "those searched to a depth", &wish.positions},
    };
    const struct command command = {.name = "",
                                    .operands = "PROGRAM [BASELINE]",
                                    .summary = program->summary,
                                    .flags = flags,
                                    .flag_count = sizeof flags / sizeof flags[0],
                                    .operands_min = 1,
                                    .operands_max = 2};
    const struct variant *variant = NULL;
    struct command_line line;
    long long rounds;

    if (!command_parse(program, &command, argc, argv, 1, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    if ((wish.only && !known_work(wish.only, err)) ||
        !number_integer(wish.rounds, "--rounds", 1, ROUNDS_MAX, &rounds, err) ||
        (wish.rules && !(variant = variant_by_name(wish.rules, err)))) {
        return false;
    }
    struct contest contest = {.builds = (int)line.operand_count,
                              .rounds = (int)rounds,
                              .counts = sample_counts(),
                              .log = &line.log};
    for (int i = 0; i < contest.builds; i++) {
        contest.program[i] = line.operands[i];
    }
    return compare_all(&contest, &wish, variant, err);
}

int main(int argc, char *argv[])
{
    const struct program program = {
        .name = "bench_compare",
        .summary = "Times a build of draughts, beside another one.",
    };
    struct err err = {0};

    if (!streams_reserve(&err) || !run(&program, argc, argv, &err) || !output_flush(&err)) {
        return command_fail(&program, &err);
    }
    return 0;
}
