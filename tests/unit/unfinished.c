/* What can be had of a run that is not finished, and what is said about the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/artefact/artefact.h"
#include "games_support.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/run.h"
#include "tuner/export.h"
#include "tuner/publish.h"
#include "tuner/report.h"
#include "tuner/stage.h"

struct fixture {
    char directory[64], target[FILE_PATH];
    struct catalogue *catalogue;
    char *said; /* by the last publish; owned */
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    char path[FILE_PATH];

    assert_non_null(fixture);
    make_scratch(fixture->directory);
    assert_true(file_join(fixture->target, fixture->directory, "target", NULL));
    assert_true(run_catalogue_path(path, fixture->directory, NULL));
    fixture->catalogue = catalogue_open(path, NULL);
    assert_non_null(fixture->catalogue);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    catalogue_close(fixture->catalogue);
    remove_scratch(fixture->directory);
    free(fixture->said);
    free(fixture);
    return 0;
}

static void begin(struct fixture *fixture, const struct variant *variant, int generation)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
    assert_true(catalogue_stage_begin(fixture->catalogue, &key, NULL));
}

/* Levels of a generation are measured: its file is there. */
static void measure(struct fixture *fixture, const struct variant *variant, int generation)
{
    struct stage_key key = stage_key_of(variant, generation, STAGE_CALIBRATE);
    struct artefact artefact;
    char path[FILE_PATH];

    assert_true(catalogue_stage_begin(fixture->catalogue, &key, NULL));
    assert_true(catalogue_stage_finish(fixture->catalogue, &key, NULL));
    artefact_builtin(variant, &artefact);
    artefact.levels.count = LEVELS_MAX;
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &artefact.levels.level[i];
        *level = (struct level){.number = i + 1, .nodes = 100};
        snprintf(level->name, sizeof level->name, "%s", level_name(i + 1));
    }
    assert_true(artefact_path(path, fixture->directory, variant, NULL));
    assert_true(artefact_write(path, &artefact, NULL));
}

/* Publishes and keeps what the log was told. */
static bool publish_and_hear(struct fixture *fixture, struct err *err)
{
    size_t size;

    free(fixture->said);
    fixture->said = NULL;
    FILE *said = open_memstream(&fixture->said, &size), *nowhere = fopen("/dev/null", "w");
    assert_true(said && nowhere);
    struct log log = {said, LOG_INFO, "train"};
    bool ok = publish(nowhere, &log, fixture->directory, fixture->target, err);
    fclose(nowhere);
    fclose(said);
    return ok;
}

static void test_publish(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};

    begin(fixture, &variant_classic, 0);
    begin(fixture, &variant_flying, 0);
    assert_false(publish_and_hear(fixture, &err));
    assert_non_null(strstr(err.text, "no RULES.h5 file"));
    assert_false(file_exists(fixture->target));

    measure(fixture, &variant_classic, 0);
    assert_true(publish_and_hear(fixture, &err));
    assert_non_null(strstr(fixture->said, "making the directory"));
    assert_non_null(strstr(fixture->said, "flying is not published: its levels are not measured"));
    assert_null(strstr(fixture->said, "classic"));

    begin(fixture, &variant_classic, 1);
    measure(fixture, &variant_flying, 0);
    assert_true(publish_and_hear(fixture, &err));
    assert_string_equal(fixture->said, "train: warning: classic is published as of generation 0, "
                                       "generation 1 is not finished\n");

    measure(fixture, &variant_classic, 1);
    assert_true(publish_and_hear(fixture, &err));
    assert_string_equal(fixture->said, "");
}

static void test_export(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    char path[FILE_PATH];
    long long count;

    begin(fixture, &variant_classic, 0);
    assert_true(file_join(path, fixture->directory, "games.pdn", NULL));
    assert_false(export_pdn(fixture->directory, path, &count, &err));
    assert_non_null(strstr(err.text, "no stage with games is finished yet, `status`"));
    assert_false(export_csv(fixture->directory, path, &count, &err));
    assert_non_null(strstr(err.text, "no self-play stage is finished yet"));
    assert_false(export_weights(fixture->directory, path, &count, &err));
    assert_non_null(strstr(err.text, "no tune stage is finished yet"));
    assert_false(file_exists(path));
}

static bool report_says(struct fixture *fixture, const char *text)
{
    char path[FILE_PATH];

    assert_true(report_write(fixture->directory, path, NULL));
    char *html = file_read(path, 1 << 20, NULL, NULL);
    assert_non_null(html);
    bool says = strstr(html, text) != NULL;
    free(html);
    return says;
}

static void test_report(void **state)
{
    static const char NOTHING[] = "Nothing to report yet";
    struct fixture *fixture = *state;

    assert_true(report_says(fixture, NOTHING));
    begin(fixture, &variant_flying, 0);
    assert_false(report_says(fixture, NOTHING));
    assert_true(report_says(fixture, "Stage selfplay is not finished"));
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
