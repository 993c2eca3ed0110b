/* Moves in a hosted game: who may make which when, captures square by square, taking back, hints,
 * and a friend who joins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "bout_support.h"
#include <cmocka.h>

static void test_who_may_move(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, EVE), 0, "32-28"), VERDICT_STRANGER,
                 "not-a-player");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, NOBODY), 0, "32-28"), VERDICT_STRANGER,
                 "not-a-player");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 1, "32-28"), VERDICT_STALE,
                 "stale");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "32-23"), VERDICT_ILLEGAL,
                 "cannot-go-there");
    bout_moves(&bout, ANN, "32-28");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 1, "19-23"), VERDICT_TURN,
                 "not-your-turn");
    bout_replies(&bout, "19-23");
    assert_false(hosted_thinking(&bout.hosted));
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 2, "33-29"), VERDICT_ILLEGAL,
                 "must-capture");
    bout_moves(&bout, ANN, "28x19");
    bout_end(&bout);
}

static void test_computer_opens_when_it_is_first(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "classic", NULL, OPPONENT_COMPUTER, WHITE);
    assert_true(hosted_thinking(&bout.hosted)); /* Black opens */
    bout_replies(&bout, "9-13");
    bout_refuses(decide_undo(&bout.hosted, bout_by(&bout, ANN)), VERDICT_NOTHING,
                 "nothing-to-undo");
    bout_end(&bout);
}

/* backgammonjs #2: a double click plays twice. */
static void test_double_submit_makes_one_move(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_LOCAL, WHITE);
    bout_moves(&bout, ANN, "32-28");
    assert_int_equal(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "32-28").kind,
                     VERDICT_REPEATED);
    assert_int_equal(bout_path(&bout, 0, (const int[]){32, 28, 0}).kind, VERDICT_REPEATED);
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "32-27"), VERDICT_STALE,
                 "stale");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, EVE), 0, "32-28"), VERDICT_STRANGER,
                 "not-a-player");
    bout_end(&bout);
}

/* py-draughts #29: an ambiguous capture silently picked. */
static void test_ambiguous_capture_is_refused(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_LOCAL, WHITE);
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "4x15"), VERDICT_ILLEGAL,
                 "ambiguous");
    bout_moves(&bout, ANN, "4x15x13x20x37");
    bout_end(&bout);
}

static void test_capture_square_by_square(void **state)
{
    struct bout bout;
    bitboard taken, next;

    (void)state;
    bout_begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_LOCAL, WHITE);
    const struct rules *rules = bout.hosted.setup.variant->rules;
    bout_refuses(bout_path(&bout, 0, (const int[]){4, 22, 0}), VERDICT_ILLEGAL, "must-take-most");
    bout_refuses(bout_path(&bout, 0, (const int[]){4, 51, 0}), VERDICT_ILLEGAL, "no-move");
    bout_refuses(bout_path(&bout, 0, (const int[]){4, 0}), VERDICT_ILLEGAL, "no-move");
    assert_int_equal(decide_next(&bout.hosted, &taken), 0);

    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 27, 0}));
    assert_int_equal(bout.hosted.game.plies, 0);
    next = decide_next(&bout.hosted, &taken);
    assert_int_equal(next, bit(square_to_bit(rules, 38)));
    assert_int_equal(taken, bit(square_to_bit(rules, 13)));
    assert_true(pieces_all(game_now(&bout.hosted.game)) & taken); /* it still stands */

    assert_int_equal(bout_path(&bout, 0, (const int[]){4, 27, 0}).kind, VERDICT_REPEATED);
    bout_refuses(bout_path(&bout, 0, (const int[]){4, 31, 0}), VERDICT_ILLEGAL, "must-go-on");
    bout_refuses(bout_path(&bout, 0, (const int[]){4, 27, 43, 0}), VERDICT_ILLEGAL, "must-go-on");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "4x15x13x20x37"),
                 VERDICT_ILLEGAL, "must-go-on");
    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 27, 38, 0}));
    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 27, 38, 15, 0}));
    assert_int_equal(bout.hosted.game.plies, 1);
    assert_int_equal(bout.hosted.half_count, 0);
    assert_int_equal(bout_path(&bout, 0, (const int[]){4, 27, 38, 15, 0}).kind, VERDICT_REPEATED);
    bout_end(&bout);
}

/* A half-made capture is part of what a restart finds (bout_end plays the events again). */
static void test_half_made_capture_survives(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_COMPUTER, WHITE);
    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 31, 0}));
    assert_int_equal(bout.hosted.half_count, 2);
    bout_end(&bout);
}

