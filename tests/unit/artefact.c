/* The artefact: what is written comes back, and everything else is refused with a reason. */
#include <errno.h>
#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/artefact/artefact.h"
#include "engine/base/file.h"
#include "engine/base/rng.h"

struct fixture {
    char directory[32], path[FILE_PATH];
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    strcpy(fixture->directory, "/tmp/artefact.XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    assert_true(file_join(fixture->path, fixture->directory, "weights.h5", NULL));
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    unlink(fixture->path);
    assert_int_equal(rmdir(fixture->directory), 0); /* nothing else was left in it */
    free(fixture);
    return 0;
}

/* An artefact in which every value differs from its neighbours. */
static struct artefact full_artefact(const struct variant *variant)
{
    struct artefact artefact;
    artefact_builtin(variant, &artefact);
    struct rng rng = rng_make(1, RNG_TEST, 0);
    for (int i = 0; i < feature_count(variant->rules); i++) {
        artefact.weights.opening[i] = (int16_t)(rng_draw(&rng, 2 * (uint64_t)i) >> 48);
        artefact.weights.ending[i] = (int16_t)(rng_draw(&rng, 2 * (uint64_t)i + 1) >> 48);
    }
    artefact.levels.count = LEVELS_MAX;
    strcpy(artefact.levels.model, "score-logistic");
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &artefact.levels.level[i];
        *level = (struct level){.number = i + 1,
                                .nodes = (uint64_t)i << 33,
                                .depth = i,
                                .noise = 100 - i,
                                .elo = 200.5 * i,
                                .elo_error = 10.25 + i,
                                .games = 1000 + i};
        snprintf(level->name, LEVEL_NAME, "%s", level_name(i + 1));
    }
    artefact.provenance = (struct provenance){.dataset_hash = "0123abcd",
                                              .games = 5000000000,
                                              .positions = 123456,
                                              .loss_before = 0.69314718,
                                              .loss_after = 0.5,
                                              .scale = 0.8,
                                              .configuration = "fedc",
                                              .software = "Draughtsmith 0.1.0",
                                              .date = "2026-11-30T07:38:31Z"};
    return artefact;
}

static void assert_same_level(const struct level *a, const struct level *b)
{
    assert_int_equal(a->number, b->number);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->noise, b->noise);
    assert_true(a->elo == b->elo && a->elo_error == b->elo_error);
    assert_int_equal(a->games, b->games);
}

static void assert_same(const struct artefact *a, const struct artefact *b)
{
    const struct provenance *p = &a->provenance, *q = &b->provenance;
    assert_ptr_equal(a->variant, b->variant);
    assert_memory_equal(a->weights.opening, b->weights.opening, sizeof a->weights.opening);
    assert_memory_equal(a->weights.ending, b->weights.ending, sizeof a->weights.ending);
    assert_int_equal(a->weights.patterns != NULL, b->weights.patterns != NULL);
    if (a->weights.patterns != NULL) {
        size_t count = (size_t)a->weights.patterns->count;
        assert_int_equal(count, b->weights.patterns->count);
        assert_memory_equal(a->weights.patterns->weight, b->weights.patterns->weight,
                            count * sizeof(struct pattern_weight));
    }
    assert_int_equal(a->levels.count, b->levels.count);
    assert_string_equal(a->levels.model, b->levels.model);
    for (int i = 0; i < a->levels.count; i++) {
        assert_same_level(&a->levels.level[i], &b->levels.level[i]);
    }
    assert_string_equal(p->dataset_hash, q->dataset_hash);
    assert_int_equal(p->games, q->games);
    assert_int_equal(p->positions, q->positions);
    assert_true(p->loss_before == q->loss_before && p->loss_after == q->loss_after);
    assert_true(p->scale == q->scale);
    assert_string_equal(p->configuration, q->configuration);
    assert_string_equal(p->software, q->software);
    assert_string_equal(p->date, q->date);
}

static void assert_refused(const char *path, const struct variant *variant, const char *reason)
{
    struct err err = {0};
    struct artefact artefact;
    assert_false(artefact_read(path, variant, &artefact, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, path));
    if (strstr(err.text, reason) == NULL) {
        fail_msg("'%s' does not say '%s'", err.text, reason);
    }
}

static void write_artefact(const char *path, const struct artefact *artefact)
{
    struct err err = {0};
    if (!artefact_write(path, artefact, &err)) {
        fail_msg("%s", err.text);
    }
}

/* The file's bytes, to be freed. */
static char *artefact_bytes(const char *path, const struct artefact *artefact, size_t *size)
{
    write_artefact(path, artefact);
    char *data = file_read(path, SIZE_MAX, size, NULL);
    assert_non_null(data);
    return data;
}

static void round_trip(void **state)
{
    const struct fixture *fixture = *state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct artefact written = full_artefact(variant_at(i)), read;
        write_artefact(fixture->path, &written);
        assert_true(artefact_read(fixture->path, variant_at(i), &read, NULL));
        assert_same(&written, &read);
    }
}

