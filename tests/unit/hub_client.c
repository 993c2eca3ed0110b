/* Games against external engines: one that plays well, and one that does each thing wrong; every
 * fault is told apart, loses that game within seconds, and the next game is played by a fresh
 * process. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "selfplay/game/play.h"

static struct hub_client *client_of(const struct variant *variant, const char *command,
                                    double margin)
{
    const struct hub_client_settings settings = {
        .command = command,
        .parameters = "",
        .limits = {.nodes = 200},
        .margin = margin,
        .start_seconds = 2,
        .flood_bytes = 1 << 20,
    };
    struct hub_client *client = hub_client_create(variant, &settings, NULL);

    assert_non_null(client);
    return client;
}

static struct search *search_of(const struct variant *variant)
{
    struct weights weights;

    weights_builtin(variant->rules, &weights);
    struct search *search = search_create(variant, &weights, 12, NULL);
    assert_non_null(search);
    return search;
}

/* A game of the engine, with the colour given, against ours; the caller frees the record. */
static struct record play(const struct variant *variant, struct hub_client *client,
                          enum colour colour, const struct play_watch *watch)
{
    struct search *search = search_of(variant);
    struct position start = position_start(variant->rules);
    struct player players[2] = {{.search = search, .limits = {.nodes = 200}},
                                {.search = search, .limits = {.nodes = 200}}};
    const struct play_terms terms = {.seed = 7};
    struct game game;
    struct record record;

    players[colour] = (struct player){.engine = client};
    assert_true(game_init(&game, variant, &start));
    assert_true(play_game(players, &terms, watch, &game, &record, NULL, NULL));
    game_fini(&game);
    search_destroy(search);
    return record;
}

static void assert_no_child(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* The engine of this mode loses its first game by `fault`, says why, and begins its second. */
static void assert_fault(const char *mode, enum fault fault, const char *why)
{
    char command[512];
    bool at_start = fault == FAULT_START;
    /* Only silence is waited for; all else is seen at once, on a machine that is busy a bit later.
     */
    bool silent = fault == FAULT_HANG || strcmp(mode, "mumble") == 0;

    snprintf(command, sizeof command, "exec '%s' %s 3", FAKE_HUB, mode);
    struct hub_client *client = client_of(&variant_classic, command, silent ? 0.5 : 20);
    double began = clock_seconds();
    for (int game = 0; game < 2; game++) {
        enum colour colour = game == 0 ? WHITE : BLACK;
        struct record record = play(&variant_classic, client, colour, NULL);
        if (record.fault != fault || !strstr(hub_client_detail(client), why)) {
            print_error("%s: %s\n", mode, hub_client_detail(client));
        }
        assert_int_equal(record.fault, fault);
        assert_int_equal(record.reason, END_NONE);
        assert_int_equal(record.outcome, colour == WHITE ? OUTCOME_BLACK_WINS : OUTCOME_WHITE_WINS);
        /* Black opens; two moves of the engine are legal ones. */
        assert_int_equal(record.plies, at_start ? 0 : colour == BLACK ? 4 : 5);
        assert_non_null(strstr(hub_client_detail(client), why));
        record_fini(&record);
    }
    assert_true(clock_seconds() - began < 10);
    hub_client_destroy(client);
    assert_no_child();
}

static void test_crash(void **state)
{
    (void)state;
    assert_fault("crash", FAULT_CRASH, "killed by signal 9");
    assert_fault("exit", FAULT_CRASH, "exited with status 3");
    assert_fault("close", FAULT_CRASH, "still running");
}

static void test_hang(void **state)
{
    (void)state;
    assert_fault("hang", FAULT_HANG, "hung: no move within 0.5 s at ply ");
    assert_fault("late", FAULT_HANG, "no move within 0.5 s");
}

static void test_flood(void **state)
{
    (void)state;
    assert_fault("flood", FAULT_FLOOD, "flooded");
    assert_fault("endless", FAULT_FLOOD, "flooded");
}

static void test_nonsense(void **state)
{
    (void)state;
    assert_fault("babble", FAULT_NONSENSE, "nonsense");
    assert_fault("mumble", FAULT_NONSENSE, "nonsense");
    assert_fault("garbage", FAULT_NONSENSE, "nonsense");
}

static void test_wrong_moves(void **state)
{
    (void)state;
    assert_fault("illegal", FAULT_ILLEGAL, "illegal move: move '1-50' at ply ");
    assert_fault("none", FAULT_NO_MOVE, "gave no move");
}

static void test_start(void **state)
{
    (void)state;
    assert_fault("exit-init", FAULT_START, "did not start: it exited with status 4");
    assert_fault("unready", FAULT_START, "not ready within 2 s");
    assert_fault("narrow", FAULT_START, "it plays 'frisian', not 'classic'");
    struct hub_client *client = client_of(&variant_classic, "/no/such/engine", 1);
    assert_int_equal(hub_client_new_game(client, NULL), FAULT_START);
    assert_non_null(strstr(hub_client_detail(client), "it exited with status 127"));
    hub_client_destroy(client);
    assert_no_child();
}

/* A second answer to one question is not taken for the answer to the next. */
static void test_answer_not_asked_for(void **state)
{
    (void)state;
    struct hub_client *client = client_of(&variant_classic, "'" FAKE_HUB "' twice 2", 1);
    struct record record = play(&variant_classic, client, BLACK, NULL);

    assert_int_equal(record.fault, FAULT_NONSENSE);
    assert_int_equal(record.plies, 4);
    record_fini(&record);
    hub_client_destroy(client);
}

/* The engine does not forget between games what it is, and goes when it is told to. */
static void test_plays_well(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct hub_client *client = client_of(variant_at(i), "'" FAKE_HUB "' well", 5);
        for (int game = 0; game < 2; game++) {
            struct record record = play(variant_at(i), client, (enum colour)game, NULL);
            assert_int_equal(record.fault, FAULT_NONE);
            assert_true(record.reason != END_NONE && record.plies > 10);
            int first = (variant_at(i)->rules->opener == (enum colour)game) ? 0 : 1;
            assert_int_equal(record.ply[first].score, -25); /* the fake's score */
            record_fini(&record);
        }
        assert_string_equal(hub_client_name(client), "Fake");
        hub_client_destroy(client);
        assert_no_child();
    }
}

