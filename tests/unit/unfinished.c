/* What can be had of a run that is not finished, and what is said about the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/artefact.h"
#include "games_support.h"
#include "selfplay/catalogue.h"
#include "selfplay/run.h"
#include "tuner/export.h"
#include "tuner/publish.h"
#include "tuner/report.h"
#include "tuner/stage.h"

struct scratch {
    char directory[64], target[FILE_PATH];
    struct catalogue *catalogue;
    char *said; /* by the last publish; owned */
};

static int setup(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    char path[FILE_PATH];

    assert_non_null(scratch);
    make_scratch(scratch->directory);
    assert_true(file_join(scratch->target, scratch->directory, "target", NULL));
    assert_true(run_catalogue_path(path, scratch->directory, NULL));
    scratch->catalogue = catalogue_open(path, NULL);
    assert_non_null(scratch->catalogue);
    *state = scratch;
    return 0;
}

static int teardown(void **state)
{
    struct scratch *scratch = *state;

    catalogue_close(scratch->catalogue);
    remove_scratch(scratch->directory);
    free(scratch->said);
    free(scratch);
    return 0;
}

static void begin(struct scratch *scratch, const struct variant *variant, int generation)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
    assert_true(catalogue_stage_begin(scratch->catalogue, &key, NULL));
}

/* Levels of a generation are measured: its file is there. */
static void measure(struct scratch *scratch, const struct variant *variant, int generation)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_CALIBRATE);
    struct artefact artefact;
    char path[FILE_PATH];

    assert_true(catalogue_stage_begin(scratch->catalogue, &key, NULL));
    assert_true(catalogue_stage_finish(scratch->catalogue, &key, NULL));
    artefact_builtin(variant, &artefact);
    artefact.levels.count = LEVELS_MAX;
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &artefact.levels.level[i];
        *level = (struct level){.number = i + 1, .nodes = 100};
        snprintf(level->name, sizeof level->name, "%s", level_name(i + 1));
    }
    assert_true(artefact_path(path, scratch->directory, variant, NULL));
    assert_true(artefact_write(path, &artefact, NULL));
}

/* Publishes and keeps what the log was told. */
static bool publish_and_hear(struct scratch *scratch, struct err *err)
{
    size_t size;

    free(scratch->said);
    scratch->said = NULL;
    FILE *said = open_memstream(&scratch->said, &size), *nowhere = fopen("/dev/null", "w");
    assert_true(said && nowhere);
    struct log log = {said, LOG_INFO, "train"};
    bool ok = publish(nowhere, &log, scratch->directory, scratch->target, err);
    fclose(nowhere);
    fclose(said);
    return ok;
}

static void test_publish(void **state)
{
    struct scratch *scratch = *state;
    struct err err = {0};

    begin(scratch, &variant_classic, 0);
    begin(scratch, &variant_flying, 0);
    assert_false(publish_and_hear(scratch, &err));
    assert_non_null(strstr(err.text, "no RULES.h5 file"));
    assert_false(file_exists(scratch->target));

    measure(scratch, &variant_classic, 0);
    assert_true(publish_and_hear(scratch, &err));
    assert_non_null(strstr(scratch->said, "making the directory"));
    assert_non_null(strstr(scratch->said, "flying is not published: its levels are not measured"));
    assert_null(strstr(scratch->said, "classic"));

    begin(scratch, &variant_classic, 1);
    measure(scratch, &variant_flying, 0);
    assert_true(publish_and_hear(scratch, &err));
    assert_string_equal(scratch->said, "train: warning: classic is published as of generation 0, "
                                       "generation 1 is not finished\n");

    measure(scratch, &variant_classic, 1);
    assert_true(publish_and_hear(scratch, &err));
    assert_string_equal(scratch->said, "");
}

static void test_export(void **state)
{
    struct scratch *scratch = *state;
    struct err err = {0};
    char path[FILE_PATH];
    long long count;

    begin(scratch, &variant_classic, 0);
    assert_true(file_join(path, scratch->directory, "games.pdn", NULL));
    assert_false(export_pdn(scratch->directory, path, &count, &err));
    assert_non_null(strstr(err.text, "no stage with games is finished yet, `status`"));
    assert_false(export_csv(scratch->directory, path, &count, &err));
    assert_non_null(strstr(err.text, "no self-play stage is finished yet"));
    assert_false(file_exists(path));
}

static bool report_says(struct scratch *scratch, const char *text)
{
    char path[FILE_PATH];

    assert_true(report_write(scratch->directory, path, NULL));
    char *html = file_read(path, 1 << 20, NULL, NULL);
    assert_non_null(html);
    bool says = strstr(html, text) != NULL;
    free(html);
    return says;
}

static void test_report(void **state)
{
    static const char NOTHING[] = "Nothing to report yet";
    struct scratch *scratch = *state;

    assert_true(report_says(scratch, NOTHING));
    begin(scratch, &variant_flying, 0);
    assert_false(report_says(scratch, NOTHING));
    assert_true(report_says(scratch, "Stage selfplay is not finished"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_publish, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export, setup, teardown),
        cmocka_unit_test_setup_teardown(test_report, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
