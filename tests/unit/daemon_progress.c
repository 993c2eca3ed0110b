/* What people have won: which wins open a level, how results are counted, who stands where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_parts.h"
#include "daemon/store/store_people.h"
#include "daemon/store/store_progress.h"
#include "daemon/store/store_sql.h"
#include "tests/unit/store_support.h"

enum { ANN = 11, BEN, CEM, DAN };

struct fixture {
    struct place place;
    struct store *store;
    int games;
    int64_t now;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    place_make(&fixture->place);
    fixture->store = place_open(&fixture->place);
    fixture->now = 1000;
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    store_close(fixture->store);
    place_remove(&fixture->place);
    free(fixture);
    return 0;
}

/* A person, with a name unless it is "". */
static void person(struct fixture *fixture, int64_t id, const char *name)
{
    struct change change = {.parts = CHANGE_PERSON, .person = id, .at = 1000};

    if (name[0] != '\0') {
        change.parts |= CHANGE_ACCOUNT;
        snprintf(change.name.text, sizeof change.name.text, "%s", name);
        snprintf(change.name.key, sizeof change.name.key, "%s", name);
        snprintf(change.name.look[0], NAME_KEY, "%s", name);
        snprintf(change.name.look[1], NAME_KEY, "%s", name);
    }
    store_one(fixture->store, change, CHANGE_STORED);
}

/* A finished game, ten seconds after the one before. */
static void play(struct fixture *fixture, int64_t who, const struct variant *variant, int level,
                 enum result result, bool clean)
{
    char id[16];

    snprintf(id, sizeof id, "g%d", ++fixture->games);
    struct change game = new_game(id, who, level);
    game.parts = CHANGE_GAME;
    game.setup.variant = variant;
    game.setup.start = position_start(variant->rules);
    struct change end = new_end(id, result, clean);
    fixture->now += 10;
    end.event.at = end.at = fixture->now;
    store_one(fixture->store, game, CHANGE_STORED);
    store_one(fixture->store, end, CHANGE_STORED);
}

static struct progress progress_of(struct fixture *fixture, int64_t who,
                                   const struct variant *variant)
{
    struct progress progress;
    struct err err;

    assert_true(store_progress(fixture->store, who, variant, &progress, &err));
    return progress;
}

/* codecombat #6350: the server decides, and only a clean win opens the next level, if those below
 * are open. */
static void test_clean_wins_open_levels(void **state)
{
    static const struct {
        int level;
        enum result result;
        bool clean;
        int opened;
    } GAMES[] = {
        {1, RESULT_LOST, false, 1}, {1, RESULT_DRAWN, false, 1}, {1, RESULT_WON, false, 1},
        {2, RESULT_WON, true, 1},   {1, RESULT_WON, true, 3},    {1, RESULT_WON, true, 3},
        {6, RESULT_WON, true, 3},   {3, RESULT_WON, true, 4},    {3, RESULT_LOST, false, 4},
        {4, RESULT_WON, true, 5},   {5, RESULT_WON, true, 6},
    };
    struct fixture *fixture = *state;

    person(fixture, ANN, "Ann");
    for (size_t i = 0; i < sizeof GAMES / sizeof GAMES[0]; i++) {
        play(fixture, ANN, &variant_international, GAMES[i].level, GAMES[i].result, GAMES[i].clean);
        assert_int_equal(progress_of(fixture, ANN, &variant_international).opened, GAMES[i].opened);
    }
    struct progress progress = progress_of(fixture, ANN, &variant_international);
    assert_int_equal(progress.games[0], 5);
    assert_int_equal(progress.wins[0], 3);
    assert_int_equal(progress.draws[0], 1);
    assert_int_equal(progress_of(fixture, ANN, &variant_classic).opened, 1);
    assert_int_equal(progress_of(fixture, BEN, &variant_international).opened, 1);
}

/* curvatron #109: replaying a level opens the next. */
static void test_winning_a_level_again_opens_no_more(void **state)
{
    struct fixture *fixture = *state;

    person(fixture, ANN, "Ann");
    for (int i = 0; i < 5; i++) {
        play(fixture, ANN, &variant_classic, 1, RESULT_WON, true);
        struct progress progress = progress_of(fixture, ANN, &variant_classic);
        assert_int_equal(progress.opened, 2);
        assert_int_equal(progress.wins[0], i + 1);
        assert_int_equal(progress.cleared[0], 1010); /* when it was won first */
    }
}

