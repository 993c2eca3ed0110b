/* The games of a stage under way: whenever it is left, in whatever order games come, and whatever
 * happens to its files, the next start comes to the same records and shards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/file.h"
#include "games_support.h"
#include "selfplay/game/hash.h"
#include "selfplay/store/game_store.h"

static const char ABOUT[] = "draughtsmith games, format 1\nrules=flying\n";
static const char NAME[] = "flying-g0";
static const char JOURNAL[] = "journal/flying-g0.journal", RECORDS[] = "games/flying-g0.records";

enum { GAMES = 24, ROWS = 250 };

static const struct variant *const VARIANT = &variant_flying;

/* A run directory, and what its watcher was told. */
struct fixture {
    char directory[64];
    int64_t shards, rows, games_shown;
    struct game_store_settings settings;
};

static bool watch_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    struct fixture *fixture = context;
    char path[FILE_PATH];
    (void)err;
    assert_true(entry->info.rows > 0 && entry->games > 0);
    snprintf(path, sizeof path, "%s/shards/%s", fixture->directory, entry->name);
    struct shard_info info;
    struct shard *shard = shard_open(path, VARIANT, &info, NULL);
    assert_non_null(shard);
    assert_true(shard_verify(shard, NULL));
    assert_true(info.hash == entry->info.hash && info.rows == entry->info.rows);
    shard_close(shard);
    fixture->shards++;
    fixture->rows += info.rows;
    return true;
}

static bool watch_game(void *context, const struct record *record, struct err *err)
{
    struct fixture *fixture = context;
    (void)err;
    assert_int_equal(record->number, fixture->games_shown);
    fixture->games_shown++;
    return true;
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    make_scratch(fixture->directory);
    fixture->settings = (struct game_store_settings){
        .sharding = {.directory = fixture->directory,
                     .name = NAME,
                     .variant = VARIANT,
                     .info = {.opening_plies = 6, .seed = 1, .weights_id = 2},
                     .rows_max = ROWS},
        .watch = {watch_shard, watch_game, fixture},
        .about = ABOUT,
        .end = GAMES,
        .sync_seconds = 30};
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    remove_scratch(fixture->directory);
    free(fixture);
    return 0;
}

static struct game_store *open_store(struct fixture *fixture)
{
    struct err err = {0};
    fixture->shards = fixture->rows = fixture->games_shown = 0;
    struct game_store *store = game_store_open(&fixture->settings, &err);
    if (store == NULL) {
        fail_msg("%s", err.text);
    }
    return store;
}

static void add(struct game_store *store, int64_t number)
{
    size_t size;
    struct record record = random_record(VARIANT, number);
    struct err err = {0};
    uint8_t *bytes = encoded(VARIANT, &record, &size);
    if (!game_store_add(store, bytes, size, &err)) {
        fail_msg("%s", err.text);
    }
    free(bytes);
    record_fini(&record);
}

/* Makes the shards for which there are games. */
static void make_shards(const struct fixture *fixture, struct game_store *store)
{
    struct shard_cut cut;
    struct shard_entry entry;
    struct err err = {0};
    bool given_up;
    while (game_store_cut(store, &cut)) {
        if (!sharding_make(&fixture->settings.sharding, &cut, NULL, &entry, &given_up, &err) ||
            !game_store_made(store, &entry, &err)) {
            fail_msg("%s", err.text);
        }
        assert_false(given_up);
    }
}

static struct game_store_result finish(const struct fixture *fixture, struct game_store *store)
{
    struct game_store_result result;
    struct err err = {0};
    make_shards(fixture, store);
    if (!game_store_finish(store, &result, &err) || !game_store_close(store, &err)) {
        fail_msg("%s", err.text);
    }
    return result;
}

/* All games are there. */
static void advance(struct game_store *store)
{
    struct err err = {0};
    bool stopped;
    if (!game_store_advance(store, NULL, NULL, &stopped, &err)) {
        fail_msg("%s", err.text);
    }
    assert_false(stopped);
}