static void builtin_has_no_levels(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact written, read;
    artefact_builtin(&variant_classic, &written);
    write_artefact(fixture->path, &written);
    assert_true(artefact_read(fixture->path, &variant_classic, &read, NULL));
    assert_same(&written, &read);
    assert_int_equal(read.levels.count, 0);
}

static void same_artefact_same_bytes(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_flying);
    size_t first_size = 0, second_size = 0;
    write_artefact(fixture->path, &artefact);
    char *first = file_read(fixture->path, SIZE_MAX, &first_size, NULL);
    memset(artefact.provenance.date + strlen(artefact.provenance.date) + 1, 'x', 20);
    sleep(1); /* HDF5's times count seconds */
    write_artefact(fixture->path, &artefact);
    char *second = file_read(fixture->path, SIZE_MAX, &second_size, NULL);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
}

/* Writes the bytes as they are; unlike file_replace it does not wait for the disk. */
static void put_bytes(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void wrong_files(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    assert_refused(fixture->path, &variant_classic, "no such file");
    assert_refused(fixture->directory, &variant_classic, "directory");
    put_bytes(fixture->path, "", 0);
    assert_refused(fixture->path, &variant_classic, "not an HDF5 file");
    put_bytes(fixture->path, "[weights]\nman=100\n", 18);
    assert_refused(fixture->path, &variant_classic, "not an HDF5 file");
    write_artefact(fixture->path, &artefact);
    assert_refused(fixture->path, &variant_flying, "'classic'");
    assert_refused(fixture->path, &variant_flying, "'flying'");
}

/* Reads must fail, or give what was written (a byte that means nothing was hit). Returns whether
 * it was read. */
static bool read_or_refused(const struct fixture *fixture, const struct artefact *original,
                            const char *data, size_t size)
{
    struct err err = {0};
    struct artefact read;
    put_bytes(fixture->path, data, size);
    bool found = artefact_read(fixture->path, original->variant, &read, &err);
    if (found) {
        assert_same(original, &read);
        weights_fini(&read.weights);
    } else {
        assert_int_equal(err.code, ERR_USAGE);
    }
    return found;
}

/* Weights in [-100, 100] for some of the patterns, 0 for most, as a fit leaves them. */
static void add_patterns(struct artefact *artefact, int set)
{
    const struct variant *variant = artefact->variant;
    struct rng rng = rng_make(1, RNG_TEST, 1);
    struct pattern_table *table = pattern_table_create(variant->rules, variant->pattern_sets[set]);
    assert_non_null(table);
    for (int i = 0; i < table->count; i += 7) {
        table->weight[i].opening = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i, 201) - 100);
        table->weight[i].ending = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i + 1, 201) - 100);
    }
    artefact->weights.patterns = table;
}

static void patterns_round_trip(void **state)
{
    const struct fixture *fixture = *state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct variant *variant = variant_at(i);
        struct artefact written = full_artefact(variant), read;
        add_patterns(&written, i % PATTERN_SETS);
        write_artefact(fixture->path, &written);
        assert_true(artefact_read(fixture->path, variant, &read, NULL));
        assert_ptr_equal(read.weights.patterns->set, written.weights.patterns->set);
        assert_same(&written, &read);
        weights_fini(&written.weights);
        weights_fini(&read.weights);
    }
}

/* Wherever a bit is flipped, the weights are refused or those that were written. */
static void patterns_with_flipped_bits(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    size_t size = 0;
    add_patterns(&artefact, 0);
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    int refused = 0;
    for (size_t at = 0; at < size; at += size / 300) {
        data[at] ^= 4;
        refused += !read_or_refused(fixture, &artefact, data, size);
        data[at] ^= 4;
    }
    assert_in_range(refused, 200, 301);
    free(data);
    weights_fini(&artefact.weights);
}

static void truncated(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t length = 0; length < size; length += 1 + size / 150) {
        put_bytes(fixture->path, data, length);
        assert_refused(fixture->path, &variant_classic, "HDF5 file");
    }
    free(data);
}

static void flipped_bits(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    assert_true(read_or_refused(fixture, &artefact, data, size));
    int refused = 0, flipped = 0;
    for (size_t at = 0; at < size; at += 11) {
        char flip = (char)(1 << (at / 11 % 8));
        data[at] ^= flip;
        refused += !read_or_refused(fixture, &artefact, data, size);
        flipped++;
        data[at] ^= flip;
    }
    assert_true(refused > flipped / 2); /* the rest is room that the format leaves unused */
    free(data);
}

/* Opens the file behind the artefact's back. */
static hid_t open_to_spoil(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void set_attribute(hid_t file, const char *name, int value)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0);
    H5Aclose(attribute);
}

static void patterns_of_other_windows(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    add_patterns(&artefact, 0);
    write_artefact(fixture->path, &artefact);
    hid_t file = open_to_spoil(fixture->path);
    hid_t dataset = H5Dopen2(file, "/weights/pattern", H5P_DEFAULT);
    set_attribute(dataset, "columns", 9);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_refused(fixture->path, &variant_classic, "9");
    weights_fini(&artefact.weights);
}

