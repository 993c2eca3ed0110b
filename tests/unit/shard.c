/* Shards: rows come back as they were, and a damaged or foreign file is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "games_support.h"
#include "selfplay/shard.h"
#include "selfplay/sharding.h"

struct fixture {
    char directory[64], path[128];
    struct shard_row *rows;
    size_t count;
};

static const struct shard_info INFO = {
    .generation = 3, .opening_plies = 6, .seed = UINT64_MAX, .weights_id = 77};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    size_t capacity = 0;
    make_scratch(fixture->directory);
    snprintf(fixture->path, sizeof fixture->path, "%s/a.h5", fixture->directory);
    for (int64_t number = 0; number < 10; number++) {
        struct record record = random_record(&variant_international, number);
        assert_true(sharding_rows(&record, &variant_international, &fixture->rows, &fixture->count,
                                  &capacity, NULL));
        record_fini(&record);
    }
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    remove_scratch(fixture->directory);
    free(fixture->rows);
    free(fixture);
    return 0;
}

/* The rows say what the record says. */
static void test_rows(void **state)
{
    struct fixture *fixture = *state;
    struct record record = random_record(&variant_international, 0);
    struct game game;
    assert_true(record_replay(&record, &variant_international, &game, NULL));
    for (int ply = 6; ply < record.plies; ply++) {
        const struct shard_row *row = &fixture->rows[ply - 6];
        assert_true(position_equal(&row->position, &game.positions[ply]));
        assert_int_equal(row->ply, ply);
        assert_int_equal(row->score, record.ply[ply].score);
        assert_int_equal(row->result, record.outcome == OUTCOME_WHITE_WINS   ? 1
                                      : record.outcome == OUTCOME_BLACK_WINS ? -1
                                                                             : 0);
    }
    assert_int_equal(fixture->rows[record.plies - 6].game, 1);
    game_fini(&game);
    record_fini(&record);
}

static void test_round_trip(void **state)
{
    struct fixture *fixture = *state;
    struct shard_info info = {0};
    struct shard_row *rows = NULL;
    struct err err = {0};
    const struct rules *rules = variant_international.rules;
    if (!shard_write(fixture->path, &variant_international, &INFO, fixture->rows, fixture->count,
                     &err) ||
        !shard_read(fixture->path, &variant_international, &info, &rows, &err)) {
        fail_msg("%s", err.text);
        return;
    }
    assert_int_equal(info.rows, fixture->count);
    assert_int_equal(info.generation, 3);
    assert_int_equal(info.opening_plies, 6);
    assert_true(info.seed == UINT64_MAX);
    assert_int_equal(info.weights_id, 77);
    for (size_t i = 0; i < fixture->count; i++) {
        assert_true(position_equal(&rows[i].position, &fixture->rows[i].position));
        assert_int_equal(rows[i].game, fixture->rows[i].game);
    }
    assert_true(shard_hash(0, rules, rows, fixture->count) ==
                shard_hash(0, rules, fixture->rows, fixture->count));
    free(rows);
}

/* Every field counts, and a chain does not depend on where it is cut. */
static void test_hash(void **state)
{
    struct fixture *fixture = *state;
    const struct rules *rules = variant_international.rules;
    uint64_t whole = shard_hash(0, rules, fixture->rows, fixture->count);
    uint64_t chained = shard_hash(shard_hash(0, rules, fixture->rows, 100), rules,
                                  fixture->rows + 100, fixture->count - 100);
    assert_true(whole == chained);
    for (int field = 0; field < 6; field++) {
        struct shard_row row = fixture->rows[50];
        row.position.kings[BLACK] ^= field == 0 ? bit(20) : 0;
        row.position.turn ^= field == 1;
        row.ply ^= field == 2;
        row.best_move ^= field == 3;
        row.score ^= field == 4;
        row.result ^= field == 5;
        assert_true(shard_hash(0, rules, &row, 1) != shard_hash(0, rules, &fixture->rows[50], 1));
    }
}

