/* Artefacts that are damaged, of another format or made behind our back: refused with a reason. */
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "artefact_support.h"
#include "support.h"

/* Reads must fail, or give what was written (a byte that means nothing was hit). Returns whether
 * it was read. */
static bool read_or_refused(const struct artefact_fixture *fixture, const struct artefact *original,
                            const char *data, size_t size)
{
    struct err err = {0};
    struct artefact read;
    spit(fixture->path, data, size);
    bool found = artefact_read(fixture->path, original->variant, &read, &err);
    if (found) {
        assert_same_artefact(original, &read);
        weights_fini(&read.weights);
    } else {
        assert_int_equal(err.code, ERR_USAGE);
    }
    return found;
}

/* Wherever a bit is flipped, the weights are refused or those that were written. */
static void patterns_with_flipped_bits(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    size_t size = 0;
    artefact_add_patterns(&artefact, 0);
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
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t length = 0; length < size; length += 1 + size / 150) {
        spit(fixture->path, data, length);
        assert_artefact_refused(fixture->path, &variant_classic, "HDF5 file");
    }
    free(data);
}

static void flipped_bits(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
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
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    artefact_add_patterns(&artefact, 0);
    artefact_put(fixture->path, &artefact);
    hid_t file = open_to_spoil(fixture->path);
    hid_t dataset = H5Dopen2(file, "/weights/pattern", H5P_DEFAULT);
    set_attribute(dataset, "columns", 9);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_artefact_refused(fixture->path, &variant_classic, "9");
    weights_fini(&artefact.weights);
}

static void newer_format(void **state)
{
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    artefact_put(fixture->path, &artefact);
    hid_t file = open_to_spoil(fixture->path);
    set_attribute(file, "format", 3);
    H5Fclose(file);
    assert_artefact_refused(fixture->path, &variant_classic, "format 3");
}

static void missing_parts(void **state)
{
    static const char *const PARTS[] = {"/weights",     "/levels",        "/provenance",
                                        "/weights/man", "/levels/number", "/levels/elo",
                                        "/weights/turn"};
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        spit(fixture->path, data, size);
        hid_t file = open_to_spoil(fixture->path);
        assert_true(H5Ldelete(file, PARTS[i], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_artefact_refused(fixture->path, &variant_classic, PARTS[i]);
    }
    free(data);
}

static void missing_attributes(void **state)
{
    static const struct {
        const char *object, *name;
    } PARTS[] = {{"/", "format"}, {"/", "rules"}, {"/levels", "model"}, {"/provenance", "date"}};
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
    size_t size = 0;
    char *data = artefact_bytes(fixture->path, &artefact, &size);
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        spit(fixture->path, data, size);
        hid_t file = open_to_spoil(fixture->path);
        assert_true(H5Adelete_by_name(file, PARTS[i].object, PARTS[i].name, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_artefact_refused(fixture->path, &variant_classic, PARTS[i].name);
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
    const struct artefact_fixture *fixture = *state;
    struct artefact artefact = artefact_full(&variant_classic);
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
        spit(fixture->path, data, size);
        replace_dataset(fixture->path, parts[i].name, parts[i].type, parts[i].rank, parts[i].dims);
        assert_artefact_refused(fixture->path, &variant_classic, parts[i].name);
    }
    free(data);
}

static void weights_beyond_int16(void **state)
{
    const struct artefact_fixture *fixture = *state;
    const hsize_t dims[2] = {2, 1};
    const int values[2] = {100, 70000};
    struct artefact artefact = artefact_full(&variant_classic);
    artefact_put(fixture->path, &artefact);
    replace_dataset(fixture->path, "/weights/man", H5T_STD_I32LE, 2, dims);
    hid_t file = open_to_spoil(fixture->path);
    hid_t dataset = H5Dopen2(file, "/weights/man", H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_artefact_refused(fixture->path, &variant_classic, "70000");
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(truncated, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(patterns_with_flipped_bits, artefact_setup,
                                        artefact_teardown),
        cmocka_unit_test_setup_teardown(patterns_of_other_windows, artefact_setup,
                                        artefact_teardown),
        cmocka_unit_test_setup_teardown(flipped_bits, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(newer_format, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(missing_parts, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(missing_attributes, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(wrong_shapes, artefact_setup, artefact_teardown),
        cmocka_unit_test_setup_teardown(weights_beyond_int16, artefact_setup, artefact_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