static void newer_format(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    write_artefact(fixture->path, &artefact);
    hid_t file = open_to_spoil(fixture->path);
    set_attribute(file, "format", 3);
    H5Fclose(file);
    assert_refused(fixture->path, &variant_classic, "format 3");
}

static void missing_parts(void **state)
{
    static const char *const PARTS[] = {"/weights",     "/levels",        "/provenance",
                                        "/weights/man", "/levels/number", "/levels/elo",
                                        "/weights/turn"};
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        put_bytes(fixture->path, data, size);
        hid_t file = open_to_spoil(fixture->path);
        assert_true(H5Ldelete(file, PARTS[i], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_refused(fixture->path, &variant_classic, PARTS[i]);
    }
    free(data);
}

static void missing_attributes(void **state)
{
    static const struct {
        const char *object, *name;
    } PARTS[] = {{"/", "format"}, {"/", "rules"}, {"/levels", "model"}, {"/provenance", "date"}};
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        put_bytes(fixture->path, data, size);
        hid_t file = open_to_spoil(fixture->path);
        assert_true(H5Adelete_by_name(file, PARTS[i].object, PARTS[i].name, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_refused(fixture->path, &variant_classic, PARTS[i].name);
    }
    free(data);
}

/* Puts an empty-valued dataset of other dimensions or type in the place of one. */
static void replace_dataset(const char *path, const char *name, hid_t type, int rank,
                            const hsize_t *dims)
{
    hid_t file = open_to_spoil(path);
    hid_t space = H5Screate_simple(rank, dims, NULL);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
}

static void wrong_shapes(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    const hsize_t squares[2] = {2, 50}, swapped[2] = {32, 2}, five[1] = {5}, six[1] = {6},
                  two[2] = {2, 1};
    const struct {
        const char *name;
        hid_t type;
        int rank;
        const hsize_t *dims;
    } parts[] = {
        {"/weights/man_square", H5T_STD_I16LE, 2, squares},
        {"/weights/man_square", H5T_STD_I16LE, 2, swapped},
        {"/weights/man", H5T_STD_I16LE, 1, six},
        {"/weights/man", H5T_IEEE_F32LE, 2, two},
        {"/levels/number", H5T_STD_I32LE, 1, five},
        {"/levels/elo", H5T_IEEE_F64LE, 1, five},
        {"/levels/name", H5T_STD_I32LE, 1, six},
    };
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        put_bytes(fixture->path, data, size);
        replace_dataset(fixture->path, parts[i].name, parts[i].type, parts[i].rank, parts[i].dims);
        assert_refused(fixture->path, &variant_classic, parts[i].name);
    }
    free(data);
}

static void weights_beyond_int16(void **state)
{
    const struct fixture *fixture = *state;
    const hsize_t dims[2] = {2, 1};
    const int values[2] = {100, 70000};
    struct artefact artefact = full_artefact(&variant_classic);
    write_artefact(fixture->path, &artefact);
    replace_dataset(fixture->path, "/weights/man", H5T_STD_I32LE, 2, dims);
    hid_t file = open_to_spoil(fixture->path);
    hid_t dataset = H5Dopen2(file, "/weights/man", H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_refused(fixture->path, &variant_classic, "70000");
}

static void level_fields_out_of_range(void **state)
{
    const struct fixture *fixture = *state;
    const struct artefact good = full_artefact(&variant_classic);
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
        write_artefact(fixture->path, &bad[i]);
        assert_refused(fixture->path, &variant_classic, "level 4");
    }
}

static void provenance_is_checked(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact artefact = full_artefact(&variant_classic);
    artefact.provenance.loss_after = strtod("inf", NULL);
    write_artefact(fixture->path, &artefact);
    assert_refused(fixture->path, &variant_classic, "loss_after");
    artefact = full_artefact(&variant_classic);
    artefact.provenance.games = -5;
    write_artefact(fixture->path, &artefact);
    assert_refused(fixture->path, &variant_classic, "games");
}

static void full_disk_keeps_the_old_file(void **state)
{
    const struct fixture *fixture = *state;
    struct artefact old = full_artefact(&variant_classic), other = old, read;
    struct err err = {0};
    write_artefact(fixture->path, &old);
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
    assert_same(&old, &read);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(builtin_has_no_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(same_artefact_same_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_files, setup, teardown),
        cmocka_unit_test_setup_teardown(truncated, setup, teardown),
        cmocka_unit_test_setup_teardown(patterns_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(patterns_with_flipped_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(patterns_of_other_windows, setup, teardown),
        cmocka_unit_test_setup_teardown(flipped_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(newer_format, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_attributes, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_shapes, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_beyond_int16, setup, teardown),
        cmocka_unit_test_setup_teardown(level_fields_out_of_range, setup, teardown),
        cmocka_unit_test_setup_teardown(provenance_is_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk_keeps_the_old_file, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