static void assert_refused(const char *path, const struct variant *variant, const char *text)
{
    struct shard_info info;
    struct shard_row *rows;
    struct err err = {0};
    assert_false(shard_read(path, variant, &info, &rows, &err));
    assert_int_equal(err.code, ERR_USAGE);
    if (strstr(err.text, path) == NULL || strstr(err.text, text) == NULL) {
        fail_msg("'%s' does not name '%s' and '%s'", err.text, path, text);
    }
}

static void test_refused(void **state)
{
    struct fixture *fixture = *state;
    assert_refused(fixture->path, &variant_international, "no such file");
    assert_true(shard_write(fixture->path, &variant_international, &INFO, fixture->rows,
                            fixture->count, NULL));
    assert_refused(fixture->path, &variant_classic, "international");
    spit(fixture->path, (const uint8_t *)"no shard", 8);
    assert_refused(fixture->path, &variant_international, "HDF5");
}

/* Data that was changed on the disk is noticed. */
static void test_damaged(void **state)
{
    struct fixture *fixture = *state;
    size_t size;
    assert_true(shard_write(fixture->path, &variant_international, &INFO, fixture->rows,
                            fixture->count, NULL));
    uint8_t *bytes = slurp(fixture->path, &size);
    int noticed = 0, harmless = 0;
    uint64_t hash = shard_hash(0, variant_international.rules, fixture->rows, fixture->count);
    for (size_t at = 0; at < size; at += 173) {
        struct shard_info info;
        struct shard_row *rows;
        bytes[at] ^= 0x55;
        spit(fixture->path, bytes, size);
        if (!shard_read(fixture->path, &variant_international, &info, &rows, NULL)) {
            noticed++;
        } else {
            harmless++;
            assert_true(shard_hash(0, variant_international.rules, rows, (size_t)info.rows) ==
                        hash);
            free(rows);
        }
        bytes[at] ^= 0x55;
    }
    assert_true(noticed > harmless);
    free(bytes);
}

/* Values that were changed through HDF5, checksums and all, are noticed by the hash. */
static void test_edited(void **state)
{
    struct fixture *fixture = *state;
    int8_t *results = malloc(fixture->count);
    assert_non_null(results);
    assert_true(shard_write(fixture->path, &variant_international, &INFO, fixture->rows,
                            fixture->count, NULL));
    hid_t file = H5Fopen(fixture->path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "result", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, results) >= 0);
    results[7] = results[7] == 0 ? 1 : 0;
    assert_true(H5Dwrite(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, results) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    free(results);
    assert_refused(fixture->path, &variant_international, "not those that were written");
}

/* A header whose number is an array would be read past its place. */
static void test_array_in_header(void **state)
{
    struct fixture *fixture = *state;
    static const int64_t MANY[1000];
    assert_true(shard_write(fixture->path, &variant_international, &INFO, fixture->rows,
                            fixture->count, NULL));
    hid_t file = H5Fopen(fixture->path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &(hsize_t){1000}, NULL);
    assert_true(H5Adelete(file, "rows") >= 0);
    hid_t attribute = H5Acreate2(file, "rows", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT64, MANY) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Fclose(file);
    assert_refused(fixture->path, &variant_international, "damaged header");
}

/* As on a full disk: here the limit on file sizes is reached. HDF5 must not be left with a file
 * that it cannot close, it would crash at exit. */
static void test_full_disk(void **state)
{
    struct fixture *fixture = *state;
    struct rlimit before, small;
    struct err err = {0};
    char expected[192];
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = shard_write(fixture->path, &variant_international, &INFO, fixture->rows,
                               fixture->count, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    snprintf(expected, sizeof expected, "%s: cannot write it: File too large", fixture->path);
    assert_string_equal(err.text, expected);
    assert_int_not_equal(access(fixture->path, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hash, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_edited, setup, teardown),
        cmocka_unit_test_setup_teardown(test_array_in_header, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
