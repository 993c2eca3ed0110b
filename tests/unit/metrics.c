/* metrics.prom: every line is a comment or a sample, each family is told of once, and the numbers
 * are those of the ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/file.h"
#include "games_support.h"
#include "tuner/metrics.h"

static char *written(const struct metrics *metrics)
{
    char directory[64], path[128];
    struct err err = {0};

    make_scratch(directory);
    if (!metrics_write(directory, metrics, &err)) {
        fail_msg("%s", err.text);
    }
    snprintf(path, sizeof path, "%s/metrics.prom", directory);
    char *text = file_read(path, 1 << 20, NULL, NULL);
    assert_non_null(text);
    remove_scratch(directory);
    return text;
}

static void expect(const char *text, const char *line)
{
    if (strstr(text, line) == NULL) {
        fail_msg("no '%s' in:\n%s", line, text);
    }
}

/* Each line is "# HELP", "# TYPE" of a family not met before, or a sample of the last family. */
static void assert_format(const char *text)
{
    char family[128] = "", line[512];

    for (const char *at = text; *at != '\0';) {
        const char *end = strchr(at, '\n');
        assert_non_null(end);
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        char name[128], rest[256], type[16];
        if (sscanf(line, "# HELP %127s %255[^\n]", name, rest) == 2) {
            char again[160];
            snprintf(again, sizeof again, "# HELP %s ", name);
            assert_null(strstr(end, again));
            snprintf(family, sizeof family, "%s", name);
        } else if (sscanf(line, "# TYPE %127s %15s", name, type) == 2) {
            assert_string_equal(name, family);
            assert_true(strcmp(type, "gauge") == 0 || strcmp(type, "counter") == 0);
        } else {
            size_t length = strlen(family);
            assert_int_equal(strncmp(line, family, length), 0);
            assert_true(line[length] == ' ' || line[length] == '{');
            double value;
            assert_int_equal(sscanf(strrchr(line, ' '), " %lf", &value), 1);
        }
        at = end + 1;
    }
}

static void test_selfplay(void **state)
{
    (void)state;
    const struct selfplay_rank ranks[] = {{12, 30.5, 30.25}, {13, 31, 30.75}};
    const struct run_status status = {.state = "running",
                                      .rules = "classic",
                                      .stage = "selfplay",
                                      .generation = 2,
                                      .done = 25,
                                      .total = 100,
                                      .unit = "games",
                                      .rate = 0.8,
                                      .ranks = 2};
    const struct metrics metrics = {
        .status = &status, .moment = 1700000000, .plies = 2500, .nodes = 2500000, .ranks = ranks};
    char *text = written(&metrics);

    assert_format(text);
    expect(text, "draughts_train_running 1\n");
    expect(text, "draughts_train_updated_seconds 1700000000\n");
    expect(text, "draughts_train_stage_done{rules=\"classic\",generation=\"2\",stage=\"selfplay\","
                 "unit=\"games\"} 25\n");
    expect(text, "draughts_train_rank_games_total{rules=\"classic\",generation=\"2\","
                 "stage=\"selfplay\",rank=\"1\"} 13\n");
    expect(text, "rank=\"0\"} 30.500\n");
    expect(text, "rank=\"1\"} 30.750\n");
    expect(text, "stage=\"selfplay\"} 2500000\n");
    free(text);
}

static void test_other_stage(void **state)
{
    (void)state;
    const struct run_status status = {
        .state = "finished", .rules = "flying", .stage = "match", .unit = "pairs"};
    const struct run_status none = {.state = "running", .rules = "", .stage = "", .unit = ""};
    const struct metrics metrics = {.status = &status}, empty = {.status = &none};
    char *text = written(&metrics);

    assert_format(text);
    expect(text, "draughts_train_running 0\n");
    assert_null(strstr(text, "rank"));
    free(text);
    text = written(&empty);
    assert_format(text);
    assert_null(strstr(text, "stage"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selfplay),
        cmocka_unit_test(test_other_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
