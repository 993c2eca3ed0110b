/* Program `draughts-train`: the pipeline, and what is asked of its run directories.
 *
 * The commands that play and fit are one MPI job: rank 0 alone reads the command line and the
 * configuration file, and passes on what they say, so that a mistake is told once and the ranks
 * cannot differ. The others need no MPI. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/commands.h"
#include "engine/base/streams.h"
#include "tuner/command_openings.h"
#include "tuner/contest.h"
#include "tuner/export.h"
#include "tuner/import.h"
#include "tuner/merge.h"
#include "tuner/part.h"
#include "tuner/pipeline.h"
#include "tuner/publish.h"
#include "tuner/report.h"
#include "tuner/rescoring.h"
#include "tuner/settings.h"
#include "tuner/status.h"

static const char RESCORE[] = "rescore";

/* What a command line comes to. */
struct request {
    bool ok, finished; /* finished: nothing is left to do */
    bool rescore;      /* command rescore, which is no stage */
    struct settings settings;
    char directory[FILE_PATH];
    char of[FILE_PATH]; /* the run that a part belongs to; empty: not named */
    enum log_level level;
};

static bool check(const void *settings, struct err *err)
{
    return settings_check(settings, err);
}

static struct program program_of(struct settings *settings)
{
    struct program program = {.name = "draughts-train",
                              .summary = "Trains draughts AI: self-play, tuning, measured levels.",
                              .settings = settings,
                              .check = check};

    program.options = settings_table(&program.option_count);
    return program;
}

/* --- commands without MPI ----------------------------------------------------------------------*/

static bool command_status(const struct invocation *invocation, struct err *err)
{
    struct command_line line;

    return invocation_parse(invocation, NULL, 0, "RUN", 1, &line, err) &&
           (line.finished || status_write(stdout, line.operands[0], err));
}

