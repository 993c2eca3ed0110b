/* What tests of the store share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/store_support.h"
#include "tests/unit/support.h"

void place_make(struct place *place)
{
    make_scratch(place->directory);
    snprintf(place->path, sizeof place->path, "%s/games.db", place->directory);
}

void place_remove(const struct place *place)
{
    static const char *const SUFFIXES[] = {"", "-wal", "-shm"};
    char path[sizeof place->path + 8];

    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", place->path, SUFFIXES[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->directory), 0);
}

int place_setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    assert_non_null(place);
    place_make(place);
    *state = place;
    return 0;
}

int place_teardown(void **state)
{
    place_remove(*state);
    free(*state);
    return 0;
}

struct store *place_open(const struct place *place)
{
    struct err err;
    struct store *store = store_open(place->path, 0, &err);

    if (store == NULL) {
        fail_msg("%s", err.text);
    }
    return store;
}

struct change new_game(const char *id, int64_t person, int level)
{
    struct change change = {.parts = CHANGE_PERSON | CHANGE_SESSION | CHANGE_GAME,
                            .person = person,
                            .at = 1000,
                            .expires = 2000};
    struct hosted_setup *game = &change.setup;

    memset(change.token, (int)person, sizeof change.token);
    snprintf(change.game, sizeof change.game, "%s", id);
    *game = (struct hosted_setup){
        .variant = &variant_international,
        .start = position_start(variant_international.rules),
        .host = WHITE,
        .host_person = person,
        .level = {.number = level, .name = "Easy", .nodes = 24, .depth = 3, .noise = 220},
        .seed = 4711,
        .weights_id = "0123456789abcdef",
        .created = 1000,
    };
    return change;
}

struct change new_event(const char *id, int number, enum event_kind kind, const char *text)
{
    struct change change = {.parts = CHANGE_EVENT,
                            .at = 1000 + number,
                            .number = number,
                            .event = {.kind = kind, .at = 1000 + number}};

    snprintf(change.game, sizeof change.game, "%s", id);
    snprintf(change.event.text, sizeof change.event.text, "%s", text);
    return change;
}

struct change new_end(const char *id, enum result result, bool clean)
{
    struct change change = new_event(id, 1, EVENT_RESIGN, "");

    change.parts |= CHANGE_END | CHANGE_RESULT;
    change.outcome = result == RESULT_WON     ? OUTCOME_WHITE_WINS
                     : result == RESULT_DRAWN ? OUTCOME_DRAW
                                              : OUTCOME_BLACK_WINS;
    change.result = result;
    change.clean = clean;
    return change;
}

void store_one(struct store *store, struct change change, enum change_status wanted)
{
    store_write(store, &change);
    if (change.status != wanted) {
        fail_msg("status %d, not %d: %s", (int)change.status, (int)wanted, change.detail);
    }
}
