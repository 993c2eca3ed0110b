/* The games of a stage: each once, whatever files they stand in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/store/games.h"

static const char ABOUT[] = "draughtsmith games, format 1\nrules=flying\n";
static const char NAME[] = "flying-g0";

enum { GAMES = 24 };

static const struct variant *const VARIANT = &variant_flying;

static void append_game(struct journal *journal, int64_t number, int64_t wrong)
{
    size_t size;
    struct record record = random_record(VARIANT, number == wrong ? GAMES : number);
    record.number = number;
    uint8_t *bytes = encoded(VARIANT, &record, &size);
    assert_true(journal_append(journal, bytes, size, NULL));
    free(bytes);
    record_fini(&record);
}

/* Makes the journal: the games `first`, first + 1, ... below `end`, last one first; game `wrong` is
 * given other moves. */
static void make_journal(const char *directory, int64_t first, int64_t end, int64_t wrong)
{
    char path[FILE_PATH];
    struct journal journal;
    assert_true(games_journal_path(path, directory, NAME, NULL));
    unlink(path);
    assert_true(journal_open(&journal, path, ABOUT, 30, NULL));
    for (int64_t number = end - 1; number >= first; number--) {
        append_game(&journal, number, wrong);
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

static int setup(void **state)
{
    char *directory = calloc(1, 64);
    make_scratch(directory);
    *state = directory;
    struct games games = open_games(directory); /* makes the folders */
    assert_int_equal(games.count, 0);
    games_close(&games);
    make_journal(directory, 0, GAMES, -1);
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
    assert_int_equal(games.records, 0);
    for (int64_t i = 0; i < GAMES; i++) {
        assert_int_equal(games.entry[i].number, i);
        assert_false(games.entry[i].stored);
    }
    assert_int_equal(games_missing(&games, 0, GAMES + 2, &missing), 2);
    assert_int_equal(missing[0], GAMES);
    assert_int_equal(missing[1], GAMES + 1);
    free(missing);
    games_close(&games);
}

/* Killed between the records' becoming whole and the journal's removal: both are there. */
static void test_both_files(void **state)
{
    char journal[FILE_PATH], records[FILE_PATH];
    size_t size, again;
    assert_true(games_journal_path(journal, *state, NAME, NULL));
    assert_true(games_records_path(records, *state, NAME, NULL));
    uint8_t *bytes = slurp(journal, &size);
    struct games games = open_games(*state);
    assert_true(games_merge(&games, ABOUT, NULL));
    games_close(&games);
    assert_false(file_exists(journal));
    spit(journal, bytes, size);
    free(bytes);
    bytes = slurp(records, &size);

    games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    assert_int_equal(games.twice, 0);
    assert_true(games.ascending);
    assert_int_equal(games.records, size);
    assert_true(games.entry[0].stored && games.entry[GAMES - 1].stored);
    assert_true(games_merge(&games, ABOUT, NULL));
    games_close(&games);
    assert_false(file_exists(journal));
    uint8_t *same = slurp(records, &again);
    assert_int_equal(again, size);
    assert_memory_equal(same, bytes, size);
    free(same);
    free(bytes);
}

/* Records out of order, or with something between them, are made again. */
static void test_records_disordered(void **state)
{
    char journal[FILE_PATH], records[FILE_PATH];
    assert_true(games_journal_path(journal, *state, NAME, NULL));
    assert_true(games_records_path(records, *state, NAME, NULL));
    assert_int_equal(rename(journal, records), 0); /* last one first */
    for (int damage = 0; damage < 2; damage++) {
        struct games games = open_games(*state);
        assert_int_equal(games.count, GAMES - damage);
        assert_false(games.ascending);
        assert_true(games_merge(&games, ABOUT, NULL));
        games_close(&games);
        games = open_games(*state);
        assert_int_equal(games.count, GAMES - damage);
        assert_true(games.ascending);
        assert_int_equal(games.torn, 0);
        games_close(&games);
        size_t size;
        uint8_t *bytes = slurp(records, &size);
        bytes[size / 2] ^= 1;
        spit(records, bytes, size);
        free(bytes);
    }
}

static void test_two_versions(void **state)
{
    struct games games = open_games(*state);
    struct err err = {0};
    assert_true(games_merge(&games, ABOUT, NULL));
    games_close(&games);
    make_journal(*state, 5, 6, -1);
    games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    games_close(&games);
    make_journal(*state, 5, 6, 5);
    assert_false(games_open(&games, *state, NAME, ABOUT, &err));
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, "game 5 "));
}

/* One that a file has twice was played twice. */
static void test_played_twice(void **state)
{
    char path[FILE_PATH];
    struct journal_map map;
    struct journal journal;
    assert_true(games_journal_path(path, *state, NAME, NULL));
    assert_true(journal_map(&map, path, ABOUT, NULL));
    assert_true(journal_resume(&journal, path, (int64_t)map.size, 30, NULL));
    journal_unmap(&map);
    append_game(&journal, 7, -1);
    assert_true(journal_close(&journal, NULL));
    struct games games = open_games(*state);
    assert_int_equal(games.count, GAMES);
    assert_int_equal(games.twice, 1);
    games_close(&games);
}

static void test_leftovers_removed(void **state)
{
    char path[FILE_PATH];
    const char *const files[] = {"games/flying-g0.records.tmp.1", "shards/flying-g0-0000.h5.tmp.1",
                                 "journal/flying-g0.journal.tmp.1"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_true(file_join(path, *state, files[i], NULL));
        spit(path, (const uint8_t *)"x", 1);
        struct games games = open_games(*state);
        games_close(&games);
        assert_false(file_exists(path));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_both_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_records_disordered, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_versions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_played_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(test_leftovers_removed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