/* Returns when the engine has ended, which is not collected yet. */
static void await_end(void)
{
    const double patience = clock_seconds() + 20;
    siginfo_t ended = {0};

    while (ended.si_pid == 0) {
        assert_int_equal(waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
        assert_true(clock_seconds() < patience);
    }
}

/* An engine that ends after its game loses nothing by it. */
static void test_gone_between_games(void **state)
{
    (void)state;
    struct hub_client *client = client_of(&variant_classic, "'" FAKE_HUB "' last 1", 5);
    struct position start = position_start(variant_classic.rules);
    struct hub_reply reply;
    struct game game;

    assert_true(game_init(&game, &variant_classic, &start));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hub_client_new_game(client, NULL), FAULT_NONE);
        assert_true(hub_client_move(client, &game, NULL, &reply, NULL));
        assert_int_equal(reply.fault, FAULT_NONE);
        await_end();
    }
    game_fini(&game);
    hub_client_destroy(client);
    assert_no_child();
}

/* It is told to quit, and not only left. */
static void test_quit(void **state)
{
    (void)state;
    char said[] = "/tmp/draughts-test-XXXXXX", command[512], text[4096] = "";
    int fd = mkstemp(said);

    assert_true(fd >= 0);
    snprintf(command, sizeof command, "tee '%s' | '%s' well", said, FAKE_HUB);
    struct hub_client *client = client_of(&variant_classic, command, 5);
    assert_int_equal(hub_client_new_game(client, NULL), FAULT_NONE);
    hub_client_destroy(client);
    assert_true(read(fd, text, sizeof text - 1) > 0);
    assert_string_equal(text, "hub\nset-param name=variant value=classic\ninit\nnew-game\nquit\n");
    close(fd);
    remove(said);
    assert_no_child();
}

/* One that does not go when told to is killed. */
static void test_stays(void **state)
{
    (void)state;
    struct hub_client *client =
        client_of(&variant_classic, "trap '' TERM; '" FAKE_HUB "' stay; sleep 60", 5);
    double began = clock_seconds();

    assert_int_equal(hub_client_new_game(client, NULL), FAULT_NONE);
    hub_client_destroy(client);
    assert_true(clock_seconds() - began < 5);
    assert_no_child();
}

static bool go_on_until(void *moment)
{
    return clock_seconds() < *(double *)moment;
}

/* A game is given up while the engine thinks, which then is no fault. */
static void test_given_up(void **state)
{
    (void)state;
    struct hub_client *client = client_of(&variant_classic, "'" FAKE_HUB "' hang 1", 60);
    double began = clock_seconds(), moment = began + 0.5;
    const struct play_watch watch = {go_on_until, &moment};
    struct record record = play(&variant_classic, client, BLACK, &watch);

    assert_int_equal(record.outcome, OUTCOME_OPEN);
    assert_int_equal(record.fault, FAULT_NONE);
    assert_true(clock_seconds() - began < 5);
    hub_client_destroy(client);
    assert_no_child();
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    const struct hub_client_settings settings = {.command = "true", .parameters = "book"};
    struct err err;

    assert_null(hub_client_create(&variant_classic, &settings, &err));
    assert_int_equal(err.code, ERR_USAGE);
}

/* Our own program over Hub against our own search. */
static void test_own_program(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct hub_client *client = client_of(variant_at(i), "'" DRAUGHTS "' hub -q", 20);
        for (int colour = WHITE; colour <= BLACK; colour++) {
            struct record record = play(variant_at(i), client, (enum colour)colour, NULL);
            if (record.fault != FAULT_NONE) {
                print_error("%s\n", hub_client_detail(client));
            }
            assert_int_equal(record.fault, FAULT_NONE);
            assert_true(record.plies > 20);
            record_fini(&record);
        }
        assert_string_equal(hub_client_name(client), "Draughtsmith");
        hub_client_destroy(client);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crash),
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_flood),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_wrong_moves),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_answer_not_asked_for),
        cmocka_unit_test(test_plays_well),
        cmocka_unit_test(test_gone_between_games),
        cmocka_unit_test(test_quit),
        cmocka_unit_test(test_stays),
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_own_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
