/* A child process behind two pipes that never block, and its keeper.
 *
 * The keeper is a shell that leads the child's process group and reads from a pipe whose other end
 * this process alone holds. When this process dies, by whatever signal, the pipe ends and the
 * keeper kills the group. (A signal at the parent's death, as Linux has it, would reach the shell
 * that runs the command, but not what that shell has started.) */
#include "selfplay/external/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/clock.h"

extern char **environ;

enum { READ_AT_ONCE = 1 << 14 };

struct process {
    pid_t pid;
    pid_t keeper; /* also the group of both */
    int leash;    /* the keeper's standard input; closed by our end */
    int to;       /* the process's standard input */
    int from;     /* its standard output */
    bool closed;  /* nothing more will come */
    size_t bytes;
    size_t line_max;
    size_t begin, end; /* of what is not yet given out, in buffer */
    char buffer[];     /* [line_max + READ_AT_ONCE] */
};

/* --- starting ----------------------------------------------------------------------------------*/

static void close_pipe(const int ends[2])
{
    if (ends[0] >= 0) {
        close(ends[0]);
        close(ends[1]);
    }
}

/* A pipe that the children of others do not inherit; our end, 0 or 1, never blocks. */
static bool make_pipe(int ends[2], int ours)
{
    if (pipe(ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* The parent blocks signals and may ignore some; the child begins with neither, in a group. */
static bool set_attributes(posix_spawnattr_t *attributes, pid_t group)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    return posix_spawnattr_setpgroup(attributes, group) == 0 &&
           posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
           posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF) == 0;
}

static bool set_actions(posix_spawn_file_actions_t *actions, int input, int output)
{
    return posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO) == 0 &&
           posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO) == 0 &&
           posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0;
}

