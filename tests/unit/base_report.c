/* What people read: durations, the log, progress away from a terminal, the version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/progress.h"
#include "engine/base/version.h"

static void durations_are_for_people(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } CASES[] = {
        {0, "0.0 s"},           {4.2, "4.2 s"},          {59.94, "59.9 s"},
        {59.96, "1 min 0 s"},   {200, "3 min 20 s"},     {3599.4, "59 min 59 s"},
        {3599.6, "1 h 00 min"}, {7500, "2 h 05 min"},    {360000, "100 h 00 min"},
        {-1, "0.0 s"},          {1.0 / 0.0, "for ever"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[32];
        clock_duration(CASES[i].seconds, text, sizeof text);
        assert_string_equal(text, CASES[i].text);
    }
}

static void clocks_go_on(void **state)
{
    (void)state;
    double before = clock_seconds();
    assert_true(clock_seconds() >= before);
    char stamp[CLOCK_STAMP];
    clock_stamp(stamp);
    int year, month, day, hour, minute, second, end = 0;
    assert_int_equal(sscanf(stamp, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour,
                            &minute, &second, &end),
                     6);
    assert_int_equal(end, CLOCK_STAMP - 1);
}

/* A log into a temporary file. */
static struct log file_log(enum log_level level)
{
    struct log log = {.out = tmpfile(), .level = level, .program = "draughts"};
    assert_non_null(log.out);
    return log;
}

/* What the log holds, in text[size]; closes it. */
static void contents(struct log *log, char *text, size_t size)
{
    rewind(log->out);
    text[fread(text, 1, size - 1, log->out)] = '\0';
    fclose(log->out);
}

static void log_keeps_its_level(void **state)
{
    (void)state;
    struct log log = file_log(LOG_INFO);
    log_line(&log, LOG_ERROR, "disk %d", 1);
    log_line(&log, LOG_WARNING, "slow");
    log_line(&log, LOG_INFO, "plain");
    log_line(&log, LOG_DEBUG, "dropped");
    log_line(NULL, LOG_ERROR, "dropped");
    log_line(&(struct log){.level = LOG_DEBUG}, LOG_ERROR, "dropped");
    char text[256];
    contents(&log, text, sizeof text);
    assert_string_equal(text, "draughts: error: disk 1\ndraughts: warning: slow\nplain\n");
}

static void long_lines_end(void **state)
{
    (void)state;
    struct log log = file_log(LOG_INFO);
    log_line(&log, LOG_INFO, "%05000d", 0);
    log_line(&log, LOG_INFO, "next");
    char text[8192];
    contents(&log, text, sizeof text);
    assert_int_equal(strlen(text), 4096 + 5);
    assert_string_equal(text + 4095, "\nnext\n");
}

/* Shortly after the start only the closing line is due. */
static void progress_closes_with_a_line(void **state)
{
    (void)state;
    struct log log = file_log(LOG_INFO);
    struct progress progress = progress_start(&log, "self-play", "games", 100, 40);
    progress_update(&progress, 50);
    progress_end(&progress, 100);
    char text[256];
    contents(&log, text, sizeof text);
    assert_memory_equal(text, "self-play: 100 games (40 found done) in 0.0 s, ", 47);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void progress_lines_come_when_due(void **state)
{
    (void)state;
    struct log log = file_log(LOG_INFO);
    struct progress progress = progress_start(&log, "fit", "epochs", 100, 0);
    progress.started -= 5;
    progress.shown -= 5; /* as if five seconds had passed */
    progress_update(&progress, 50);
    progress_update(&progress, 51);
    char text[256];
    contents(&log, text, sizeof text);
    assert_string_equal(text, "fit: 50/100 epochs, 10/s, 5.0 s left\n");
}

/* Work found done takes part in the bar, not in the rate. */
static void rate_counts_new_work_only(void **state)
{
    (void)state;
    struct log log = file_log(LOG_INFO);
    struct progress progress = progress_start(&log, "fit", "epochs", 100, 40);
    progress.started -= 5;
    progress.shown -= 5;
    progress_update(&progress, 50);
    char text[256];
    contents(&log, text, sizeof text);
    assert_string_equal(text, "fit: 50/100 epochs, 2/s, 25.0 s left\n");
}

static void quiet_progress_is_silent(void **state)
{
    (void)state;
    struct log log = file_log(LOG_WARNING);
    struct progress progress = progress_start(&log, "fit", "epochs", 0, 0);
    progress.shown -= 100;
    progress_update(&progress, 1);
    progress_end(&progress, 2);
    char text[16];
    contents(&log, text, sizeof text);
    assert_string_equal(text, "");
    progress = progress_start(NULL, "fit", "epochs", 0, 0);
    progress_update(&progress, 1);
    progress_end(&progress, 2);
}

static void version_names_the_build(void **state)
{
    (void)state;
    char start[64];
    snprintf(start, sizeof start, "Draughtsmith %s (git ", version_number());
    assert_memory_equal(version_line(), start, strlen(start));
    assert_int_equal(version_line()[strlen(version_line()) - 1], ')');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_for_people),
        cmocka_unit_test(clocks_go_on),
        cmocka_unit_test(log_keeps_its_level),
        cmocka_unit_test(long_lines_end),
        cmocka_unit_test(progress_closes_with_a_line),
        cmocka_unit_test(progress_lines_come_when_due),
        cmocka_unit_test(rate_counts_new_work_only),
        cmocka_unit_test(quiet_progress_is_silent),
        cmocka_unit_test(version_names_the_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
