/* The store: what is told as stored is there after a kill; conflicts, a full disk and damaged files
 * are told apart; one transaction serves many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/api/room.h"
#include "daemon/game/decide.h"
#include "daemon/store/store.h"
#include "daemon/store/writer.h"
#include "engine/rules/fen.h"
#include "tests/unit/store_support.h"

enum { ANN = 11, WAIT_MS = 20000, MANY = 100, BATCH = 500 };

static struct hosted read_game(struct store *store, const char *id)
{
    struct hosted hosted;
    struct err err;
    bool found;

    assert_true(store_game(store, id, &hosted, &found, &err));
    assert_true(found);
    return hosted;
}

/* RoyalUr.net-Backend #7: games lost on restart. */
static void test_a_restart_continues_games_and_half_made_captures(void **state)
{
    struct store *store = place_open(*state);
    struct change change = new_game("g", ANN, 2);
    struct err err;

    assert_true(
        fen_read(change.setup.variant->rules, "W:WK4,50:B13,20,32,37", &change.setup.start, &err));
    change.setup.set_up = true;
    store_one(store, change, CHANGE_STORED);
    store_one(store, new_event("g", 1, EVENT_STEP, "4,27"), CHANGE_STORED);
    store_close(store);

    store = place_open(*state);
    struct hosted hosted = read_game(store, "g");
    assert_int_equal(hosted.events, 1);
    assert_int_equal(hosted.half_count, 2);
    assert_int_equal(hosted.half[1], 27);
    assert_int_equal(hosted.setup.level.nodes, 24);
    assert_int_equal(hosted.setup.level.noise, 220);
    assert_string_equal(hosted.setup.level.name, "Easy");
    assert_string_equal(hosted.setup.weights_id, "0123456789abcdef");
    assert_int_equal(hosted.setup.seed, 4711);
    assert_string_equal(hosted_spoiled(&hosted), "set-up position");
    hosted_fini(&hosted);
    store_close(store);
}

static void test_sessions(void **state)
{
    struct store *store = place_open(*state);
    struct change change = new_game("g", ANN, 1);
    unsigned char other[TOKEN_HASH] = {1};
    struct err err;
    int64_t person;

    store_one(store, change, CHANGE_STORED);
    assert_true(store_session(store, change.token, 1999, &person, &err));
    assert_int_equal(person, ANN);
    assert_true(store_session(store, change.token, 2000, &person, &err));
    assert_int_equal(person, NOBODY); /* its time is over */
    assert_true(store_session(store, other, 1999, &person, &err));
    assert_int_equal(person, NOBODY);
    store_close(store);
}

static void test_a_conflict_hurts_only_itself(void **state)
{
    struct store *store = place_open(*state);
    struct change first = new_game("g", ANN, 1), again = new_game("g", 12, 1),
                  third = new_event("g", 1, EVENT_MOVE, "32-28"),
                  twice = new_event("g", 1, EVENT_MOVE, "32-27"),
                  lost = new_event("none", 1, EVENT_MOVE, "32-28");
    struct err err;
    int64_t person;

    first.next = &again;
    again.next = &third;
    third.next = &twice;
    twice.next = &lost;
    store_write(store, &first);
    assert_int_equal(first.status, CHANGE_STORED);
    assert_int_equal(again.status, CHANGE_CONFLICT);
    assert_non_null(strstr(again.detail, "UNIQUE constraint failed: games.id"));
    assert_int_equal(third.status, CHANGE_STORED);
    assert_int_equal(twice.status, CHANGE_CONFLICT);
    assert_int_equal(lost.status, CHANGE_CONFLICT);
    assert_non_null(strstr(lost.detail, "FOREIGN KEY constraint failed"));
    assert_true(store_session(store, again.token, 1999, &person, &err));
    assert_int_equal(person, NOBODY); /* nothing of the change that conflicted */
    struct hosted hosted = read_game(store, "g");
    assert_int_equal(hosted.game.plies, 1);
    hosted_fini(&hosted);
    store_close(store);
}

static void test_a_full_disk_is_told_and_reads_go_on(void **state)
{
    const struct place *place = *state;
    struct err err;
    struct store *store = store_open(place->path, 1, &err);
    enum change_status status = CHANGE_STORED;
    int stored = 0;

    assert_non_null(store);
    store_one(store, new_game("g", ANN, 1), CHANGE_STORED);
    while (status == CHANGE_STORED) {
        static struct change batch[BATCH];
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new_event("g", stored + i + 1, EVENT_HINT, "32-28");
            memset(batch[i].event.text, 'x', sizeof batch[i].event.text - 1);
            batch[i].next = i + 1 < BATCH ? &batch[i + 1] : NULL;
        }
        store_write(store, batch);
        status = batch[0].status;
        assert_int_equal(batch[BATCH - 1].status, status); /* all of them or none */
        stored += status == CHANGE_STORED ? BATCH : 0;
        assert_true(stored < 100000);
    }
    assert_int_equal(status, CHANGE_FULL);
    struct hosted hosted = read_game(store, "g");
    assert_int_equal(hosted.events, stored);
    hosted_fini(&hosted);
    store_close(store);
}

