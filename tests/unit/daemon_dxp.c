/* DXP: messages as texts and back, and a session from the request to the end of a game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "daemon/dxp/dxp_session.h"
#include "engine/rules/notation.h"

#define NAME32 "Other program                   "
#define OWN32 "Draughtsmith                    "
#define NO_BOARD "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

/* --- messages -------------------------------------------------------------------------------- */

static void test_messages_and_back(void **state)
{
    static const char *const TEXTS[] = {
        "R01" NAME32 "W030075A",
        "R01" NAME32 "Z000000BWwwwwwzzzzzWZeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
        "A" OWN32 "0",
        "M0005322800",
        "M0012281902232",
        "M99990450201020304050607080910111213141516171819203031",
        "E00",
        "E31",
        "CHello, world",
        "C",
        "B012Z",
        "K1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        struct dxp_message message;
        char out[DXP_SIZE];
        struct err err;
        bool good = dxp_read(TEXTS[i], strlen(TEXTS[i]), &message, &err);
        if (i == 4 || i == 5) { /* a square too few, a square too many */
            assert_false(good);
            continue;
        }
        assert_true(good);
        assert_int_equal(dxp_write(&message, out), strlen(TEXTS[i]) + 1);
        assert_string_equal(out, TEXTS[i]);
    }
}

static void test_fields(void **state)
{
    static const char REQUEST[] = "R01" NAME32 "Z030075BW" NO_BOARD;
    static const char MOVE[] = "M0007471502203140";
    struct dxp_message message;
    struct err err;

    (void)state;
    assert_true(dxp_read(REQUEST, strlen(REQUEST), &message, &err));
    assert_string_equal(message.name, "Other program");
    assert_int_equal(message.version, 1);
    assert_int_equal(message.colour, BLACK);
    assert_int_equal(message.minutes, 30);
    assert_int_equal(message.moves, 75);
    assert_true(message.set_up);
    assert_int_equal(message.turn, WHITE);
    assert_false(dxp_read(MOVE, strlen(MOVE), &message, &err)); /* 03 is left over */
    assert_true(dxp_read("M00074715022031", 15, &message, &err));
    assert_int_equal(message.seconds, 7);
    assert_int_equal(message.from, 47);
    assert_int_equal(message.to, 15);
    assert_int_equal(message.count, 2);
    assert_int_equal(message.taken[1], 31);
}

static void test_what_is_no_message(void **state)
{
    static const char *const TEXTS[] = {
        "",
        "X",
        "R",
        "R01" NAME32 "W030075",
        "R01" NAME32 "B030075A",
        "A" OWN32,
        "A" OWN32 "x",
        "M",
        "M0005322",
        "M0005005800",
        "M0005511000",
        "Mx005322800",
        "M0005322821",
        "E0",
        "E41",
        "E02",
        "E000",
        "B01W",
        "B012B",
        "K",
        "R01" NAME32 "Z030075BW" NO_BOARD "e",
    };
    char chat[DXP_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        struct dxp_message message;
        struct err err;
        assert_false(dxp_read(TEXTS[i], strlen(TEXTS[i]), &message, &err));
        assert_int_equal(err.code, ERR_USAGE);
    }
    memset(chat, 'C', sizeof chat);
    struct dxp_message message;
    struct err err;
    assert_true(dxp_read(chat, DXP_TEXT, &message, &err));
    assert_false(dxp_read(chat, DXP_TEXT + 1, &message, &err));
}

/* --- a session ------------------------------------------------------------------------------- */

struct table {
    struct dxp_session session;
    struct dxp_reply reply;
};

static int setup(void **state)
{
    static struct table table;

    memset(&table, 0, sizeof table);
    dxp_session_init(&table.session, &variant_international, "Draughtsmith");
    *state = &table;
    return 0;
}

static int teardown(void **state)
{
    struct table *table = *state;

    dxp_session_fini(&table->session);
    return 0;
}

static void hear(struct table *table, const char *text)
{
    dxp_session_receive(&table->session, text, strlen(text), &table->reply);
}

/* The replies, which must be these, with '|' where the NULs are. */
static void assert_said(const struct table *table, const char *wanted)
{
    char said[2 * DXP_SIZE + 1];

    memcpy(said, table->reply.text, table->reply.size);
    for (size_t i = 0; i < table->reply.size; i++) {
        said[i] = said[i] == '\0' ? '|' : said[i];
    }
    said[table->reply.size] = '\0';
    assert_string_equal(said, wanted);
}

static void play_ours(struct table *table, const char *text)
{
    struct move move;
    struct err err;

    assert_int_equal(table->session.state, DXP_OURS);
    assert_true(
        move_read(&variant_international, game_now(&table->session.game), text, &move, &err));
    dxp_session_move(&table->session, &move, 3.7, &table->reply);
}

