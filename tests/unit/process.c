/* A child that is talked to by lines: what it does is told apart, nothing takes longer than it may,
 * and nothing is left of it. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "selfplay/external/process.h"

static struct process *start(const char *command)
{
    struct process *process = process_start(command, 100, NULL);

    assert_non_null(process);
    return process;
}

static void assert_line(struct process *process, const char *expected)
{
    char *line;

    assert_int_equal(process_read(process, 5, &line), PROCESS_LINE);
    assert_string_equal(line, expected);
}

static void assert_end(struct process *process, const char *expected)
{
    char how[PROCESS_END];

    process_end(process, 5, how);
    assert_string_equal(how, expected);
    /* No child is left, dead or alive. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_talks(void **state)
{
    (void)state;
    struct process *process = start("cat");
    char *line;

    assert_true(process_write(process, "one\ntwo\r\n\nth", 1));
    assert_line(process, "one");
    assert_line(process, "two");
    assert_line(process, "");
    assert_int_equal(process_read(process, 0.02, &line), PROCESS_SILENT);
    assert_true(process_write(process, "ree\n", 1));
    assert_line(process, "three");
    assert_int_equal(process_bytes(process), strlen("one\ntwo\r\n\nthree\n"));
    assert_end(process, "exited with status 0");
}

static void test_last_line_without_end(void **state)
{
    (void)state;
    struct process *process = start("printf 'a\\nb\\0c'; exit 3");
    char *line;

    assert_line(process, "a");
    assert_line(process, "b?c");
    assert_int_equal(process_read(process, 5, &line), PROCESS_FINISHED);
    assert_int_equal(process_read(process, 5, &line), PROCESS_FINISHED);
    assert_end(process, "exited with status 3");
}

static void test_long_lines(void **state)
{
    (void)state;
    struct process *process = start("printf '%0100d\\n%0101d\\n' 0 0");
    char *line;

    assert_int_equal(process_read(process, 5, &line), PROCESS_LINE);
    assert_int_equal(strlen(line), 100);
    assert_int_equal(process_read(process, 5, &line), PROCESS_LONG);
    assert_end(process, "exited with status 0");
    process = start("yes '' | tr '\\n' ' '");
    assert_int_equal(process_read(process, 5, &line), PROCESS_LONG);
    process_end(process, 0, NULL);
}

static void test_deadline(void **state)
{
    (void)state;
    struct process *process = start("sleep 60");
    double began = clock_seconds();
    char *line, how[PROCESS_END];

    assert_int_equal(process_read(process, 0.05, &line), PROCESS_SILENT);
    assert_true(clock_seconds() - began > 0.045);
    /* One that reads nothing fills the pipe; writing ends, too. */
    bool taken = true;
    for (int i = 0; i < 100 && taken; i++) {
        char block[4096];
        memset(block, 'x', sizeof block - 1);
        block[sizeof block - 1] = '\0';
        taken = process_write(process, block, 0.05);
    }
    assert_false(taken);
    process_end(process, 0.05, how);
    assert_string_equal(how, "still running");
    assert_true(clock_seconds() - began < 5);
}

/* The whole group is killed, and a signal that the parent blocks reaches the child. */
static void test_nothing_is_left(void **state)
{
    (void)state;
    sigset_t terminate;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, NULL);
    struct process *process = start("sleep 60 & echo $!; wait");
    char *line;
    assert_int_equal(process_read(process, 5, &line), PROCESS_LINE);
    pid_t grandchild = (pid_t)atol(line);
    process_end(process, 0, NULL);
    for (int i = 0; i < 500 && kill(grandchild, 0) == 0; i++) {
        char path[64], status[512] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", (long)grandchild);
        FILE *file = fopen(path, "r");
        if (file) {
            assert_non_null(fgets(status, sizeof status, file));
            fclose(file);
        }
        if (strstr(status, ") Z ")) {
            break; /* killed; whoever took it over has not yet reaped it */
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        assert_true(i < 499);
    }
    assert_end(start("kill -TERM $$; sleep 60"), "killed by signal 15");
    sigprocmask(SIG_UNBLOCK, &terminate, NULL);
}

/* Killed itself, the parent leaves nothing behind, not even what the command has started: all of
 * them hold the end of a pipe that we wait for. */
static void test_parent_is_killed(void **state)
{
    (void)state;
    int alive[2];
    char byte;

    assert_int_equal(pipe(alive), 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct process *process = process_start("sleep 60 & echo ready; sleep 60", 100, NULL);
        char *line;
        bool ready = process && process_read(process, 5, &line) == PROCESS_LINE;
        _exit(write(alive[1], "r", ready) == 1 && pause() ? 1 : 2);
    }
    close(alive[1]);
    assert_int_equal(read(alive[0], &byte, 1), 1);
    double began = clock_seconds();
    kill(parent, SIGKILL);
    assert_int_equal(read(alive[0], &byte, 1), 0);
    assert_true(clock_seconds() - began < 30);
    waitpid(parent, NULL, 0);
    close(alive[0]);
}

/* Writing to one that is gone is no signal for the parent, now or later. */
static void test_broken_pipe(void **state)
{
    (void)state;
    struct process *process = start("exec <&-; echo; sleep 60");
    sigset_t pending;

    assert_line(process, "");
    assert_false(process_write(process, "hello\n", 1));
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
    process_end(process, 0, NULL);
}

static void test_missing_command(void **state)
{
    (void)state;
    struct process *process = start("/no/such/engine");
    char *line;

    assert_int_equal(process_read(process, 5, &line), PROCESS_FINISHED);
    assert_end(process, "exited with status 127");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talks),           cmocka_unit_test(test_last_line_without_end),
        cmocka_unit_test(test_long_lines),      cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_nothing_is_left), cmocka_unit_test(test_parent_is_killed),
        cmocka_unit_test(test_broken_pipe),     cmocka_unit_test(test_missing_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
