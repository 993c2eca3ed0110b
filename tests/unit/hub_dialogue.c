/* Hub from the driver's side: what lines mean and what is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/hub/hub_text.h"
#include "engine/rules/fen.h"
#include "selfplay/external/hub_dialogue.h"

static enum dialogue_event take(struct hub_dialogue *dialogue, const char *text)
{
    char line[HUB_TEXT * 2];

    snprintf(line, sizeof line, "%s", text);
    return hub_dialogue_take(dialogue, line);
}

static void test_introduction(void **state)
{
    (void)state;
    struct hub_dialogue dialogue = {0};

    assert_int_equal(take(&dialogue, "id name=Scan version=3.1 author=\"Fabien Letouzey\""),
                     DIALOGUE_NOTHING);
    assert_string_equal(dialogue.name, "Scan");
    assert_string_equal(dialogue.version, "3.1");
    assert_false(dialogue.has_variant);
    assert_int_equal(take(&dialogue, "param name=book value=true type=bool"), DIALOGUE_NOTHING);
    assert_false(dialogue.has_variant);
    assert_true(hub_dialogue_plays(&dialogue, "classic"));
    assert_int_equal(
        take(&dialogue, "param name=variant value=normal type=enum values=\"normal killer bt\""),
        DIALOGUE_NOTHING);
    assert_true(dialogue.has_variant);
    assert_true(hub_dialogue_plays(&dialogue, "normal"));
    assert_true(hub_dialogue_plays(&dialogue, "bt"));
    assert_false(hub_dialogue_plays(&dialogue, "kill"));
    assert_false(hub_dialogue_plays(&dialogue, "classic"));
    assert_int_equal(take(&dialogue, "wait"), DIALOGUE_WAIT);
    assert_int_equal(take(&dialogue, "ready"), DIALOGUE_READY);
}

static void test_answers(void **state)
{
    (void)state;
    struct hub_dialogue dialogue = {0};

    assert_int_equal(take(&dialogue, "info depth=9 score=-0.57 nodes=12345 pv=\"32-28 19-23\""),
                     DIALOGUE_NOTHING);
    assert_int_equal(dialogue.score, -57);
    assert_int_equal(dialogue.depth, 9);
    assert_int_equal(dialogue.nodes, 12345);
    take(&dialogue, "info score=abc nodes=-4");
    assert_int_equal(dialogue.score, -57);
    assert_int_equal(dialogue.nodes, 12345);
    take(&dialogue, "info score=1e99");
    assert_int_equal(dialogue.score, 30000);
    take(&dialogue, "info score=nan");
    assert_int_equal(dialogue.score, 30000);
    assert_int_equal(take(&dialogue, "done move=32-28 ponder=19-23"), DIALOGUE_DONE);
    assert_string_equal(dialogue.move, "32-28");
    take(&dialogue, "error message=\"bad position\"");
    assert_string_equal(dialogue.error, "bad position");
    hub_dialogue_ask(&dialogue);
    assert_int_equal(take(&dialogue, "done"), DIALOGUE_DONE);
    assert_string_equal(dialogue.move, "");
    assert_string_equal(dialogue.error, "");
    assert_int_equal(dialogue.score, 0);
}

static void test_strange_lines(void **state)
{
    (void)state;
    struct hub_dialogue dialogue = {0};

    assert_int_equal(take(&dialogue, ""), DIALOGUE_NOTHING);
    assert_int_equal(take(&dialogue, "pong"), DIALOGUE_NOTHING);
    assert_int_equal(take(&dialogue, "bestmove 32-28"), DIALOGUE_STRANGE);
    assert_int_equal(take(&dialogue, "info pv=\"32-28"), DIALOGUE_STRANGE);
    assert_int_equal(take(&dialogue, "done=32-28"), DIALOGUE_STRANGE);
    assert_int_equal(take(&dialogue, "\x01\xff\x80"), DIALOGUE_STRANGE);
    assert_int_equal(take(&dialogue, "DONE move=32-28"), DIALOGUE_STRANGE);
}

/* What is written is what the other side of the protocol reads. */
static void test_positions(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct rules *rules = variant_at(i)->rules;
        struct position start = position_start(rules), read;
        char text[SQUARES_MAX + 2];
        hub_position_write(rules, &start, text);
        assert_true(hub_position_read(rules, text, &read, NULL));
        assert_memory_equal(&start, &read, sizeof start);
    }
    struct position kings;
    char text[SQUARES_MAX + 2];
    assert_true(fen_read(variant_classic.rules, "B:WK1,21:BK32,3", &kings, NULL));
    hub_position_write(variant_classic.rules, &kings, text);
    assert_string_equal(text, "BWebeeeeeeeeeeeeeeeeeweeeeeeeeeeB");
}

