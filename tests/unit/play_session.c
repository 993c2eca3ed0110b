/* A session at the board: what lines do to the game and what is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/commands/play_session.h"
#include "support.h"

enum { ANSWER = 1 << 14 };

struct session {
    struct play play;
    enum play_wish wish;
    char file[64], answer[ANSWER]; /* to the last line */
};

/* Takes a line, or begins when there is none, and keeps what is said. */
static void hear(struct session *session, const char *line)
{
    struct err err = {0};
    const char *file = NULL;
    FILE *out = fmemopen(session->answer, sizeof session->answer, "w");

    assert_non_null(out);
    session->answer[0] = '\0';
    assert_true(line ? play_line(&session->play, line, out, &session->wish, &file, &err)
                     : play_begin(&session->play, out, &err));
    assert_int_equal(fclose(out), 0);
    snprintf(session->file, sizeof session->file, "%s", file ? file : "");
}

/* A session against Beginner, who never searches. */
static void begin(struct session *session, const struct variant *variant, const char *fen,
                  enum colour side)
{
    struct play_setup setup = {.level = {.number = 1, .name = "Beginner"}, .side = side, .seed = 1};
    struct position start = fen ? position_of(variant, fen) : position_start(variant->rules);
    struct weights weights;
    struct game game;
    struct err err = {0};

    weights_builtin(variant->rules, &weights);
    assert_true(game_init(&game, variant, &start));
    assert_true(play_init(&session->play, &setup, &game, &weights, &err));
    game_fini(&game);
    hear(session, NULL);
}

static void assert_said(const struct session *session, const char *text)
{
    if (!strstr(session->answer, text)) {
        print_error("'%s' is not in '%s'\n", text, session->answer);
        fail();
    }
}

/* The computer opens when the person does not; a move is answered; undo comes back to the person's
 * turn and never before it. */
static void check_turns(const struct variant *variant, enum colour side)
{
    struct session session;
    char move[16];
    int opening = side != variant->rules->opener;

    begin(&session, variant, NULL, side);
    assert_int_equal(session.play.game.plies, opening);
    hear(&session, "undo");
    assert_said(&session, "You have made no move yet");

    hear(&session, "moves");
    snprintf(move, sizeof move, "%.*s", (int)strcspn(session.answer, " \n"), session.answer);
    hear(&session, move);
    assert_int_equal(session.play.game.plies, opening + 2);
    assert_int_equal(game_now(&session.play.game)->turn, side);
    hear(&session, "undo");
    assert_int_equal(session.play.game.plies, opening);
    play_fini(&session.play);
}

static void test_turns(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        check_turns(variant_at(i), WHITE);
        check_turns(variant_at(i), BLACK);
    }
}

static void test_commands(void **state)
{
    struct session session;

    (void)state;
    begin(&session, &variant_international, NULL, WHITE);
    hear(&session, "fen");
    assert_said(&session, "W:W31,32,");
    hear(&session, "hint");
    assert_said(&session, "Hint: 3");
    hear(&session, "  save  my game.pdn");
    assert_int_equal(session.wish, PLAY_SAVE);
    assert_string_equal(session.file, "my game.pdn");
    hear(&session, "save");
    assert_int_equal(session.wish, PLAY_ON);
    hear(&session, "");
    assert_string_equal(session.answer, "");
    hear(&session, "32-29");
    assert_said(&session, "No: the man on 32 cannot go to 29, it has 32-27, 32-28.");
    hear(&session, "32-28 19-23");
    assert_said(&session, "No: one move a line.");
    hear(&session, "und");
    assert_said(&session, "'und' is no command, did you mean 'undo'?");
    hear(&session, "h\ta");
    assert_said(&session, "'h' is no command and no move");
    hear(&session, "help");
    assert_said(&session, "  save FILE");
    assert_int_equal(session.play.game.plies, 0);
    hear(&session, "quit");
    assert_int_equal(session.wish, PLAY_QUIT);
    play_fini(&session.play);
}

/* Won, given up, lost: what is said, and that it can be taken back. */
static void test_ends(void **state)
{
    struct session session;

    (void)state;
    begin(&session, &variant_international, "W:W28:B23", WHITE);
    assert_said(&session, "You must capture.");
    hear(&session, "28x19");
    assert_said(&session, "White wins: Black has no piece left.");
    hear(&session, "19-14");
    assert_said(&session, "The game is over");
    hear(&session, "hint");
    assert_said(&session, "The game is over");
    hear(&session, "undo");
    assert_int_equal(session.play.game.plies, 0);
    hear(&session, "resign");
    assert_said(&session, "Black wins: White resigns.");
    hear(&session, "28x19");
    assert_said(&session, "The game is over");
    hear(&session, "undo");
    hear(&session, "28x19");
    assert_said(&session, "White wins");
    play_fini(&session.play);

    begin(&session, &variant_international, "B:W28:B23", WHITE);
    assert_said(&session, "Black (Beginner) plays 23x32");
    assert_said(&session, "Black wins: White has no piece left.");
    hear(&session, "undo");
    assert_said(&session, "You have made no move yet.");
    play_fini(&session.play);
}

/* The counters are shown when asked for, and by themselves when a draw comes near; the draw comes
 * by itself, whatever Beginner plays. */
static void test_draws(void **state)
{
    struct session session;

    (void)state;
    begin(&session, &variant_international, "W:WK46:B5", WHITE);
    session.play.game.positions[0].quiet_plies = 47;
    hear(&session, "draw");
    assert_said(&session, "47 of 50 half-moves");
    assert_said(&session, "Declined: no draw is agreed before 20 moves each.");
    play_fini(&session.play);

    begin(&session, &variant_international, "W:WK1:BK3", WHITE);
    session.play.game.positions[0].quiet_plies = 49;
    hear(&session, "1-6");
    assert_said(&session, "Draw: 25-move rule.");
    hear(&session, "undo");
    assert_said(&session, "49 of 50 half-moves without");
    play_fini(&session.play);
}

/* A draw is agreed to when enough moves are played and the computer is not ahead. The game until
 * then: kings that go to and fro, past the rules' draw, and one more position of its own. */
static void check_offer(const char *fen, const char *said)
{
    static const char *const MOVES[] = {"46-41", "3-8", "41-46", "8-3"};
    struct session session;
    struct err err = {0};

    begin(&session, &variant_international, "W:WK46,50:BK3,1", WHITE);
    for (int ply = 0; ply < 40; ply++) {
        assert_true(game_play_text(&session.play.game, MOVES[ply % 4], &err));
    }
    session.play.game.positions[40] = position_of(&variant_international, fen);
    session.play.game.keys[40] = position_key(game_now(&session.play.game));
    hear(&session, "draw");
    assert_said(&session, said);
    play_fini(&session.play);
}

static void test_agreed(void **state)
{
    (void)state;
    check_offer("W:WK46,K50:BK3", "Draw: agreed.");
    check_offer("W:WK46:BK3,K4,K1,45", "Declined: the computer thinks that it is ahead.");
}

/* The same lines and seed give the same text, another seed other moves in time. */
static void test_same_text(void **state)
{
    struct session one, two;

    (void)state;
    begin(&one, &variant_flying, NULL, BLACK);
    begin(&two, &variant_flying, NULL, BLACK);
    assert_string_equal(one.answer, two.answer);
    play_fini(&one.play);
    play_fini(&two.play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),  cmocka_unit_test(test_commands),
        cmocka_unit_test(test_ends),   cmocka_unit_test(test_draws),
        cmocka_unit_test(test_agreed), cmocka_unit_test(test_same_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