static bool command_report(const struct invocation *invocation, struct err *err)
{
    struct command_line line;
    char path[FILE_PATH];

    if (!invocation_parse(invocation, NULL, 0, "RUN", 1, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    if (!report_write(line.operands[0], path, err)) {
        return false;
    }
    printf("%s\n", path);
    return true;
}

/* One format of command export. */
struct export_kind {
    bool (*write)(const char *directory, const char *path, long long *count, struct err *err);
    const char *path, *unit; /* path: NULL when it is not wanted */
};

static bool command_export(const struct invocation *invocation, struct err *err)
{
    struct export_kind kinds[] = {{export_pdn, NULL, "games"},
                                  {export_csv, NULL, "positions"},
                                  {export_weights, NULL, "weights"}};
    const struct flag flags[] = {
        {.name = "pdn", .argument = "FILE", .help = "games, as PDN", .value = &kinds[0].path},
        {.name = "csv", .argument = "FILE", .help = "positions, as CSV", .value = &kinds[1].path},
        {.name = "weights", .argument = "FILE", .help = "weights, as CSV", .value = &kinds[2].path},
    };
    struct command_line line;
    bool any = false;

    if (!invocation_parse(invocation, flags, sizeof flags / sizeof *flags, "RUN", 1, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        long long count;
        if (!kinds[k].path) {
            continue;
        }
        if (!kinds[k].write(line.operands[0], kinds[k].path, &count, err)) {
            return false;
        }
        printf("%s: %lld %s\n", kinds[k].path, count, kinds[k].unit);
        any = true;
    }
    return any || err_set(err, ERR_USAGE,
                          "nothing to export: --pdn FILE, --csv FILE or --weights FILE is needed");
}

static bool command_publish(const struct invocation *invocation, struct err *err)
{
    struct command_line line;

    return invocation_parse(invocation, NULL, 0, "RUN DIRECTORY", 2, &line, err) &&
           (line.finished || publish(stdout, &line.log, line.operands[0], line.operands[1], err));
}

static bool command_import(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL;
    const struct flag flags[] = {
        {.letter = 'r',
         .name = "rules",
         .argument = "RULES",
         .help = "of games and positions that name none",
         .value = &rules},
    };
    struct command_line line;

    if (!invocation_parse(invocation, flags, 1, "RUN FILE...", 2, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    struct import_request request = {.settings = invocation->program->settings,
                                     .directory = line.operands[0],
                                     .given = rules ? variant_by_name(rules, err) : NULL,
                                     .files = line.operands + 1,
                                     .count = line.operand_count - 1};
    return (!rules || request.given) && import(stdout, &line.log, &request, err);
}

static bool command_merge(const struct invocation *invocation, struct err *err)
{
    struct command_line line;

    return invocation_parse(invocation, NULL, 0, "RUN PART...", 2, &line, err) &&
           (line.finished || merge(stdout, &line.log, line.operands[0], line.operands + 1,
                                   line.operand_count - 1, err));
}

/* --- commands of the pipeline ------------------------------------------------------------------*/

/* The flags of the stages as they were typed. */
struct stage_flags {
    const char *directory, *games, *generation, *of;
};

static bool take_path(char out[FILE_PATH], const char *flag, const char *path, struct err *err)
{
    return (size_t)snprintf(out, FILE_PATH, "%s", path ? path : "") < FILE_PATH ||
           err_set(err, ERR_USAGE, "%s: path too long", flag);
}

static bool take_stage_flags(const struct stage_flags *flags, struct request *request,
                             struct err *err)
{
    if (!flags->directory || !*flags->directory) {
        return err_set(err, ERR_USAGE, "-o RUN is needed: the run directory");
    }
    return take_path(request->directory, "-o", flags->directory, err) &&
           take_path(request->of, "--of", flags->of, err) &&
           part_take(&request->settings, flags->games, flags->generation, err);
}

/* Whether a file of settings is given. */
static bool has_config(const struct invocation *invocation)
{
    for (int i = 2; i < invocation->argc; i++) {
        const char *word = invocation->argv[i];
        if ((word[0] == '-' && word[1] == 'c') || strncmp(word, "--config", 8) == 0) {
            return true;
        }
    }
    return false;
}

/* Command rescore RUN: without -c the settings are those that the run has. What is parsed for the
 * second time is a copy, as parsing puts the words in another order. */
static bool parse_rescore(const struct invocation *invocation, const char **directory,
                          struct command_line *line, struct err *err)
{
    char config[FILE_PATH], flag[] = "-c";
    bool given = has_config(invocation);
    struct invocation again = *invocation;

    again.argc += 2;
    again.argv = calloc((size_t)again.argc + 1, sizeof *again.argv);
    if (!again.argv) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    memcpy(again.argv, invocation->argv, 2 * sizeof *again.argv);
    again.argv[2] = flag;
    again.argv[3] = config;
    memcpy(again.argv + 4, invocation->argv + 2, ((size_t)again.argc - 4) * sizeof *again.argv);
    bool ok = invocation_parse(invocation, NULL, 0, "RUN", 1, line, err);
    if (ok && !line->finished) {
        *directory = line->operands[0];
        ok = given || (file_join(config, *directory, "config.ini", err) &&
                       invocation_parse(&again, NULL, 0, "RUN", 1, line, err));
    }
    free(again.argv);
    return ok;
}

/* Rank 0 reads the command line; the request says what came of it. */
static void read_request(const struct invocation *invocation, struct request *request,
                         struct err *err)
{
    struct stage_flags typed = {0};
    const struct flag flags[] = {
        {.letter = 'o',
         .name = "output",
         .argument = "RUN",
         .help = "the run directory; made, or gone on with",
         .value = &typed.directory},
        {.name = "games",
         .argument = "A:B",
         .help = "only games A to B - 1, in a directory of their own, for merge",
         .value = &typed.games},
        {.name = "generation",
         .argument = "G",
         .help = "that these games are of (0)",
         .value = &typed.generation},
        {.name = "of",
         .argument = "RUN",
         .help = "the run that they are a part of; from it come the weights of G > 0",
         .value = &typed.of},
    };
    const size_t all = sizeof flags / sizeof *flags;
    bool parts = strcmp(invocation->command->name, "selfplay") == 0;
    struct command_line line;

    request->rescore = strcmp(invocation->command->name, RESCORE) == 0;
    request->ok = request->rescore
                      ? parse_rescore(invocation, &typed.directory, &line, err)
                      : invocation_parse(invocation, flags, parts ? all : 1, "", 0, &line, err);
    request->finished = request->ok && line.finished;
    if (!request->ok || request->finished) {
        return;
    }
    request->settings = *(const struct settings *)invocation->program->settings;
    request->level = line.log.level;
    request->ok = take_stage_flags(&typed, request, err);
    if (request->ok && !parts && settings_are_of_part(&request->settings)) {
        request->ok = err_set(err, ERR_USAGE,
                              "part.first, part.end: only command selfplay plays "
                              "a part of the games");
    }
}

/* Collective. What the command asks for: a match of the players that the settings name, a part of
 * the games, or stages. */
static bool run_command(struct job *job, const struct request *request, const bool wanted[STAGES],
                        bool *stopped, struct err *err)
{
    if (wanted[STAGE_MATCH] && !wanted[STAGE_TUNE] && settings_players(&job->settings) > 0) {
        return contest_run(job, stopped, err);
    }
    if (settings_are_of_part(&job->settings)) {
        return part_run(job, request->of, stopped, err);
    }
    return request->rescore ? rescoring_run(job, stopped, err)
                            : pipeline_run(job, wanted, stopped, err);
}

/* Collective. Runs the command in its directory; *stopped when a signal cut it short. */
static bool run_stages(const struct comm *comm, struct stop *stop, const struct request *request,
                       const bool wanted[STAGES], bool *stopped, struct err *err)
{
    struct job job = {.comm = *comm, .stop = stop, .settings = request->settings};

    if (comm->rank == 0) {
        job.log = log_stderr("draughts-train");
        job.log.level = request->level;
    }
    snprintf(job.directory, sizeof job.directory, "%s", request->directory);
    bool ok = job_open(&job, err) && run_command(&job, request, wanted, stopped, err);
    if (job.run.lock.held && !lock_check(&job.run.lock, err)) {
        ok = false;
    }
    job_close(&job, !ok ? "failed" : *stopped ? "interrupted" : "finished", ok ? NULL : err->text);
    if (ok && *stopped) {
        log_line(&job.log, LOG_WARNING, "interrupted; the same command resumes");
    }
    return ok;
}

/* The stages that a command runs: "run" all of them, the others the one of their name. */
static void stages_of(const char *name, bool wanted[STAGES])
{
    for (int stage = 0; stage < STAGES; stage++) {
        wanted[stage] =
            strcmp(name, "run") == 0 || strcmp(name, stage_name((enum stage)stage)) == 0;
    }
}

/* The whole of an MPI command, from start to exit status. */
static int pipeline_main(const struct invocation *invocation)
{
    struct stop stop;
    struct err err = {0};
    struct request request = {0};
    bool wanted[STAGES], stopped = false, ok;
    int argc = invocation->argc;
    char **argv = invocation->argv;

    stages_of(invocation->command->name, wanted);
    stop_prepare(&stop);
    struct comm comm = comm_start(&argc, &argv);
    if (comm.rank == 0) {
        read_request(invocation, &request, &err);
        request.ok = request.ok && (request.finished || comm_check(&comm, &err));
    }
    ok = comm_agree(&comm, comm.rank != 0 || request.ok, &err);
    if (ok) {
        comm_broadcast(&comm, &request, sizeof request);
    }
    if (ok && !request.finished) {
        comm.patience = request.settings.run.patience;
        ok = run_stages(&comm, &stop, &request, wanted, &stopped, &err);
    }
    ok = ok && (comm.rank != 0 || output_flush(&err));
    int status = ok ? (stopped ? ERR_FAILED : 0) : (int)err.code;
    if (!ok && comm.rank == 0) {
        status = command_fail(invocation->program, &err);
    }
    comm_finish();
    return status;
}

/* --- the command line --------------------------------------------------------------------------*/

/* Those without a function are stages. */
static const struct command_entry COMMANDS[] = {
    {"run",
     "All stages for all rule sets: self-play, tune, match, calibrate; goes on where it "
     "stopped.",
     NULL},
    {"selfplay", "Plays games and stores their positions.", NULL},
    {"rescore", "Searches the positions of the last generation again: the next generation.", NULL},
    {"tune", "Fits the weights to the stored positions.", NULL},
    {"gate", "Plays the tuned weights against the last ones, which stay when they are stronger.",
     NULL},
    {"match", "Plays the tuned weights against the built-in ones, or any players.", NULL},
    {"calibrate", "Measures the six levels; writes RULES.h5.", NULL},
    {"merge", "Puts together parts that selfplay --games has played.", command_merge},
    {"import", "Takes games and positions of others (PDN, CSV) into a run, to tune on.",
     command_import},
    {"status", "Says where a run stands.", command_status},
    {"report", "Writes RUN/report.html: tables and plots in one file.", command_report},
    {"export", "Writes a run's games, positions or weights for other programs.", command_export},
    {"openings", "Lists balanced openings of a rule set.", command_openings},
    {"publish", "Copies a run's RULES.h5 files into a directory, atomically.", command_publish},
};

int main(int argc, char *argv[])
{
    struct settings settings;
    const struct program program = program_of(&settings);
    struct invocation invocation;
    struct err err = {0};
    bool ok = streams_reserve(&err) &&
              invocation_find(&program, COMMANDS, sizeof COMMANDS / sizeof *COMMANDS, argc, argv,
                              &invocation, &err);

    if (ok && invocation.command && !invocation.command->run) {
        return pipeline_main(&invocation);
    }
    ok = ok && (!invocation.command || invocation.command->run(&invocation, &err));
    return ok && output_flush(&err) ? 0 : command_fail(&program, &err);
}