static void test_wrong_files_are_refused(void **state)
{
    const struct place *place = *state;
    struct err err;
    FILE *file = fopen(place->path, "w");

    assert_non_null(file);
    for (int i = 0; i < 1000; i++) {
        fputs("no database ", file);
    }
    assert_int_equal(fclose(file), 0);
    assert_null(store_open(place->path, 0, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_null(store_open(place->directory, 0, &err));
    assert_int_equal(err.code, ERR_FAILED);
}

static struct change *heap(struct change change)
{
    struct change *copy = malloc(sizeof *copy);

    assert_non_null(copy);
    *copy = change;
    return copy;
}

/* Waits for `count` changes and returns how many were stored. */
static int await(struct writer *writer, int count)
{
    int stored = 0;

    while (count > 0) {
        struct pollfd ready = {.fd = writer_fd(writer), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
        for (struct change *at = writer_take(writer), *next; at != NULL; at = next) {
            next = at->next;
            stored += at->status == CHANGE_STORED;
            count--;
            free(at);
        }
    }
    return stored;
}

/* go-sqlite3 #1203, aqueduct #369: "database is locked". */
static void test_a_reader_locks_no_writer_out(void **state)
{
    struct store *reader = place_open(*state);
    struct err err;
    struct writer *writer = writer_create(place_open(*state), MANY, &err);

    assert_non_null(writer);
    assert_true(writer_submit(writer, heap(new_game("g", ANN, 1))));
    assert_int_equal(await(writer, 1), 1);
    for (int i = 1; i <= MANY; i++) {
        assert_true(writer_submit(writer, heap(new_event("g", i, EVENT_HINT, "32-28"))));
        struct hosted hosted = read_game(reader, "g");
        hosted_fini(&hosted);
    }
    assert_int_equal(await(writer, MANY), MANY);
    struct hosted hosted = read_game(reader, "g");
    assert_int_equal(hosted.hints, MANY);
    hosted_fini(&hosted);
    writer_destroy(writer);
    store_close(reader);
}

static void test_a_full_queue_refuses(void **state)
{
    struct err err;
    struct writer *writer = writer_create(place_open(*state), 0, &err);
    struct change *change = heap(new_game("g", ANN, 1));

    assert_non_null(writer);
    assert_false(writer_submit(writer, change));
    free(change);
    writer_destroy(writer);
}

/* The child tells each change that it has been told is stored, until it is killed. */
static void write_until_killed(const struct place *place, int out)
{
    struct err err;
    struct store *store = store_open(place->path, 0, &err);

    for (int i = 1; store != NULL; i++) {
        struct change change = new_event("g", i, EVENT_HINT, "32-28");
        store_write(store, &change);
        if (change.status != CHANGE_STORED || write(out, &i, sizeof i) != sizeof i) {
            _exit(1);
        }
    }
    _exit(1);
}

/* lichobile #153: a move shown but never stored. */
static void test_what_was_told_survives_a_kill(void **state)
{
    const struct place *place = *state;
    struct store *store = place_open(place);
    int ends[2], told = 0;

    store_one(store, new_game("g", ANN, 1), CHANGE_STORED);
    store_close(store);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_until_killed(place, ends[1]);
    }
    close(ends[1]);
    while (told < 50) {
        assert_int_equal(read(ends[0], &told, sizeof told), sizeof told);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read(ends[0], &told, sizeof told) == sizeof told) {
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    store = place_open(place);
    struct hosted hosted = read_game(store, "g");
    assert_true(hosted.events == told || hosted.events == told + 1);
    hosted_fini(&hosted);
    store_close(store);
}

/* A game goes on with the weights it was begun with, whatever is served now. */
static void test_weights_are_kept(void **state)
{
    const struct place *place = *state;
    const struct variant *variant = &variant_international;
    const struct log log = {.level = LOG_ERROR};
    struct store *store = place_open(place);
    struct change change = new_game("g", ANN, 1), keep = {.parts = CHANGE_WEIGHTS, .at = 1000};
    struct artefacts *served = artefacts_create(), *kept;
    struct artefact artefact;
    struct rooms rooms;
    struct room *room;
    char path[FILE_PATH];
    struct err err;

    artefact_builtin(variant, &artefact);
    artefact.weights.opening[0] = 123;
    assert_true(artefact_path(path, place->directory, variant, &err));
    assert_true(artefact_write(path, &artefact, &err));
    keep.artefacts = artefacts_load(place->directory, &log, &err);
    assert_non_null(keep.artefacts);
    assert_int_equal(unlink(path), 0);
    const char *id = artefacts_of(keep.artefacts, variant)->weights_id;
    memcpy(change.setup.weights_id, id, sizeof change.setup.weights_id);
    store_one(store, keep, CHANGE_STORED);
    store_one(store, keep, CHANGE_STORED); /* they are there already */
    store_one(store, change, CHANGE_STORED);
    change = new_game("h", 12, 1); /* with weights that nobody has kept */
    store_one(store, change, CHANGE_STORED);

    artefact_builtin(variant, &artefact);
    assert_non_null(served);
    artefacts_put(served, &artefact);
    rooms_init(&rooms, store, 10);
    assert_true(rooms_find(&rooms, "g", served, &room, &err));
    assert_string_equal(artefacts_of(room->artefacts, variant)->weights_id, id);
    assert_int_equal(artefacts_of(room->artefacts, variant)->artefact.weights.opening[0], 123);
    assert_true(rooms_find(&rooms, "h", served, &room, &err));
    assert_ptr_equal(room->artefacts, served);
    assert_true(store_weights(store, "ffffffffffffffff", variant, &kept, &err));
    assert_null(kept);
    rooms_fini(&rooms);
    artefacts_release(served);
    artefacts_release(keep.artefacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_restart_continues_games_and_half_made_captures,
                                        place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(test_sessions, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(test_a_conflict_hurts_only_itself, place_setup,
                                        place_teardown),
        cmocka_unit_test_setup_teardown(test_a_full_disk_is_told_and_reads_go_on, place_setup,
                                        place_teardown),
        cmocka_unit_test_setup_teardown(test_wrong_files_are_refused, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(test_a_reader_locks_no_writer_out, place_setup,
                                        place_teardown),
        cmocka_unit_test_setup_teardown(test_a_full_queue_refuses, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(test_weights_are_kept, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(test_what_was_told_survives_a_kill, place_setup,
                                        place_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
