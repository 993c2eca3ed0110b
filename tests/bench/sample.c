/* Runs of programs: fork, a pipe for what is written, and the system's account of the child. */
#include "tests/bench/sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/file.h"

enum { ARGUMENTS_MAX = 24, CANNOT_START = 127 };

/* Processor time of all children that have ended. */
static double children_seconds(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* In the child: becomes the program. */
static _Noreturn void become(const char *program, char *call, int output)
{
    char *arguments[ARGUMENTS_MAX + 2] = {(char *)program};
    int count = 1;

    for (char *at = strtok(call, " "); at && count <= ARGUMENTS_MAX; at = strtok(NULL, " ")) {
        arguments[count++] = at;
    }
    if (dup2(output, STDOUT_FILENO) >= 0) {
        execvp(program, arguments);
    }
    _exit(CANNOT_START);
}

/* Reads to the end of what the child writes. False: more than there is room for, or an error. */
static bool read_all(int input, char out[SAMPLE_OUTPUT])
{
    size_t used = 0;

    for (;;) {
        ssize_t got = read(input, out + used, SAMPLE_OUTPUT - 1 - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        out[used + (got > 0 ? (size_t)got : 0)] = '\0';
        if (got <= 0) {
            return got == 0 && used < SAMPLE_OUTPUT - 1;
        }
        used += (size_t)got;
    }
}

bool sample_run(const char *program, const char *call, struct sample *out, struct err *err)
{
    char copy[2 * SAMPLE_CALL];
    double before = children_seconds();
    int ends[2], status;

    if ((size_t)snprintf(copy, sizeof copy, "%s", call) >= sizeof copy) {
        return err_set(err, ERR_FAILED, "%s %s: too long a call", program, call);
    }
    if (pipe(ends) != 0) {
        return err_set(err, ERR_FAILED, "no pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0) {
        become(program, copy, ends[1]);
    }
    close(ends[1]);
    bool whole = child > 0 && read_all(ends[0], out->output);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return err_set(err, ERR_FAILED, "%s: no process: %s", program, strerror(errno));
    }
    if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return err_set(err, ERR_FAILED, "%s %s: %s", program, call,
                       !WIFEXITED(status)                    ? "died"
                       : WEXITSTATUS(status) == CANNOT_START ? "cannot be started"
                       : WEXITSTATUS(status) != 0            ? "failed"
                                                             : "wrote too much");
    }
    out->seconds = children_seconds() - before;
    return true;
}

bool sample_counts(void)
{
    const char *path = getenv("PATH");

    while (path && *path) {
        char folder[FILE_PATH], file[FILE_PATH];
        size_t length = strcspn(path, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, path);
        if (file_join(file, folder, "valgrind", NULL) && access(file, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

bool sample_instructions(const char *program, const char *call, uint64_t *out, struct err *err)
{
    static const char BEFORE[] = "Collected : ";
    char arguments[2 * SAMPLE_CALL];
    struct sample *sample = malloc(sizeof *sample);

    if (!sample) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    snprintf(arguments, sizeof arguments,
             "--tool=callgrind --callgrind-out-file=/dev/null --log-fd=1 %s %s", program, call);
    bool ok = sample_run("valgrind", arguments, sample, err);
    const char *at = ok ? strstr(sample->output, BEFORE) : NULL;
    if (at) {
        *out = strtoull(at + strlen(BEFORE), NULL, 10);
    }
    free(sample);
    return at || (ok && err_set(err, ERR_FAILED, "valgrind says no count of instructions"));
}
