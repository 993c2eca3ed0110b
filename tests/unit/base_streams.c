/* Standard streams: what is opened later never gets the number of one that was closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/streams.h"

enum { WELL = 7 };

/* In a child process: what it finds, as its exit status. */
static int find_out(void)
{
    char byte;
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    if (!streams_reserve(NULL)) {
        return 1;
    }
    if (open("/dev/null", O_RDWR) <= STDERR_FILENO) {
        return 2;
    }
    if (read(STDIN_FILENO, &byte, 1) >= 0 || write(STDOUT_FILENO, "x", 1) >= 0 ||
        write(STDERR_FILENO, "x", 1) >= 0) {
        return 3;
    }
    return WELL;
}

static void closed_streams_stay_closed(void **state)
{
    (void)state;
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(find_out());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), WELL);
}

static void open_streams_are_left_alone(void **state)
{
    (void)state;
    struct err err = {0};
    int before = fcntl(STDOUT_FILENO, F_GETFL);
    assert_true(streams_reserve(&err));
    assert_int_equal(fcntl(STDOUT_FILENO, F_GETFL), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_streams_stay_closed),
        cmocka_unit_test(open_streams_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