static void test_a_game(void **state)
{
    struct table *table = *state;

    hear(table, "R01" NAME32 "Z030075A");
    assert_said(table, "A" OWN32 "0|");
    assert_int_equal(table->session.state, DXP_THEIRS);
    assert_string_equal(table->session.opponent, "Other program");
    hear(table, "CHello");
    assert_said(table, "");
    hear(table, "M0001322800");
    assert_said(table, "");
    hear(table, "B000W");
    assert_said(table, "K1|");
    play_ours(table, "19-23");
    assert_said(table, "M0003192300|");
    hear(table, "M0001281901"
                "23");
    play_ours(table, "14x23x19");
    assert_said(table, "M000314230119|");
    hear(table, "E20");
    assert_said(table, "E20|");
    assert_false(table->reply.close);
    assert_int_equal(table->session.state, DXP_IDLE);
    hear(table, "R01" NAME32 "W030075A"); /* another one, in which we begin */
    assert_said(table, "A" OWN32 "0|");
    play_ours(table, "32-28");
    hear(table, "E11");
    assert_said(table, "E31|");
    assert_true(table->reply.close);
}

/* 50 letters: one white man on 28, one black man on 23. */
static const char LAST_TWO[] = "eeeeeeeeeeeeeeeeeeeeeezeeeeweeeeeeeeeeeeeeeeeeeeee";

static void test_we_win(void **state)
{
    struct table *table = *state;
    char request[DXP_SIZE];

    snprintf(request, sizeof request, "R01%sW000000BW%s", NAME32, LAST_TWO);
    hear(table, request);
    assert_said(table, "A" OWN32 "0|");
    play_ours(table, "28x19x23");
    assert_said(table, "M000328190123|E30|");
    assert_int_equal(table->session.state, DXP_ENDING);
    hear(table, "E10");
    assert_said(table, "");
    assert_int_equal(table->session.state, DXP_IDLE);
}

static void test_we_lose(void **state)
{
    struct table *table = *state;
    char request[DXP_SIZE];

    snprintf(request, sizeof request, "R01%sZ000000BW%s", NAME32, LAST_TWO);
    hear(table, request);
    hear(table, "M000028190123");
    assert_said(table, "E10|");
    hear(table, "E31");
    assert_true(table->reply.close);
}

static void test_requests_refused(void **state)
{
    struct table *table = *state;

    hear(table, "R02" NAME32 "W030075A");
    assert_said(table, "A" OWN32 "1|");
    hear(table, "R01" NAME32 "W030075BW" NO_BOARD); /* nothing to play */
    assert_said(table, "A" OWN32 "2|");
    hear(table, "R01" NAME32 "W030075BWweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeez");
    assert_said(table, "A" OWN32 "2|"); /* men on their far rows */
    table->session.serving = false;
    hear(table, "R01" NAME32 "W030075A");
    assert_said(table, "A" OWN32 "2|");
    table->session.serving = true;
    hear(table, "R01" NAME32 "Z030075A");
    hear(table, "R01" NAME32 "Z030075A"); /* one is under way */
    assert_said(table, "A" OWN32 "2|");
    assert_int_equal(table->session.state, DXP_THEIRS);
}

static void test_what_ends_the_connection(void **state)
{
    static const char *const TEXTS[] = {
        "M0001322100", /* no legal move */
        "M000132280119", "A" OWN32 "0", "K0", "?", "M0001",
    };
    struct table *table = *state;

    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        hear(table, "R01" NAME32 "Z030075A");
        hear(table, TEXTS[i]);
        assert_said(table, "E01|");
        assert_true(table->reply.close);
        assert_int_equal(table->session.state, DXP_IDLE);
    }
    hear(table, "R01" NAME32 "W030075A");
    assert_int_equal(table->session.state, DXP_OURS);
    hear(table, "M0001322800"); /* our turn */
    assert_said(table, "E01|");
    hear(table, "M0001322800"); /* no game */
    assert_said(table, "");
    assert_true(table->reply.close);
    hear(table, "R01" NAME32 "W030075A");
    dxp_session_stop(&table->session, &table->reply);
    assert_said(table, "E01|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_and_back),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_what_is_no_message),
        cmocka_unit_test_setup_teardown(test_a_game, setup, teardown),
        cmocka_unit_test_setup_teardown(test_we_win, setup, teardown),
        cmocka_unit_test_setup_teardown(test_we_lose, setup, teardown),
        cmocka_unit_test_setup_teardown(test_requests_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_ends_the_connection, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