static void test_question(void **state)
{
    (void)state;
    struct position start = position_start(variant_international.rules);
    const struct hub_limits_sent nodes = {.nodes = 500}, rest = {.depth = 3, .seconds = 0.25};
    struct game game;

    assert_true(game_init(&game, &variant_international, &start));
    char *text = hub_dialogue_question(&game, &nodes);
    assert_string_equal(text, "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\n"
                              "level nodes=500\ngo think\n");
    free(text);
    assert_true(game_play_text(&game, "32-28 19-23 28x19", NULL));
    text = hub_dialogue_question(&game, &rest);
    assert_string_equal(text, "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww "
                              "moves=\"32-28 19-23 28x19x23\"\n"
                              "level depth=3 move-time=0.250\ngo think\n");
    free(text);
    game_fini(&game);
}

static void test_parameters(void **state)
{
    (void)state;
    struct err err;
    char *text = hub_dialogue_parameters("", &err);
    assert_string_equal(text, "");
    free(text);
    text = hub_dialogue_parameters("book=false name=\"a b\"", &err);
    assert_string_equal(text, "set-param name=\"book\" value=\"false\"\n"
                              "set-param name=\"name\" value=\"a b\"\n");
    free(text);
    assert_null(hub_dialogue_parameters("book", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "name=value"));
    assert_null(hub_dialogue_parameters("book=\"false", &err));
    assert_int_equal(err.code, ERR_USAGE);
}

static void test_moves(void **state)
{
    (void)state;
    struct position start = position_start(variant_international.rules);
    struct game game;
    struct move move;

    assert_true(game_init(&game, &variant_international, &start));
    assert_int_equal(hub_dialogue_move(&game, "32-28", &move), FAULT_NONE);
    assert_int_equal(hub_dialogue_move(&game, "", &move), FAULT_NO_MOVE);
    assert_int_equal(hub_dialogue_move(&game, "32-27x", &move), FAULT_ILLEGAL);
    assert_int_equal(hub_dialogue_move(&game, "32-37", &move), FAULT_ILLEGAL);
    assert_int_equal(hub_dialogue_move(&game, "32x21x27", &move), FAULT_ILLEGAL);
    assert_int_equal(hub_dialogue_move(&game, "99-100", &move), FAULT_ILLEGAL);
    assert_int_equal(hub_dialogue_move(&game, "32", &move), FAULT_NONSENSE);
    assert_int_equal(hub_dialogue_move(&game, "resign", &move), FAULT_NONSENSE);
    game_fini(&game);
}

static void test_fault_names(void **state)
{
    (void)state;
    for (int fault = FAULT_NONE; fault < FAULTS; fault++) {
        assert_int_equal(fault_named(fault_name((enum fault)fault)), fault);
        for (int reason = END_NONE; reason <= END_QUIET; reason++) {
            assert_string_not_equal(fault_name((enum fault)fault),
                                    end_reason_name((enum end_reason)reason));
        }
    }
    assert_int_equal(fault_named("repetition"), FAULT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_introduction),  cmocka_unit_test(test_answers),
        cmocka_unit_test(test_strange_lines), cmocka_unit_test(test_positions),
        cmocka_unit_test(test_question),      cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_fault_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
