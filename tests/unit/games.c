/* The games of a stage: each once, whatever files they stand in; and the shards made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/games.h"
#include "selfplay/sharding.h"

static const char ABOUT[] = "draughtsmith games, format 1\nrules=flying\n";
static const char NAME[] = "flying-g0";

enum { GAMES = 24 };

static const struct variant *const VARIANT = &variant_flying;

/* Makes the journal of a rank: the games `first`, first + step, ... below GAMES, last one first;
 * game `wrong` is given other moves. */
static void make_journal(const char *directory, int rank, int64_t first, int64_t step,
                         int64_t wrong)
{
    char path[FILE_PATH];
    struct journal journal;
    assert_true(games_journal_path(path, directory, NAME, rank, NULL));
    assert_true(journal_open(&journal, path, ABOUT, 30, NULL));
    for (int64_t number = GAMES - 1; number >= first; number--) {
        if ((number - first) % step != 0) {
            continue;
        }
        size_t size;
        struct record record = random_record(VARIANT, number == wrong ? GAMES : number);
        record.number = number;
        uint8_t *bytes = encoded(VARIANT, &record, &size);
        assert_true(journal_append(&journal, bytes, size, NULL));
        free(bytes);
        record_fini(&record);
    }
    assert_true(journal_close(&journal, NULL));
}

static struct games open_games(const char *directory)
{
    struct games games;
    struct err err = {0};
    if (!games_open(&games, directory, NAME, ABOUT, &err)) {
        fail_msg("%s", err.text);
    }
    return games;
}

static void count_shard_row(const struct shard_entry *entry, int64_t *rows)
{
    assert_true(entry->info.rows > 0 && entry->games > 0);
    *rows += entry->info.rows;
}

static bool watch_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    (void)err;
    count_shard_row(entry, context);
    return true;
}

static struct sharding_result make_shards(const struct games *games, int64_t rows_max)
{
    int64_t rows = 0;
    struct shard_info info = {.generation = 0, .opening_plies = 6, .seed = 1, .weights_id = 2};
    struct sharding_watch watch = {watch_shard, &rows};
    struct sharding_result result;
    struct err err = {0};
    bool stopped;
    if (!sharding_run(games, VARIANT, &info, rows_max, &watch, NULL, NULL, &result, &stopped,
                      &err)) {
        fail_msg("%s", err.text);
    }
    assert_false(stopped);
    assert_int_equal(result.positions, rows);
    assert_int_equal(result.games, games->count);
    assert_int_equal(result.white_wins + result.black_wins + result.draws, result.games);
    return result;
}

static int setup(void **state)
{
    char *directory = calloc(1, 64);
    make_scratch(directory);
    *state = directory;
    struct games games = open_games(directory); /* makes the folders */
    assert_int_equal(games.count, 0);
    games_close(&games);
    for (int rank = 0; rank < 3; rank++) {
        make_journal(directory, rank, rank, 3, -1);
    }
    return 0;
}

static int teardown(void **state)
{
    remove_scratch(*state);
    free(*state);
    return 0;
}

static void test_found_in_order(void **state)
{
    int64_t *missing;
    struct games games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    for (int64_t i = 0; i < GAMES; i++) {
        assert_int_equal(games.entry[i].number, i);
    }
    assert_int_equal(games_missing(&games, 0, GAMES + 2, &missing), 2);
    assert_int_equal(missing[0], GAMES);
    assert_int_equal(missing[1], GAMES + 1);
    free(missing);
    games_close(&games);
}

/* Killed between the records' rename and the journals' removal: both are there. */
static void test_both_files(void **state)
{
    char path[FILE_PATH];
    size_t size;
    assert_true(games_journal_path(path, *state, NAME, 1, NULL));
    uint8_t *bytes = slurp(path, &size);
    struct games games = open_games(*state);
    assert_false(games.merged);
    assert_true(games_merge(&games, ABOUT, NULL));
    games_close(&games);
    assert_false(file_exists(path));
    spit(path, bytes, size);
    free(bytes);

    games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    assert_false(games.merged);
    assert_true(games_merge(&games, ABOUT, NULL));
    games_close(&games);
    games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    assert_true(games.merged);
    games_close(&games);
}

static void test_two_versions(void **state)
{
    struct games games;
    struct err err = {0};
    make_journal(*state, 7, 5, GAMES, -1);
    games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    games_close(&games);
    make_journal(*state, 8, 5, GAMES, 5);
    assert_false(games_open(&games, *state, NAME, ABOUT, &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "game 5 "));
}

static void test_leftovers_removed(void **state)
{
    char path[FILE_PATH];
    const char *const files[] = {"games/flying-g0.records.tmp.1", "shards/flying-g0-0000.h5.tmp.1"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(file_join(path, *state, files[i], NULL));
        spit(path, (const uint8_t *)"x", 1);
        struct games games = open_games(*state);
        games_close(&games);
        assert_false(file_exists(path));
    }
}

/* However the games are cut into shards, the rows are the same. */
static void test_cuts(void **state)
{
    char path[FILE_PATH];
    struct games games = open_games(*state);
    struct sharding_result one = make_shards(&games, 1000000), many = make_shards(&games, 250),
                           each = make_shards(&games, 1);
    assert_int_equal(one.shards, 1);
    assert_true(many.shards > 3);
    assert_int_equal(each.shards, GAMES);
    assert_int_equal(one.hash, many.hash);
    assert_int_equal(one.hash, each.hash);
    assert_int_equal(one.positions, many.positions);
    make_shards(&games, 1000000);
    assert_true(file_join(path, *state, "shards/flying-g0-0001.h5", NULL));
    assert_false(file_exists(path));
    games_close(&games);
}

/* A shard that is missing, or damaged, is made again, byte for byte. */
static void test_mended(void **state)
{
    char path[FILE_PATH];
    size_t size, again;
    assert_true(file_join(path, *state, "shards/flying-g0-0001.h5", NULL));
    struct games games = open_games(*state);
    make_shards(&games, 250);
    uint8_t *good = slurp(path, &size);
    unlink(path);
    make_shards(&games, 250);
    uint8_t *same = slurp(path, &again);
    assert_int_equal(again, size);
    assert_memory_equal(same, good, size);
    free(same);
    spit(path, good, size / 2);
    make_shards(&games, 250);
    same = slurp(path, &again);
    assert_int_equal(again, size);
    assert_memory_equal(same, good, size);
    free(same);
    free(good);
    games_close(&games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_both_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_versions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_leftovers_removed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cuts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mended, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
