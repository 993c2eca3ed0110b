/* What is made from a catalogue: report and status lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/artefact/artefact.h"
#include "games_support.h"
#include "selfplay/store/catalogue_fit.h"
#include "selfplay/store/run.h"
#include "selfplay/store/run_status.h"
#include "tuner/report.h"
#include "tuner/report/plot.h"
#include "tuner/status.h"

/* What a fit says of itself, a window of the first two of each. */
static void fill_fit(struct catalogue *catalogue)
{
    struct catalogue_cell cells[] = {
        {CATALOGUE_PIECES, "21-24", 4000, 3000, 0.5, 0.52, 0.01, 0.75, 0.02, 0.6},
        {CATALOGUE_MATERIAL, "+1", 20, 0, 0.75, 1, -1, 0, -1, 0.3},
        {CATALOGUE_PREDICTED, "0.45-0.50", 500, 0, 0.47, 0.45, 0.02, 0, -1, 0.69}};
    struct catalogue_term terms[FEATURES_MAX] = {{"man", 100, 100, 1.25, 2.5}};
    struct catalogue_surprise surprises[] = {{"W:W5:B1", 0.875, 0, 2.079}};
    struct catalogue_window windows[] = {{6561, 2916, 900, 400}};
    const struct catalogue_fit fit = {cells, terms, surprises, windows, 3, FEATURES_MAX, 1, 1};

    assert_true(catalogue_set_fit(catalogue, "classic", 0, &fit, NULL));
}

/* Weights with two patterns, of a man and of the other's man on a window's first square. */
static void write_weights(const char *directory)
{
    const struct variant *variant = &variant_classic;
    struct artefact artefact;
    char path[FILE_PATH];

    artefact_builtin(variant, &artefact);
    artefact.weights.patterns = pattern_table_create(variant->rules, variant->pattern_sets[0]);
    assert_non_null(artefact.weights.patterns);
    artefact.weights.patterns->weight[1] = (struct pattern_weight){77, 55};
    artefact.weights.patterns->weight[2] = (struct pattern_weight){-66, -44};
    assert_true(run_weights_path(path, directory, variant, 0, NULL));
    *strrchr(path, '/') = '\0';
    assert_true(file_make_directories(path, NULL));
    assert_true(run_weights_path(path, directory, variant, 0, NULL));
    assert_true(artefact_write(path, &artefact, NULL));
    weights_fini(&artefact.weights);
}

/* A run of one rule set whose match is under way. */
static void fill(struct catalogue *catalogue)
{
    const struct catalogue_pass passes[] = {{0, 0.7, 0.71}, {1, 0.6, 0.65}, {2, 0.59, 0.64}};
    struct stage_key play = {"classic", 0, "selfplay"}, tune = {"classic", 0, "tune"};
    struct stage_key match = {"classic", 0, "match"};

    assert_true(catalogue_stage_begin(catalogue, &play, NULL));
    assert_true(catalogue_set_figure(catalogue, &play, "games", 1234, NULL));
    assert_true(catalogue_stage_finish(catalogue, &play, NULL));
    assert_true(catalogue_stage_begin(catalogue, &tune, NULL));
    assert_true(catalogue_set_figure(catalogue, &tune, "loss_before", 0.6543, NULL));
    assert_true(catalogue_set_figure(catalogue, &tune, "loss_after", 0.4321, NULL));
    assert_true(catalogue_set_curve(catalogue, "classic", 0, passes, 3, NULL));
    fill_fit(catalogue);
    assert_true(catalogue_stage_finish(catalogue, &tune, NULL));
    assert_true(catalogue_stage_begin(catalogue, &match, NULL));
}

static int setup(void **state)
{
    struct run_status status = {.state = "running",
                                .rules = "classic",
                                .stage = "match",
                                .done = 10,
                                .total = 40,
                                .unit = "pairs",
                                .rate = 2};

    scratch_setup(state, "run.db");
    const struct scratch *scratch = *state;
    struct catalogue *catalogue = catalogue_open(scratch->path, NULL);
    assert_non_null(catalogue);
    fill(catalogue);
    catalogue_close(catalogue);
    assert_true(run_write_status(scratch->directory, &status, NULL));
    return 0;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) {
        count++;
    }
    return count;
}