static struct standing row_of(struct fixture *fixture, const char *rules, int64_t who)
{
    struct standing row;
    struct err err;
    bool found;

    assert_true(store_standing(fixture->store, rules, who, &row, &found, &err));
    assert_true(found);
    return row;
}

/* The names of a page, one behind the other; each row agrees with the person's own. */
static void assert_page(struct fixture *fixture, const char *rules, int offset, int limit,
                        const char *wanted)
{
    struct standing rows[8];
    char names[64] = "";
    struct err err;
    int count;

    assert_true(store_leaders(fixture->store, rules, offset, limit, rows, &count, &err));
    for (int i = 0; i < count; i++) {
        struct person found;
        bool there;
        assert_true(store_person_named(fixture->store, rows[i].name, &found, &there, &err));
        assert_int_equal(row_of(fixture, rules, found.id).rank, rows[i].rank);
        assert_int_equal(rows[i].rank, offset + i + 1);
        strcat(strcat(names, names[0] != '\0' ? " " : ""), rows[i].name);
    }
    assert_string_equal(names, wanted);
}

static void test_who_stands_where(void **state)
{
    struct fixture *fixture = *state;

    person(fixture, ANN, "Ann");
    person(fixture, BEN, "Ben");
    person(fixture, CEM, "Cem");
    person(fixture, DAN, ""); /* a guest */
    assert_page(fixture, "international", 0, 8, "");
    play(fixture, ANN, &variant_international, 1, RESULT_LOST, false);
    play(fixture, BEN, &variant_international, 1, RESULT_WON, true);
    play(fixture, CEM, &variant_international, 1, RESULT_WON, true);
    play(fixture, DAN, &variant_international, 1, RESULT_WON, true);
    assert_page(fixture, "international", 0, 8, "Ben Cem Ann"); /* who was earlier */
    play(fixture, BEN, &variant_international, 1, RESULT_LOST, false);
    assert_page(fixture, "international", 0, 8, "Ben Cem Ann"); /* losses change nothing */
    play(fixture, CEM, &variant_international, 1, RESULT_WON, false);
    assert_page(fixture, "international", 0, 8, "Cem Ben Ann"); /* more wins */
    play(fixture, ANN, &variant_international, 1, RESULT_WON, true);
    play(fixture, ANN, &variant_international, 2, RESULT_WON, true);
    assert_page(fixture, "international", 0, 8, "Ann Cem Ben"); /* more levels */
    assert_page(fixture, "international", 0, 2, "Ann Cem");
    assert_page(fixture, "international", 2, 2, "Ben");
    assert_page(fixture, "classic", 0, 8, "");
    assert_page(fixture, "", 0, 8, "Ann Cem Ben");

    play(fixture, BEN, &variant_classic, 1, RESULT_WON, true);
    play(fixture, BEN, &variant_classic, 2, RESULT_WON, true);
    play(fixture, BEN, &variant_classic, 3, RESULT_WON, true);
    assert_page(fixture, "classic", 0, 8, "Ben");
    assert_page(fixture, "", 0, 8, "Ben Ann Cem");
    struct standing row = row_of(fixture, "", BEN);
    assert_int_equal(row.beaten, 3);
    assert_int_equal(row.wins, 4);
    assert_int_equal(row.games, 5);

    /* The guest signs up and takes the place that was won. */
    struct change account = {.parts = CHANGE_ACCOUNT,
                             .person = DAN,
                             .name = {.text = "Dan", .key = "Dan", .look = {"Dan", "Dan"}}};
    store_one(fixture->store, account, CHANGE_STORED);
    assert_page(fixture, "international", 0, 8, "Ann Cem Ben Dan");
    assert_page(fixture, "", 0, 8, "Ben Ann Cem Dan");
    struct change gone = {.parts = CHANGE_FORGET, .person = CEM};
    store_one(fixture->store, gone, CHANGE_STORED);
    assert_page(fixture, "international", 0, 8, "Ann Ben Dan");
}

