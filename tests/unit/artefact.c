/* The artefact: what is written comes back, and what is not to be in one is refused. */
#include <errno.h>
#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "artefact_support.h"
#include "support.h"

static void round_trip(void **state)
{
    const struct artefact_fixture *fixture = *state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct artefact written = artefact_full(variant_at(i)), read;
        artefact_put(fixture->path, &written);
        assert_true(artefact_read(fixture->path, variant_at(i), &read, NULL));
        assert_same_artefact(&written, &read);
    }
}

static void builtin_has_no_levels(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact written, read;
    artefact_builtin(&variant_classic, &written);
    artefact_put(fixture->path, &written);
    assert_true(artefact_read(fixture->path, &variant_classic, &read, NULL));
    assert_same_artefact(&written, &read);
    assert_int_equal(read.levels.count, 0);
}

static void same_artefact_same_bytes(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_flying);
    size_t first_size = 0, second_size = 0;
    artefact_put(fixture->path, &artefact);
    char *first = file_read(fixture->path, SIZE_MAX, &first_size, NULL);
    memset(artefact.provenance.date + strlen(artefact.provenance.date) + 1, 'x', 20);
    sleep(1); /* HDF5's times count seconds */
    artefact_put(fixture->path, &artefact);
    char *second = file_read(fixture->path, SIZE_MAX, &second_size, NULL);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
}

static void wrong_files(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    assert_artefact_refused(fixture->path, &variant_classic, "no such file");
    assert_artefact_refused(fixture->directory, &variant_classic, "directory");
    spit(fixture->path, "", 0);
    assert_artefact_refused(fixture->path, &variant_classic, "not an HDF5 file");
    spit(fixture->path, "[weights]\nman=100\n", 18);
    assert_artefact_refused(fixture->path, &variant_classic, "not an HDF5 file");
    artefact_put(fixture->path, &artefact);
    assert_artefact_refused(fixture->path, &variant_flying, "'classic'");
    assert_artefact_refused(fixture->path, &variant_flying, "'flying'");
}

static void patterns_round_trip(void **state)
{
    const struct artefact_fixture *fixture = *state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct variant *variant = variant_at(i);
        struct artefact written = artefact_full(variant), read;
        artefact_add_patterns(&written, i % PATTERN_SETS);
        artefact_put(fixture->path, &written);
        assert_true(artefact_read(fixture->path, variant, &read, NULL));
        assert_ptr_equal(read.weights.patterns->set, written.weights.patterns->set);
        assert_same_artefact(&written, &read);
        weights_fini(&written.weights);
        weights_fini(&read.weights);
    }
}

static void level_fields_out_of_range(void **state)
{
    const struct artefact_fixture *fixture = *state;
    const struct artefact good = artefact_full(&variant_classic);
    struct artefact bad[9];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i] = good;
    }
    bad[0].levels.level[3].number = 7;
    bad[1].levels.level[3].name[0] = '\0';
    bad[2].levels.level[3].name[1] = '\n';
    bad[3].levels.level[3].depth = SEARCH_PLIES;
    bad[4].levels.level[3].noise = -1;
    bad[5].levels.level[3].elo = strtod("nan", NULL);
    bad[6].levels.level[3].elo_error = -1;
    bad[7].levels.level[3].games = -1;
    bad[8].levels.level[3].nodes = UINT64_MAX;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        artefact_put(fixture->path, &bad[i]);
        assert_artefact_refused(fixture->path, &variant_classic, "level 4");
    }
}

static void provenance_is_checked(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    artefact.provenance.loss_after = strtod("inf", NULL);
    artefact_put(fixture->path, &artefact);
    assert_artefact_refused(fixture->path, &variant_classic, "loss_after");
    artefact = artefact_full(&variant_classic);
    artefact.provenance.games = -5;
    artefact_put(fixture->path, &artefact);
    assert_artefact_refused(fixture->path, &variant_classic, "games");
}

static void full_disk_keeps_the_old_file(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact old = artefact_full(&variant_classic), other = old, read;
    struct err err = {0};
    artefact_put(fixture->path, &old);
    other.provenance.games++;

    struct rlimit usual, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = usual;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = artefact_write(fixture->path, &other, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);

    assert_false(written);
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    assert_true(artefact_read(fixture->path, &variant_classic, &read, NULL));
    assert_same_artefact(&old, &read);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(builtin_has_no_levels, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(same_artefact_same_bytes, artefact_setup,
                                        artefact_teardown),
        cmocka_unit_test_setup_teardown(wrong_files, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(patterns_round_trip, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(level_fields_out_of_range, artefact_setup,
                                        artefact_teardown),
        cmocka_unit_test_setup_teardown(provenance_is_checked, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(full_disk_keeps_the_old_file, artefact_setup,
                                        artefact_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