/* Plays what is missing: number i * step modulo GAMES for each i. */
static struct game_store_result complete(struct fixture *fixture, int64_t step)
{
    struct game_store *store = open_store(fixture);
    int64_t *missing, count = games_missing(game_store_found(store), 0, GAMES, &missing);
    for (int64_t i = 0; i < GAMES; i++) {
        for (int64_t k = 0; k < count; k++) {
            if (missing[k] == i * step % GAMES) {
                add(store, missing[k]);
            }
        }
    }
    free(missing);
    if (count == 0) {
        advance(store);
    }
    struct game_store_result result = finish(fixture, store);
    assert_int_equal(result.games, GAMES);
    assert_int_equal(fixture->games_shown, GAMES);
    assert_int_equal(fixture->shards, result.shards);
    assert_int_equal(fixture->rows, result.shards > 0 ? result.positions : 0);
    assert_int_equal(result.positions, result.plies);
    assert_int_equal(result.white_wins + result.black_wins + result.draws, GAMES);
    return result;
}

static void path_of(const struct fixture *fixture, const char *name, char out[FILE_PATH])
{
    assert_true(file_join(out, fixture->directory, name, NULL));
}

/* Records and first two shards as one hash. */
static uint64_t hash_files(const struct fixture *fixture)
{
    static const char *const NAMES[] = {RECORDS, "shards/flying-g0-0000.h5",
                                        "shards/flying-g0-0001.h5"};
    uint64_t hash = HASH_START;
    for (int i = 0; i < 3; i++) {
        char path[FILE_PATH];
        size_t size;
        path_of(fixture, NAMES[i], path);
        uint8_t *bytes = slurp(path, &size);
        hash = hash_bytes(hash, bytes, size);
        free(bytes);
    }
    return hash;
}

/* Whatever the order in which games finish. */
static void test_any_order(void **state)
{
    struct fixture *fixture = *state;
    static const int64_t STEPS[] = {1, GAMES - 1, 5, 7};
    uint64_t expected = 0;
    for (int i = 0; i < 4; i++) {
        char path[FILE_PATH];
        struct game_store_result result = complete(fixture, STEPS[i]);
        uint64_t hash = hash_files(fixture);
        assert_true(i == 0 || hash == expected);
        assert_true(result.shards > 3);
        expected = hash;
        path_of(fixture, JOURNAL, path);
        assert_false(file_exists(path));
        remove_scratch(fixture->directory);
    }
}

/* A shard is made, and told, while games are still missing; its games leave the journal. */
static void test_under_way(void **state)
{
    struct fixture *fixture = *state;
    char journal[FILE_PATH];
    struct journal_map map;
    struct game_store *store = open_store(fixture);
    path_of(fixture, JOURNAL, journal);
    for (int64_t number = 1; number < GAMES / 2; number++) {
        add(store, number);
    }
    make_shards(fixture, store);
    assert_int_equal(fixture->shards, 0); /* game 0 is missing */
    add(store, 0);
    for (int64_t number = GAMES / 2; number < GAMES - 1; number++) {
        add(store, number);
    }
    make_shards(fixture, store);
    assert_true(fixture->shards > 2);
    assert_int_equal(fixture->games_shown, GAMES - 1);
    assert_true(journal_map(&map, journal, ABOUT, NULL));
    int64_t left = 0;
    for (size_t size; journal_next(&map, &size) != NULL; left++) {
    }
    journal_unmap(&map);
    assert_true(left < GAMES / 2);
    assert_true(game_store_close(store, NULL));
    complete(fixture, 1);
}

/* Left at any moment, closed or not, with games missing between those that are there. */
static void test_left(void **state)
{
    struct fixture *fixture = *state;
    complete(fixture, 1);
    uint64_t expected = hash_files(fixture);
    for (int64_t left = 1; left < GAMES; left += 3) {
        remove_scratch(fixture->directory);
        struct game_store *store = open_store(fixture);
        for (int64_t i = 0; i < left; i++) {
            add(store, i * 7 % GAMES);
        }
        assert_true(game_store_close(store, NULL));
        store = open_store(fixture);
        assert_int_equal(game_store_found(store)->count, left);
        assert_int_equal(game_store_found(store)->twice, 0);
        add(store, left * 7 % GAMES);
        assert_true(game_store_close(store, NULL));
        complete(fixture, 5);
        assert_true(hash_files(fixture) == expected);
    }
}

/* Cuts the last bytes off a file. */
static void tear(const struct fixture *fixture, const char *name)
{
    char path[FILE_PATH];
    size_t size;
    path_of(fixture, name, path);
    uint8_t *bytes = slurp(path, &size);
    spit(path, bytes, size - 5);
    free(bytes);
}