static void test_results_against_a_level(void **state)
{
    struct fixture *fixture = *state;
    struct level_results rows[RESULTS_MAX];
    struct err err;
    int count;

    person(fixture, ANN, "Ann");
    person(fixture, BEN, "");
    play(fixture, ANN, &variant_flying, 1, RESULT_LOST, false);
    play(fixture, ANN, &variant_flying, 1, RESULT_WON, false);
    play(fixture, ANN, &variant_flying, 1, RESULT_WON, true); /* the third */
    play(fixture, ANN, &variant_flying, 1, RESULT_WON, true);
    play(fixture, BEN, &variant_flying, 1, RESULT_DRAWN, false);
    play(fixture, ANN, &variant_flying, 2, RESULT_WON, true); /* the first */
    assert_true(store_results(fixture->store, rows, &count, &err));
    assert_int_equal(count, 2);
    assert_string_equal(rows[0].rules, "flying");
    assert_int_equal(rows[0].level, 1);
    assert_int_equal(rows[0].people, 2);
    assert_int_equal(rows[0].cleared, 1);
    assert_int_equal(rows[0].games, 5);
    assert_int_equal(rows[0].wins, 3);
    assert_int_equal(rows[0].draws, 1);
    assert_int_equal(rows[0].games_to_clear, 3);
    assert_int_equal(rows[1].games_to_clear, 1);
    assert_int_equal(rows[1].people, 1);
}

/* A store of version 2 counts what has been played before. */
static void test_games_played_before_are_counted(void **state)
{
    static const char GAMES[] =
        "INSERT INTO people (id, created, name) VALUES (11, 1000, 'Ann');"
        "INSERT INTO games VALUES"
        " ('g', 'classic', '', 0, 'computer', 1, 11, 1, '', 0, 0, 0, 0, '', 1000, 1010, 1, 0),"
        " ('h', 'classic', '', 0, 'computer', 1, 11, 1, '', 0, 0, 0, 0, '', 1000, 1020, 2, 1),"
        " ('i', 'classic', '', 0, 'computer', 1, 11, 2, '', 0, 0, 0, 0, '', 1000, 1030, 3, 0),"
        " ('j', 'classic', '', 0, 'computer', 1, 11, 2, '', 0, 0, 0, 0, '', 1000, 1040, 0, 0),"
        " ('k', 'classic', '', 0, 'friend', 1, 11, 0, '', 0, 0, 0, 0, '', 1000, 1050, 2, 0),"
        " ('l', 'classic', '', 0, 'computer', 1, 11, 1, '', 0, 0, 0, 0, '', 1000, NULL, NULL, 0);"
        "PRAGMA user_version = 2";
    struct fixture *fixture = *state;
    struct err err;

    store_close(fixture->store);
    place_remove(&fixture->place);
    place_make(&fixture->place);
    struct database *old = database_open(fixture->place.path, &err);
    assert_non_null(old);
    assert_true(database_script(old, STORE_MIGRATIONS[0], &err));
    assert_true(database_script(old, STORE_MIGRATIONS[1], &err));
    assert_true(database_script(old, GAMES, &err));
    database_close(old);

    fixture->store = place_open(&fixture->place);
    struct standing row = row_of(fixture, "classic", ANN);
    assert_int_equal(row.rank, 1);
    assert_int_equal(row.beaten, 1);
    assert_int_equal(row.wins, 1);
    assert_int_equal(row.games,
                     3); /* neither the expired one, nor the friend's, nor the open one */
    assert_int_equal(row.reached, 1020);
    assert_int_equal(row_of(fixture, "", ANN).wins, 1);
    struct progress progress = progress_of(fixture, ANN, &variant_classic);
    assert_int_equal(progress.opened, 2);
    assert_int_equal(progress.games[0], 2);
    assert_int_equal(progress.draws[1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clean_wins_open_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_winning_a_level_again_opens_no_more, setup, teardown),
        cmocka_unit_test_setup_teardown(test_who_stands_where, setup, teardown),
        cmocka_unit_test_setup_teardown(test_results_against_a_level, setup, teardown),
        cmocka_unit_test_setup_teardown(test_games_played_before_are_counted, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
