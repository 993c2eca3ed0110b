/* The run directory: one program at a time, one set of settings, a readable status. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/store/lock.h"
#include "selfplay/store/run.h"
#include "selfplay/store/run_status.h"

static const char *const FREE[] = {"run.generations", "match.", NULL};
static const char TEXT[] = "[run]\n; help\nseed = 1\ngenerations = 1\n\n[match]\npairs = 5\n";

/* These settings, with the rule set that older runs did not write down. */
static struct run_settings settings_of(const char *text)
{
    return (struct run_settings){text, "[run]\nrules = classic\n", FREE};
}

static bool open_run(struct run *run, const char *directory, const char *text, struct err *err)
{
    struct run_settings settings = settings_of(text);

    return run_open(run, directory, &settings, NULL, err);
}

static int setup(void **state)
{
    return scratch_setup(state, "run");
}

static void open_and_close(const char *directory, const char *settings)
{
    struct run run;
    struct err err = {0};

    if (!open_run(&run, directory, settings, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(strlen(run.configuration), 16);
    run_close(&run);
}

static void test_second_program_is_refused(void **state)
{
    struct scratch *scratch = *state;
    struct run run;
    struct err err = {0};
    int status;

    assert_true(open_run(&run, scratch->path, TEXT, NULL));
    pid_t child = fork();
    if (child == 0) {
        struct run second;
        bool opened = open_run(&second, scratch->path, TEXT, &err);
        _exit(opened || err.code != ERR_FAILED || !strstr(err.text, "another program"));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    run_close(&run);
    open_and_close(scratch->path, TEXT);
}

static void test_lock_of_the_dead_is_taken_over(void **state)
{
    struct scratch *scratch = *state;
    int status;

    pid_t child = fork();
    if (child == 0) {
        struct run run;
        _exit(!open_run(&run, scratch->path, TEXT, NULL));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    char path[128];
    snprintf(path, sizeof path, "%s/lock", scratch->path);
    assert_true(file_exists(path));
    assert_false(lock_is_held(scratch->path));
    open_and_close(scratch->path, TEXT);
    assert_false(file_exists(path));
}

/* Another host's program writes its sign of life, or does not. Nobody sees half of it. */
static void write_foreign_lock(const char *path, const char *job, int count)
{
    char text[128], fresh[160];
    int size = snprintf(text, sizeof text, "elsewhere.example 99999999 %s %010d\n", job, count);

    snprintf(fresh, sizeof fresh, "%s.new", path);
    spit(fresh, (const uint8_t *)text, (size_t)size);
    assert_int_equal(rename(fresh, path), 0);
}

static void test_lock_of_another_host(void **state)
{
    struct scratch *scratch = *state;
    struct lock lock = {0};
    struct err err = {0};
    char path[128];

    open_and_close(scratch->path, TEXT);
    snprintf(path, sizeof path, "%s/lock", scratch->path);
    write_foreign_lock(path, "-", 0); /* no such process here, but it is not of this host */
    assert_true(lock_is_held(scratch->path));
    pid_t child = fork();
    if (child == 0) {
        for (int count = 1;; count++) { /* until it is killed */
            write_foreign_lock(path, "-", count);
            nanosleep(&(struct timespec){0, 20000000}, NULL);
        }
    }
    assert_false(lock_take(&lock, scratch->path, 10, NULL, &err));
    assert_non_null(strstr(err.text, "elsewhere.example 99999999"));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    write_foreign_lock(path, "-", 0);
    assert_true(lock_take(&lock, scratch->path, 0.3, NULL, NULL));
    assert_true(lock_check(&lock, NULL));
    lock_release(&lock);
    assert_false(file_exists(path));
}

/* A job that was put back into the queue does not wait for its earlier self. */
static void test_lock_of_a_requeued_job(void **state)
{
    struct scratch *scratch = *state;
    struct lock lock = {0};
    char path[128];

    open_and_close(scratch->path, TEXT);
    snprintf(path, sizeof path, "%s/lock", scratch->path);
    setenv("SLURM_JOB_ID", "4711", 1);
    setenv("SLURM_RESTART_COUNT", "2", 1);
    write_foreign_lock(path, "4711.1", 0);
    assert_false(lock_is_held(scratch->path));
    assert_true(lock_take(&lock, scratch->path, 1000, NULL, NULL));
    lock_release(&lock);
    const char *const others[] = {"4711.2", "4711.3", "471.1", "-"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_foreign_lock(path, others[i], 0);
        assert_true(lock_is_held(scratch->path));
    }
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_RESTART_COUNT");
}

/* Who loses its lock notices, stops, and leaves what is now another's alone. */
static void test_lost_lock(void **state)
{
    struct scratch *scratch = *state;
    struct lock lock = {0};
    struct err err = {0};
    char path[128];
    sigset_t terminate;

    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, NULL);
    open_and_close(scratch->path, TEXT);
    snprintf(path, sizeof path, "%s/lock", scratch->path);
    assert_true(lock_take(&lock, scratch->path, 1, NULL, NULL));
    assert_int_equal(unlink(path), 0);
    write_foreign_lock(path, "-", 0);
    assert_int_equal(sigtimedwait(&terminate, NULL, &(struct timespec){20, 0}), SIGTERM);
    assert_false(lock_check(&lock, &err));
    assert_non_null(strstr(err.text, "taken for dead"));
    lock_release(&lock);
    assert_true(file_exists(path));
}

static void test_other_settings_are_refused(void **state)
{
    struct scratch *scratch = *state;
    struct run run;
    struct err err = {0};

    open_and_close(scratch->path, TEXT);
    open_and_close(scratch->path, "[run]\nseed = 1\ngenerations = 3\n[match]\npairs = 6\n");
    assert_false(open_run(&run, scratch->path, "[run]\nseed = 2\ngenerations = 3\n", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "run.seed was 1, now 2"));
    assert_null(strstr(err.text, "generations"));
    assert_false(open_run(&run, scratch->path, "[run]\nseed = 3\nrules = flying\n", &err));
    assert_non_null(strstr(err.text, "run.seed was 1, now 3; run.rules was classic, now flying"));
    open_and_close(scratch->path, "[run]\nseed = 1\nrules = classic\n");
    open_and_close(scratch->path, TEXT);
}

static void test_status(void **state)
{
    struct scratch *scratch = *state;
    struct run_status status = {.state = "running",
                                .rules = "classic",
                                .stage = "match",
                                .generation = 3,
                                .done = 10,
                                .total = 40,
                                .unit = "pairs",
                                .rate = 2.5,
                                .ranks = 7,
                                .games_least = 11,
                                .games_most = 12,
                                .busy_least = 98.25,
                                .busy_most = 99.5,
                                .outside = 1.75};
    struct run_status back;
    struct run_words words;
    struct err err = {0};

    assert_true(file_make_directories(scratch->path, NULL));
    assert_false(run_read_status(scratch->path, &back, &words, &err));
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
    assert_string_equal(back.state, "running");
    assert_string_equal(back.unit, "pairs");
    assert_true(back.generation == 3 && back.done == 10 && back.total == 40 && back.rate == 2.5);
    assert_null(back.reason);
    assert_true(back.ranks == 7 && back.games_least == 11 && back.games_most == 12);
    assert_true(back.busy_least == 98.25 && back.busy_most == 99.5 && back.outside == 1.75);
    status = (struct run_status){.state = "finished"};
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
    status = (struct run_status){.state = "failed", .reason = "a \"b\"\\c\nd"};
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
    assert_string_equal(back.state, "failed");
    assert_string_equal(back.reason, "a 'b'/c d");
}

/* As on a full disk: what is there is written over. */
static void test_status_without_room(void **state)
{
    struct scratch *scratch = *state;
    struct run_status status = {.state = "running"}, back;
    struct run_words words;

    assert_true(file_make_directories(scratch->path, NULL));
    assert_true(run_write_status(scratch->path, &status, NULL));
    char path[192];
    snprintf(path, sizeof path, "%s/status.json.tmp.%ld", scratch->path, (long)getpid());
    assert_int_equal(mkdir(path, 0777), 0); /* nothing can be prepared under this name */
    status = (struct run_status){.state = "failed", .reason = "No space left on device"};
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
    assert_string_equal(back.state, "failed");
    assert_string_equal(back.reason, "No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_second_program_is_refused, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lock_of_the_dead_is_taken_over, setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lock_of_another_host, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lock_of_a_requeued_job, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lost_lock, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_other_settings_are_refused, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_status, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_status_without_room, setup, scratch_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