/* Mzinga #30: undo takes back only the computer's move. */
static void test_undo_goes_back_to_the_own_turn(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    bout_refuses(decide_undo(&bout.hosted, bout_by(&bout, ANN)), VERDICT_NOTHING,
                 "nothing-to-undo");
    assert_null(hosted_spoiled(&bout.hosted));
    bout_moves(&bout, ANN, "32-28");
    bout_replies(&bout, "19-23");
    bout_does(&bout, decide_undo(&bout.hosted, bout_by(&bout, ANN)));
    assert_int_equal(bout.hosted.game.plies, 0);
    assert_string_equal(hosted_spoiled(&bout.hosted), "undo");
    bout_moves(&bout, ANN, "32-28");
    bout_does(&bout,
              decide_undo(&bout.hosted, bout_by(&bout, ANN))); /* while the computer thinks */
    assert_int_equal(bout.hosted.game.plies, 0);
    assert_int_equal(bout.hosted.undos, 2);
    bout_end(&bout);
}

static void test_undo_of_a_half_made_capture_spoils_nothing(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    bout_moves(&bout, ANN, "32-28");
    bout_replies(&bout, "19-23");
    bout_moves(&bout, ANN, "28x19");
    bout_replies(&bout, "14x23");
    bout_end(&bout);

    bout_begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_COMPUTER, WHITE);
    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 31, 0}));
    bout_does(&bout, decide_undo(&bout.hosted, bout_by(&bout, ANN)));
    assert_int_equal(bout.hosted.half_count, 0);
    assert_int_equal(bout.hosted.undos, 0);
    bout_does(&bout, bout_path(&bout, 0, (const int[]){4, 27, 0}));
    bout_end(&bout);
}

/* PySolFC #291: a hint that gave nothing counted. */
static void test_only_a_hint_shown_counts(void **state)
{
    struct bout bout;
    struct move_list list;

    (void)state;
    bout_begin(&bout, "flying", NULL, OPPONENT_COMPUTER, WHITE);
    assert_int_equal(decide_hint_wanted(&bout.hosted, bout_by(&bout, ANN)).kind, VERDICT_EVENT);
    assert_null(hosted_spoiled(&bout.hosted));
    bout.hosted.setup.variant->moves(game_now(&bout.hosted.game), &list);
    bout_does(&bout, decide_hint(&bout.hosted, bout_by(&bout, ANN), &list.move[0]));
    assert_string_equal(hosted_spoiled(&bout.hosted), "hint");
    assert_true(bout.hosted.hint[0] != '\0');
    assert_int_equal(decide_hint_wanted(&bout.hosted, bout_by(&bout, ANN)).kind, VERDICT_REPEATED);
    bout_moves(&bout, ANN, bout.hosted.hint);
    assert_string_equal(bout.hosted.hint, "");
    bout_refuses(decide_hint_wanted(&bout.hosted, bout_by(&bout, ANN)), VERDICT_TURN,
                 "not-your-turn");
    assert_int_equal(bout.hosted.hints, 1);
    bout_end(&bout);
}

static void test_help_only_against_the_computer(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "flying", NULL, OPPONENT_LOCAL, WHITE);
    bout_refuses(decide_undo(&bout.hosted, bout_by(&bout, ANN)), VERDICT_COMPUTER,
                 "only-against-the-computer");
    bout_refuses(decide_hint_wanted(&bout.hosted, bout_by(&bout, ANN)), VERDICT_COMPUTER,
                 "only-against-the-computer");
    bout_end(&bout);
}

static void test_a_friend_joins(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 0, "32-28"), VERDICT_WAITING,
                 "waiting");
    assert_int_equal(decide_join(&bout.hosted, bout_by(&bout, ANN)).kind, VERDICT_REPEATED);
    bout_does(&bout, decide_join(&bout.hosted, bout_by(&bout, BEN)));
    bout_refuses(decide_join(&bout.hosted, bout_by(&bout, EVE)), VERDICT_TAKEN, "seats-taken");
    bout_moves(&bout, ANN, "32-28");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 1, "19-23"), VERDICT_TURN,
                 "not-your-turn");
    bout_moves(&bout, BEN, "19-23");
    bout_end(&bout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_may_move),
        cmocka_unit_test(test_computer_opens_when_it_is_first),
        cmocka_unit_test(test_double_submit_makes_one_move),
        cmocka_unit_test(test_ambiguous_capture_is_refused),
        cmocka_unit_test(test_capture_square_by_square),
        cmocka_unit_test(test_half_made_capture_survives),
        cmocka_unit_test(test_undo_goes_back_to_the_own_turn),
        cmocka_unit_test(test_undo_of_a_half_made_capture_spoils_nothing),
        cmocka_unit_test(test_only_a_hint_shown_counts),
        cmocka_unit_test(test_help_only_against_the_computer),
        cmocka_unit_test(test_a_friend_joins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
