/* The run directory: one program at a time, one set of settings, a readable status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/lock.h"
#include "selfplay/run.h"
#include "selfplay/run_status.h"

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

    return run_open(run, directory, &settings, err);
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

static void test_lock_of_another_host_is_kept(void **state)
{
    struct scratch *scratch = *state;
    struct run run;
    struct err err = {0};
    char path[128];

    open_and_close(scratch->path, TEXT);
    snprintf(path, sizeof path, "%s/lock", scratch->path);
    spit(path, (const uint8_t *)"elsewhere.example 99999999\n", 27); /* no such process here */
    assert_true(lock_is_held(scratch->path));
    assert_false(open_run(&run, scratch->path, TEXT, &err));
    assert_non_null(strstr(err.text, "elsewhere.example 99999999"));
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
    struct run_status status = {"running", "classic", "match", 3, 10, 40, "pairs", 2.5}, back;
    struct run_words words;
    struct err err = {0};

    assert_true(file_make_directories(scratch->path, NULL));
    assert_false(run_read_status(scratch->path, &back, &words, &err));
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
    assert_string_equal(back.state, "running");
    assert_string_equal(back.unit, "pairs");
    assert_true(back.generation == 3 && back.done == 10 && back.total == 40 && back.rate == 2.5);
    status = (struct run_status){.state = "finished"};
    assert_true(run_write_status(scratch->path, &status, NULL));
    assert_true(run_read_status(scratch->path, &back, &words, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_second_program_is_refused, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lock_of_the_dead_is_taken_over, setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_lock_of_another_host_is_kept, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_other_settings_are_refused, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_status, setup, scratch_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
