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
#include "selfplay/store/shard.h"
#include "selfplay/store/sharding.h"

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

static uint64_t hash_rows(uint64_t hash, const struct shard_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct shard_flat flat = shard_flatten(variant_international.rules, &rows[i]);
        hash = shard_hash(hash, &flat, 1);
    }
    return hash;
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
    assert_true(hash_rows(0, rows, fixture->count) == hash_rows(0, fixture->rows, fixture->count));
    free(rows);
}

/* A long shard appended in pieces of any size is the same file, and any range of it can be read. */
static void test_stream(void **state)
{
    struct fixture *fixture = *state;
    enum { ROWS = 3 * 65536 + 1000, PIECE = 7001 };
    struct shard_row *rows = malloc(ROWS * sizeof *rows), *found = malloc(ROWS * sizeof *found);
    struct shard_info info = INFO;
    size_t size, again;
    assert_true(rows != NULL && found != NULL);
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = fixture->rows[i % fixture->count];
        rows[i].game = (int64_t)i;
    }
    assert_true(shard_write(fixture->path, &variant_international, &INFO, rows, ROWS, NULL));
    uint8_t *whole = slurp(fixture->path, &size);
    struct shard_writer *writer = shard_create(fixture->path, &variant_international, NULL);
    for (size_t i = 0; i < ROWS; i += PIECE) {
        size_t left = ROWS - i;
        assert_int_equal(shard_rows(writer), i);
        assert_true(shard_append(writer, rows + i, left < PIECE ? left : PIECE, NULL));
    }
    assert_true(shard_finish(writer, &info, NULL));
    shard_destroy(writer);
    assert_int_equal(info.rows, ROWS);
    assert_true(info.hash == hash_rows(0, rows, ROWS));
    uint8_t *pieces = slurp(fixture->path, &again);
    assert_int_equal(again, size);
    assert_memory_equal(pieces, whole, size);

    struct shard *shard = shard_open(fixture->path, &variant_international, &info, NULL);
    static const int64_t FIRST[] = {0, 65536, 65530, 100, ROWS - 1, ROWS},
                         COUNT[] = {10, 65536, 70000, ROWS - 100, 1, 0};
    for (int i = 0; i < 6; i++) {
        assert_true(shard_get(shard, FIRST[i], COUNT[i], found, NULL));
        assert_true(hash_rows(0, found, (size_t)COUNT[i]) ==
                    hash_rows(0, rows + FIRST[i], (size_t)COUNT[i]));
    }
    assert_true(shard_verify(shard, NULL));
    shard_close(shard);
    free(pieces);
    free(whole);
    free(found);
    free(rows);
}

/* A shard that is given up leaves what was there. */
static void test_given_up(void **state)
{
    struct fixture *fixture = *state;
    spit(fixture->path, (const uint8_t *)"before", 6);
    struct shard_writer *writer = shard_create(fixture->path, &variant_international, NULL);
    assert_true(shard_append(writer, fixture->rows, fixture->count, NULL));
    shard_destroy(writer);
    size_t size;
    uint8_t *bytes = slurp(fixture->path, &size);
    assert_int_equal(size, 6);
    free(bytes);
}

/* Every field counts, and a chain does not depend on where it is cut. */
static void test_hash(void **state)
{
    struct fixture *fixture = *state;
    uint64_t whole = hash_rows(0, fixture->rows, fixture->count);
    uint64_t chained =
        hash_rows(hash_rows(0, fixture->rows, 100), fixture->rows + 100, fixture->count - 100);
    assert_true(whole == chained);
    for (int field = 0; field < 6; field++) {
        struct shard_row row = fixture->rows[50];
        row.position.kings[BLACK] ^= field == 0 ? bit(20) : 0;
        row.position.turn ^= field == 1;
        row.ply ^= field == 2;
        row.best_move ^= field == 3;
        row.score ^= field == 4;
        row.result ^= field == 5;
        assert_true(hash_rows(0, &row, 1) != hash_rows(0, &fixture->rows[50], 1));
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
    uint64_t hash = hash_rows(0, fixture->rows, fixture->count);
    for (size_t at = 0; at < size; at += 173) {
        struct shard_info info;
        struct shard_row *rows;
        bytes[at] ^= 0x55;
        spit(fixture->path, bytes, size);
        if (!shard_read(fixture->path, &variant_international, &info, &rows, NULL)) {
            noticed++;
        } else {
            harmless++;
            assert_true(hash_rows(0, rows, (size_t)info.rows) == hash);
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
        cmocka_unit_test_setup_teardown(test_stream, setup, teardown),
        cmocka_unit_test_setup_teardown(test_given_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hash, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_edited, setup, teardown),
        cmocka_unit_test_setup_teardown(test_array_in_header, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