static void test_report(void **state)
{
    struct scratch *scratch = *state;
    struct err err = {0};
    char path[FILE_PATH];

    write_weights(scratch->directory);
    if (!report_write(scratch->directory, path, &err)) {
        fail_msg("%s", err.text);
    }
    char *html = file_read(path, 1 << 20, NULL, &err);
    assert_non_null(html);
    assert_non_null(strstr(html, "<td>1234</td>"));
    assert_non_null(strstr(html, "<td>0.65430</td><td>0.43210</td>"));
    assert_non_null(strstr(html, "Stage match is not finished"));
    assert_non_null(strstr(html, "<td>21-24</td><td>4000</td><td>0.5000</td><td>0.5200</td>"
                                 "<td>+0.0200 &plusmn; 0.0196</td><td>0.60000</td>"
                                 "<td>75.00 &plusmn; 3.92</td><td>3000</td>"));
    assert_non_null(strstr(html, "<td>+1</td><td>20</td><td>0.7500</td><td>1.0000</td>"
                                 "<td>+0.2500</td>"));
    assert_non_null(strstr(html, "<td>W:W5:B1</td><td>0.8750</td><td>0</td><td>2.079</td>"));
    assert_non_null(strstr(html, "<td>6561</td><td>2916</td><td>900</td><td>2016</td>"));
    assert_non_null(strstr(html, "<td>man</td><td>100 &plusmn; 1.2</td><td>100 &plusmn; 2.5</td>"));
    assert_non_null(strstr(html, ">+77 / +55<"));
    assert_non_null(strstr(html, ">-66 / -44<"));
    assert_int_equal(count_of(html, "stroke=\"#333\"/>"), 2);
    assert_int_equal(count_of(html, "<svg"), 4); /* loss, predictions, squares, patterns */
    assert_int_equal(count_of(html, "</svg>"), 4);
    assert_int_equal(count_of(html, "<h2>"), 1);
    assert_null(strstr(html, "<?xml"));
    free(html);
}

static void test_status(void **state)
{
    struct scratch *scratch = *state;
    struct err err = {0};
    char *text = NULL, path[FILE_PATH];
    size_t size;

    FILE *out = open_memstream(&text, &size);
    assert_true(status_write(out, scratch->directory, &err));
    fclose(out);
    assert_non_null(strstr(text, "killed in stage match of classic generation 0, 10 of 40 pairs"));
    assert_non_null(strstr(text, "1234 games"));
    assert_non_null(strstr(text, "loss 0.65430 -> 0.43210 on held-out games"));
    assert_non_null(strstr(text, "begun, not finished"));
    free(text);
    assert_true(file_join(path, scratch->directory, "lock", NULL));
    spit(path, (const uint8_t *)"elsewhere.example 1\n", 20);
    out = open_memstream(&text, &size);
    assert_true(status_write(out, scratch->directory, &err));
    fclose(out);
    assert_non_null(strstr(text, "10 of 40 pairs, 2.0 a second, 15.0 s left"));
    free(text);
}

static void test_directories_that_are_no_run(void **state)
{
    struct scratch *scratch = *state;
    struct err err = {0};
    char path[FILE_PATH], missing[FILE_PATH];

    assert_true(file_join(missing, scratch->directory, "missing", NULL));
    assert_false(report_write(missing, path, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, missing));
}

static void test_plot(void **state)
{
    struct err err = {0};

    (void)state;
    char *svg = plot_svg("set terminal svg\nplot sin(x)\n", &err);
    assert_non_null(svg);
    assert_memory_equal(svg, "<svg", 4);
    free(svg);
    assert_null(plot_svg("set terminal svg\nplot '/nowhere/data'\nexit status 3\n", &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    assert_null(plot_svg("set terminal svg\nplot sin(x)\n", &err));
    assert_non_null(strstr(err.text, "gnuplot-nox"));
}

/* A ~/.gnuplot in which a user has changed how data is read does not matter. */
static void test_users_settings(void **state)
{
    struct scratch *scratch = *state;
    char path[128];
    struct err err = {0};

    snprintf(path, sizeof path, "%s/.gnuplot", scratch->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("set datafile separator ','\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("HOME", scratch->directory, 1), 0);
    char *svg =
        plot_svg("set terminal svg\n$data << END\n1 2\n2 3\nEND\nplot $data using 1:2\n", &err);
    assert_non_null(svg);
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_report, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_status, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_directories_that_are_no_run, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_users_settings, setup, scratch_teardown),
        cmocka_unit_test(test_plot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