/* What is torn or broken is played again, no more. */
static void test_torn(void **state)
{
    struct fixture *fixture = *state;
    char path[FILE_PATH];
    complete(fixture, 1);
    uint64_t expected = hash_files(fixture);
    path_of(fixture, RECORDS, path);
    for (int damage = 0; damage < 4; damage++) {
        size_t size;
        uint8_t *bytes = slurp(path, &size);
        switch (damage) {
        case 0:
            tear(fixture, RECORDS);
            break;
        case 1:
            bytes[size / 2] ^= 1;
            spit(path, bytes, size);
            break;
        case 2:
            bytes[size / 3] ^= 1;
            spit(path, bytes, size / 2);
            break;
        default:
            spit(path, bytes, 0);
        }
        free(bytes);
        struct game_store *store = open_store(fixture);
        int64_t found = game_store_found(store)->count;
        assert_true(damage < 2 ? found == GAMES - 1 : found < GAMES - 2);
        assert_true(game_store_close(store, NULL));
        complete(fixture, 5);
        assert_true(hash_files(fixture) == expected);
    }
}

/* However the games are cut into shards, they are the same; shards left over are removed. */
static void test_cuts(void **state)
{
    struct fixture *fixture = *state;
    char path[FILE_PATH];
    struct game_store_result many = complete(fixture, 1);
    fixture->settings.sharding.rows_max = 1;
    struct game_store_result each = complete(fixture, 1);
    fixture->settings.sharding.rows_max = 1000000;
    struct game_store_result one = complete(fixture, 1);
    fixture->settings.sharding.rows_max = 0;
    struct game_store_result none = complete(fixture, 1);
    assert_int_equal(one.shards, 1);
    assert_int_equal(each.shards, GAMES);
    assert_int_equal(none.shards, 0);
    assert_true(one.hash == many.hash && one.hash == each.hash && one.hash == none.hash);
    assert_int_equal(one.positions, many.positions);
    assert_int_equal(one.plies, none.plies);
    path_of(fixture, "shards/flying-g0-0001.h5", path);
    assert_false(file_exists(path));
}

/* A shard that is missing, or damaged, is made again, byte for byte; one that stands is not, even
 * if a game of it had to be played again. */
static void test_mended(void **state)
{
    struct fixture *fixture = *state;
    char first[FILE_PATH], second[FILE_PATH], third[FILE_PATH];
    size_t size;
    struct game_store_result result = complete(fixture, 1);
    uint64_t expected = hash_files(fixture);
    path_of(fixture, "shards/flying-g0-0000.h5", first);
    path_of(fixture, "shards/flying-g0-0001.h5", second);
    path_of(fixture, "shards/flying-g0-0002.h5", third);
    uint8_t *good = slurp(second, &size);
    for (int damage = 0; damage < 3; damage++) {
        struct stat before[2], after[2];
        assert_int_equal(stat(first, &before[0]), 0);
        assert_int_equal(stat(third, &before[1]), 0);
        if (damage == 0) {
            unlink(second);
        } else if (damage == 1) {
            spit(second, good, size / 2);
        } else {
            tear(fixture, RECORDS);
        }
        struct game_store_result again = complete(fixture, 1);
        assert_true(again.hash == result.hash);
        assert_int_equal(again.mended, damage == 1); /* a game that comes again is the same */
        assert_true(hash_files(fixture) == expected);
        assert_int_equal(stat(first, &after[0]), 0);
        assert_int_equal(stat(third, &after[1]), 0);
        assert_int_equal(before[0].st_ino, after[0].st_ino);
        assert_int_equal(before[1].st_ino, after[1].st_ino);
    }
    free(good);
}

/* A process that lives on and writes to the records is noticed. */
static void test_intruder(void **state)
{
    struct fixture *fixture = *state;
    char path[FILE_PATH];
    struct err err = {0};
    struct game_store *store = open_store(fixture);
    add(store, 0);
    path_of(fixture, RECORDS, path);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs("x", file);
    fclose(file);
    assert_false(game_store_close(store, &err));
    assert_non_null(strstr(err.text, "another process writes it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_under_way, setup, teardown),
        cmocka_unit_test_setup_teardown(test_left, setup, teardown),
        cmocka_unit_test_setup_teardown(test_torn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cuts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mended, setup, teardown),
        cmocka_unit_test_setup_teardown(test_intruder, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
