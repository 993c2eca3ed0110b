/* Sweeps of the store: abandoned games are found, and only what may go is deleted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_people.h"
#include "daemon/store/store_progress.h"
#include "daemon/store/store_sweep.h"
#include "tests/unit/store_support.h"

enum { ANN = 11, BEN };

static int idle(struct store *store, int64_t before, char ids[SWEEP_GAMES][GAME_ID])
{
    struct err err;
    int count;

    assert_true(store_idle_games(store, before, ids, &count, &err));
    return count;
}

static void test_abandoned_games_are_found(void **state)
{
    struct store *store = place_open(*state);
    char ids[SWEEP_GAMES][GAME_ID];

    store_one(store, new_game("g", ANN, 1), CHANGE_STORED); /* at 1000 */
    store_one(store, new_game("h", BEN, 1), CHANGE_STORED);
    assert_int_equal(idle(store, 1000, ids), 0);
    assert_int_equal(idle(store, 1001, ids), 2);
    store_one(store, new_event("g", 1, EVENT_MOVE, "32-28"), CHANGE_STORED); /* at 1001 */
    assert_int_equal(idle(store, 1001, ids), 1);
    assert_string_equal(ids[0], "h");
    assert_int_equal(idle(store, 1002, ids), 2);
    store_one(store, new_end("h", RESULT_LOST, false), CHANGE_STORED);
    assert_int_equal(idle(store, 2000, ids), 1);
    store_close(store);
}

static bool has_game(struct store *store, const char *id)
{
    struct hosted hosted;
    struct err err;
    bool found;

    assert_true(store_game(store, id, &hosted, &found, &err));
    if (found) {
        hosted_fini(&hosted);
    }
    return found;
}

static bool has_person(struct store *store, int64_t id)
{
    struct person person;
    struct err err;
    bool found;

    assert_true(store_person(store, id, &person, &found, &err));
    return found;
}

static void sweep_at(struct store *store, int64_t now, int64_t games, int64_t guests)
{
    struct change change = {.parts = CHANGE_SWEEP, .at = now};

    change.sweep.games = games;
    change.sweep.guests = guests;
    store_one(store, change, CHANGE_STORED);
}

static void test_only_what_may_go_goes(void **state)
{
    struct store *store = place_open(*state);
    struct change account = {.parts = CHANGE_ACCOUNT,
                             .person = ANN,
                             .name = {.text = "Ann", .key = "ann", .look = {"ann", "ann"}}};
    struct progress progress;
    struct err err;

    store_one(store, new_game("g", ANN, 1), CHANGE_STORED);
    store_one(store, account, CHANGE_STORED);
    store_one(store, new_end("g", RESULT_WON, true), CHANGE_STORED); /* ends at 1001 */
    store_one(store, new_game("h", BEN, 1), CHANGE_STORED);          /* a guest, until 2000 */
    sweep_at(store, 1999, 1001, 1001);
    assert_true(has_game(store, "g") && has_game(store, "h"));
    assert_true(has_person(store, BEN)); /* the session stands */
    sweep_at(store, 2000, INT64_MIN, INT64_MIN);
    assert_true(has_game(store, "g") && has_person(store, BEN)); /* for ever */
    sweep_at(store, 2001, 1002, 1001);
    assert_false(has_game(store, "g"));
    assert_true(has_game(store, "h")); /* open */
    assert_true(has_person(store, ANN));
    assert_false(has_person(store, BEN));
    assert_true(store_progress(store, ANN, &variant_international, &progress, &err));
    assert_int_equal(progress.opened, 2); /* what was won stays */
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_abandoned_games_are_found, place_setup,
                                        place_teardown),
        cmocka_unit_test_setup_teardown(test_only_what_may_go_goes, place_setup, place_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