/* Starts a shell in `group`, 0: one of its own. 0, or the system's reason. */
static int spawn(const char *command, int input, int output, pid_t group, pid_t *pid)
{
    char *copy = strdup(command);
    char *const argv[] = {"sh", "-c", copy, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int reason = ENOMEM;

    if (!copy) {
        return reason;
    }
    if (posix_spawnattr_init(&attributes) == 0) {
        if (posix_spawn_file_actions_init(&actions) == 0) {
            if (set_attributes(&attributes, group) && set_actions(&actions, input, output)) {
                reason = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
            }
            posix_spawn_file_actions_destroy(&actions);
        }
        posix_spawnattr_destroy(&attributes);
    }
    free(copy);
    return reason;
}

/* Kills and reaps what is there of the group. */
static void end_keeper(struct process *process)
{
    kill(-process->keeper, SIGKILL);
    while (waitpid(process->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
    close(process->leash);
}

static int start_keeper(struct process *process)
{
    int leash[2] = {-1, -1};
    int reason = make_pipe(leash, 1)
                     ? spawn("read -r line; kill -KILL 0", leash[0], leash[0], 0, &process->keeper)
                     : errno;

    if (reason != 0) {
        close_pipe(leash);
        return reason;
    }
    close(leash[0]);
    process->leash = leash[1];
    return 0;
}

/* 0, or the system's reason. */
static int start_kept(struct process *process, const char *command)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    int reason = 0;

    if (!make_pipe(input, 1) || !make_pipe(output, 0)) {
        reason = errno;
    } else {
        reason = spawn(command, input[0], output[1], process->keeper, &process->pid);
    }
    if (reason != 0) {
        close_pipe(input);
        close_pipe(output);
        return reason;
    }
    close(input[0]);
    close(output[1]);
    process->to = input[1];
    process->from = output[0];
    return 0;
}

static int start_both(struct process *process, const char *command)
{
    int reason = start_keeper(process);

    if (reason == 0 && (reason = start_kept(process, command)) != 0) {
        end_keeper(process);
    }
    return reason;
}

struct process *process_start(const char *command, size_t line_max, struct err *err)
{
    struct process *process = malloc(sizeof *process + line_max + READ_AT_ONCE);

    if (!process) {
        err_set(err, ERR_FAILED, "out of memory for a process");
        return NULL;
    }
    *process = (struct process){.line_max = line_max};
    int reason = start_both(process, command);
    if (reason != 0) {
        err_set(err, ERR_FAILED, "cannot start '%s': %s", command, strerror(reason));
        free(process);
        return NULL;
    }
    return process;
}

/* --- talking -----------------------------------------------------------------------------------*/

/* Waits for `events` until the deadline, at least looks; whether there are any. */
static bool wait_for(int fd, short events, double deadline)
{
    struct pollfd pollfd = {.fd = fd, .events = events};

    for (;;) {
        double left = deadline - clock_seconds();
        int milliseconds = left <= 0 ? 0 : left > 1000 ? 1000000 : (int)(left * 1000) + 1;
        int ready = poll(&pollfd, 1, milliseconds);
        if (ready > 0) {
            return true;
        }
        if ((ready < 0 && errno != EINTR) || left <= 0) {
            return false;
        }
    }
}

/* Takes the first line out of the buffer; NULL when there is no whole one. */
static char *take_line(struct process *process)
{
    char *begin = process->buffer + process->begin;
    size_t length = process->end - process->begin;
    char *end = memchr(begin, '\n', length);

    if (!end && process->closed && length > 0) {
        end = begin + length; /* the last line may lack its end; there is room for the NUL */
        process->end++;
    }
    if (!end) {
        return NULL;
    }
    process->begin = (size_t)(end + 1 - process->buffer);
    for (char *at = begin; at < end; at++) {
        if (*at == '\0') {
            *at = '?';
        }
    }
    *end = '\0';
    if (end > begin && end[-1] == '\r') {
        end[-1] = '\0';
    }
    return begin;
}

/* Reads what is there behind what the buffer holds. */
static void fill(struct process *process)
{
    size_t length = process->end - process->begin;

    memmove(process->buffer, process->buffer + process->begin, length);
    process->begin = 0;
    process->end = length;
    /* One byte stays free for the NUL of a last line. */
    ssize_t got = read(process->from, process->buffer + length, READ_AT_ONCE - 1);
    if (got > 0) {
        process->end += (size_t)got;
        process->bytes += (size_t)got;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        process->closed = true;
    }
}

enum process_answer process_read(struct process *process, double seconds, char **line)
{
    double deadline = clock_seconds() + seconds;

    for (;;) {
        *line = take_line(process);
        if (*line) {
            return strlen(*line) > process->line_max ? PROCESS_LONG : PROCESS_LINE;
        }
        if (process->end - process->begin > process->line_max) {
            return PROCESS_LONG;
        }
        if (process->closed) {
            return PROCESS_FINISHED;
        }
        if (!wait_for(process->from, POLLIN, deadline)) {
            return PROCESS_SILENT;
        }
        fill(process);
    }
}

size_t process_bytes(const struct process *process)
{
    return process->bytes;
}

/* write(2), but a reader that is gone is an error and no signal. */
static ssize_t write_quietly(int fd, const char *text, size_t size)
{
    sigset_t pipe_signal, before, pending;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(fd, text, size);
    int reason = errno;
    if (written < 0 && reason == EPIPE && !sigismember(&pending, SIGPIPE)) {
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0, 0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

bool process_write(struct process *process, const char *text, double seconds)
{
    double deadline = clock_seconds() + seconds;
    size_t left = strlen(text);

    while (left > 0) {
        ssize_t written = write_quietly(process->to, text, left);
        if (written >= 0) {
            text += written;
            left -= (size_t)written;
        } else if ((errno != EAGAIN && errno != EINTR) ||
                   !wait_for(process->to, POLLOUT, deadline)) {
            return false;
        }
    }
    return true;
}

/* --- ending ------------------------------------------------------------------------------------*/

/* Whether the process has ended by itself, within `grace` seconds. It is not yet reaped, and nor is
 * its keeper, so their numbers cannot belong to anybody else. */
static bool has_ended(const struct process *process, double grace)
{
    double deadline = clock_seconds() + grace;

    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid == process->pid) {
            return true;
        }
        if (clock_seconds() >= deadline) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* A shell says by a status over 128 that its command was killed. */
static void describe_end(bool ended, int status, char how[PROCESS_END])
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : code > 128 ? code - 128 : 0;

    if (!ended) {
        snprintf(how, PROCESS_END, "still running");
    } else if (signal > 0) {
        snprintf(how, PROCESS_END, "killed by signal %d", signal);
    } else {
        snprintf(how, PROCESS_END, "exited with status %d", code);
    }
}

void process_end(struct process *process, double grace, char how[PROCESS_END])
{
    int status = 0;

    if (!process) {
        return;
    }
    close(process->to);
    bool ended = has_ended(process, grace);
    end_keeper(process);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(process->from);
    if (how) {
        describe_end(ended, status, how);
    }
    free(process);
}
