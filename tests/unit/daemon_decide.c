/* Every rule of a hosted game: who may do what when, what it makes of the game, and that the same
 * events make the same game again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "daemon/game/decide.h"
#include "engine/rules/fen.h"

enum { ANN = 11, BEN = 22, EVE = 33, EVENTS_MAX = 128 };

struct bout {
    struct hosted hosted;
    struct event events[EVENTS_MAX];
    int64_t now;
};

static void begin(struct bout *bout, const char *rules, const char *fen, enum opponent opponent,
                  enum colour host)
{
    struct err err;
    struct hosted_setup setup = {.variant = variant_by_name(rules, &err),
                                 .opponent = opponent,
                                 .host = host,
                                 .host_person = ANN,
                                 .created = 1000,
                                 .level = {.number = opponent == OPPONENT_COMPUTER ? 2 : 0}};

    bout->now = 1000;
    setup.start = position_start(setup.variant->rules);
    setup.set_up = fen != NULL;
    assert_true(fen == NULL || fen_read(setup.variant->rules, fen, &setup.start, &err));
    assert_true(hosted_init(&bout->hosted, &setup));
}

static struct asking by(const struct bout *bout, int64_t person)
{
    return (struct asking){.person = person, .now = bout->now};
}

/* Stores and applies a verdict's event. */
static void does(struct bout *bout, struct verdict verdict)
{
    struct err err;

    assert_int_equal(verdict.kind, VERDICT_EVENT);
    assert_true(bout->hosted.events < EVENTS_MAX);
    bout->events[bout->hosted.events] = verdict.event;
    assert_true(hosted_apply(&bout->hosted, &verdict.event, &err));
}

static void refuses(struct verdict verdict, enum verdict_kind kind, const char *reason)
{
    assert_int_equal(verdict.kind, kind);
    assert_string_equal(verdict.reason, reason);
    assert_true(verdict.text[0] != '\0');
}

static void moves(struct bout *bout, int64_t person, const char *move)
{
    does(bout, decide_move(&bout->hosted, by(bout, person), bout->hosted.game.plies, move));
}

static void replies(struct bout *bout, const char *text)
{
    struct move move;
    struct err err;

    assert_true(hosted_thinking(&bout->hosted));
    assert_true(
        move_read(bout->hosted.setup.variant, game_now(&bout->hosted.game), text, &move, &err));
    does(bout, decide_reply(&bout->hosted, &move, bout->now));
}

static struct verdict path(const struct bout *bout, int ply, const int *squares)
{
    int count = 0;

    while (squares[count] != 0) {
        count++;
    }
    return decide_path(&bout->hosted, by(bout, ANN), ply, squares, count);
}

/* Plays the events once more and compares. */
static void end(struct bout *bout)
{
    struct hosted again;
    struct err err;
    const char *reason, *reason_again;

    assert_true(hosted_init(&again, &bout->hosted.setup));
    for (int i = 0; i < bout->hosted.events; i++) {
        assert_true(hosted_apply(&again, &bout->events[i], &err));
    }
    assert_int_equal(again.game.plies, bout->hosted.game.plies);
    assert_true(position_equal(game_now(&again.game), game_now(&bout->hosted.game)));
    assert_memory_equal(again.half, bout->hosted.half, (size_t)bout->hosted.half_count);
    assert_int_equal(again.half_count, bout->hosted.half_count);
    assert_int_equal(hosted_outcome(&again, &reason_again), hosted_outcome(&bout->hosted, &reason));
    assert_string_equal(reason_again, reason);
    assert_int_equal(again.undos, bout->hosted.undos);
    assert_int_equal(again.hints, bout->hosted.hints);
    hosted_fini(&again);
    hosted_fini(&bout->hosted);
}

static void test_who_may_move(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    refuses(decide_move(&bout.hosted, by(&bout, EVE), 0, "32-28"), VERDICT_STRANGER,
            "not-a-player");
    refuses(decide_move(&bout.hosted, by(&bout, NOBODY), 0, "32-28"), VERDICT_STRANGER,
            "not-a-player");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 1, "32-28"), VERDICT_STALE, "stale");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 0, "32-23"), VERDICT_ILLEGAL,
            "cannot-go-there");
    moves(&bout, ANN, "32-28");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 1, "19-23"), VERDICT_TURN, "not-your-turn");
    replies(&bout, "19-23");
    assert_false(hosted_thinking(&bout.hosted));
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 2, "33-29"), VERDICT_ILLEGAL, "must-capture");
    moves(&bout, ANN, "28x19");
    end(&bout);
}

static void test_computer_opens_when_it_is_first(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "classic", NULL, OPPONENT_COMPUTER, WHITE);
    assert_true(hosted_thinking(&bout.hosted)); /* Black opens */
    replies(&bout, "9-13");
    refuses(decide_undo(&bout.hosted, by(&bout, ANN)), VERDICT_NOTHING, "nothing-to-undo");
    end(&bout);
}

/* backgammonjs #2: a double click plays twice. */
static void test_double_submit_makes_one_move(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_LOCAL, WHITE);
    moves(&bout, ANN, "32-28");
    assert_int_equal(decide_move(&bout.hosted, by(&bout, ANN), 0, "32-28").kind, VERDICT_REPEATED);
    assert_int_equal(path(&bout, 0, (const int[]){32, 28, 0}).kind, VERDICT_REPEATED);
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 0, "32-27"), VERDICT_STALE, "stale");
    refuses(decide_move(&bout.hosted, by(&bout, EVE), 0, "32-28"), VERDICT_STRANGER,
            "not-a-player");
    end(&bout);
}

/* py-draughts #29: an ambiguous capture silently picked. */
static void test_ambiguous_capture_is_refused(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_LOCAL, WHITE);
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 0, "4x15"), VERDICT_ILLEGAL, "ambiguous");
    moves(&bout, ANN, "4x15x13x20x37");
    end(&bout);
}

static void test_capture_square_by_square(void **state)
{
    struct bout bout;
    bitboard taken, next;

    (void)state;
    begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_LOCAL, WHITE);
    const struct rules *rules = bout.hosted.setup.variant->rules;
    refuses(path(&bout, 0, (const int[]){4, 22, 0}), VERDICT_ILLEGAL, "must-take-most");
    refuses(path(&bout, 0, (const int[]){4, 51, 0}), VERDICT_ILLEGAL, "no-move");
    refuses(path(&bout, 0, (const int[]){4, 0}), VERDICT_ILLEGAL, "no-move");
    assert_int_equal(decide_next(&bout.hosted, &taken), 0);

    does(&bout, path(&bout, 0, (const int[]){4, 27, 0}));
    assert_int_equal(bout.hosted.game.plies, 0);
    next = decide_next(&bout.hosted, &taken);
    assert_int_equal(next, bit(square_to_bit(rules, 38)));
    assert_int_equal(taken, bit(square_to_bit(rules, 13)));
    assert_true(pieces_all(game_now(&bout.hosted.game)) & taken); /* it still stands */

    assert_int_equal(path(&bout, 0, (const int[]){4, 27, 0}).kind, VERDICT_REPEATED);
    refuses(path(&bout, 0, (const int[]){4, 31, 0}), VERDICT_ILLEGAL, "must-go-on");
    refuses(path(&bout, 0, (const int[]){4, 27, 43, 0}), VERDICT_ILLEGAL, "must-go-on");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 0, "4x15x13x20x37"), VERDICT_ILLEGAL,
            "must-go-on");
    does(&bout, path(&bout, 0, (const int[]){4, 27, 38, 0}));
    does(&bout, path(&bout, 0, (const int[]){4, 27, 38, 15, 0}));
    assert_int_equal(bout.hosted.game.plies, 1);
    assert_int_equal(bout.hosted.half_count, 0);
    assert_int_equal(path(&bout, 0, (const int[]){4, 27, 38, 15, 0}).kind, VERDICT_REPEATED);
    end(&bout);
}

/* A half-made capture is part of what a restart finds (end() plays the events again). */
static void test_half_made_capture_survives(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_COMPUTER, WHITE);
    does(&bout, path(&bout, 0, (const int[]){4, 31, 0}));
    assert_int_equal(bout.hosted.half_count, 2);
    end(&bout);
}

/* Mzinga #30: undo takes back only the computer's move. */
static void test_undo_goes_back_to_the_own_turn(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    refuses(decide_undo(&bout.hosted, by(&bout, ANN)), VERDICT_NOTHING, "nothing-to-undo");
    assert_null(hosted_spoiled(&bout.hosted));
    moves(&bout, ANN, "32-28");
    replies(&bout, "19-23");
    does(&bout, decide_undo(&bout.hosted, by(&bout, ANN)));
    assert_int_equal(bout.hosted.game.plies, 0);
    assert_string_equal(hosted_spoiled(&bout.hosted), "undo");
    moves(&bout, ANN, "32-28");
    does(&bout, decide_undo(&bout.hosted, by(&bout, ANN))); /* while the computer thinks */
    assert_int_equal(bout.hosted.game.plies, 0);
    assert_int_equal(bout.hosted.undos, 2);
    end(&bout);
}

static void test_undo_of_a_half_made_capture_spoils_nothing(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    moves(&bout, ANN, "32-28");
    replies(&bout, "19-23");
    moves(&bout, ANN, "28x19");
    replies(&bout, "14x23");
    end(&bout);

    begin(&bout, "international", "W:WK4:B13,32,37,20", OPPONENT_COMPUTER, WHITE);
    does(&bout, path(&bout, 0, (const int[]){4, 31, 0}));
    does(&bout, decide_undo(&bout.hosted, by(&bout, ANN)));
    assert_int_equal(bout.hosted.half_count, 0);
    assert_int_equal(bout.hosted.undos, 0);
    does(&bout, path(&bout, 0, (const int[]){4, 27, 0}));
    end(&bout);
}

/* PySolFC #291: a hint that gave nothing counted. */
static void test_only_a_hint_shown_counts(void **state)
{
    struct bout bout;
    struct move_list list;

    (void)state;
    begin(&bout, "flying", NULL, OPPONENT_COMPUTER, WHITE);
    assert_int_equal(decide_hint_wanted(&bout.hosted, by(&bout, ANN)).kind, VERDICT_EVENT);
    assert_null(hosted_spoiled(&bout.hosted));
    bout.hosted.setup.variant->moves(game_now(&bout.hosted.game), &list);
    does(&bout, decide_hint(&bout.hosted, by(&bout, ANN), &list.move[0]));
    assert_string_equal(hosted_spoiled(&bout.hosted), "hint");
    assert_true(bout.hosted.hint[0] != '\0');
    assert_int_equal(decide_hint_wanted(&bout.hosted, by(&bout, ANN)).kind, VERDICT_REPEATED);
    moves(&bout, ANN, bout.hosted.hint);
    assert_string_equal(bout.hosted.hint, "");
    refuses(decide_hint_wanted(&bout.hosted, by(&bout, ANN)), VERDICT_TURN, "not-your-turn");
    assert_int_equal(bout.hosted.hints, 1);
    end(&bout);
}

static void test_help_only_against_the_computer(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "flying", NULL, OPPONENT_LOCAL, WHITE);
    refuses(decide_undo(&bout.hosted, by(&bout, ANN)), VERDICT_COMPUTER,
            "only-against-the-computer");
    refuses(decide_hint_wanted(&bout.hosted, by(&bout, ANN)), VERDICT_COMPUTER,
            "only-against-the-computer");
    end(&bout);
}

static void test_a_friend_joins(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 0, "32-28"), VERDICT_WAITING, "waiting");
    assert_int_equal(decide_join(&bout.hosted, by(&bout, ANN)).kind, VERDICT_REPEATED);
    does(&bout, decide_join(&bout.hosted, by(&bout, BEN)));
    refuses(decide_join(&bout.hosted, by(&bout, EVE)), VERDICT_TAKEN, "seats-taken");
    moves(&bout, ANN, "32-28");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 1, "19-23"), VERDICT_TURN, "not-your-turn");
    moves(&bout, BEN, "19-23");
    end(&bout);
}

static void test_draws_between_friends(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    does(&bout, decide_join(&bout.hosted, by(&bout, BEN)));
    refuses(decide_draw(&bout.hosted, by(&bout, BEN), EVENT_ACCEPT), VERDICT_NOTHING, "no-offer");
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_OFFER));
    refuses(decide_draw(&bout.hosted, by(&bout, ANN), EVENT_ACCEPT), VERDICT_NOTHING, "no-offer");
    refuses(decide_draw(&bout.hosted, by(&bout, BEN), EVENT_WITHDRAW), VERDICT_NOTHING, "no-offer");
    refuses(decide_draw(&bout.hosted, by(&bout, BEN), EVENT_OFFER), VERDICT_STANDS, "offer-stands");
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_WITHDRAW));
    refuses(decide_draw(&bout.hosted, by(&bout, ANN), EVENT_OFFER), VERDICT_STANDS,
            "offered-already");
    does(&bout, decide_draw(&bout.hosted, by(&bout, BEN), EVENT_OFFER));
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_DECLINE));
    moves(&bout, ANN, "32-28");
    moves(&bout, BEN, "19-23");
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_OFFER));
    moves(&bout, ANN, "28x19");
    assert_true(bout.hosted.offered); /* it stands while the other thinks */
    moves(&bout, BEN, "14x23");
    assert_false(bout.hosted.offered); /* moving on declines */
    does(&bout, decide_draw(&bout.hosted, by(&bout, BEN), EVENT_OFFER));
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_ACCEPT));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_DRAW);
    assert_string_equal(reason, "agreed");
    refuses(decide_move(&bout.hosted, by(&bout, ANN), 4, "33-29"), VERDICT_OVER, "game-over");
    end(&bout);
}

static void test_the_computer_answers_an_offer_by_score(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", "W:WK50,49:BK1,2", OPPONENT_COMPUTER, WHITE);
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_OFFER));
    assert_true(hosted_judging(&bout.hosted));
    assert_false(hosted_thinking(&bout.hosted));
    does(&bout, decide_answer(&bout.hosted, 900, bout.now)); /* too early in the game */
    assert_false(hosted_over(&bout.hosted));
    end(&bout);

    begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    static const char *const LINE[] = {"32-28", "19-23", "28x19", "14x23"};
    for (int i = 0; i < 4; i += 2) {
        moves(&bout, ANN, LINE[i]);
        replies(&bout, LINE[i + 1]);
    }
    while (bout.hosted.game.plies < 40 && !hosted_over(&bout.hosted)) {
        struct move_list list;
        bout.hosted.setup.variant->moves(game_now(&bout.hosted.game), &list);
        does(&bout, decide_reply(&bout.hosted, &list.move[0], bout.now));
    }
    assert_int_equal(bout.hosted.game.plies, 40);
    does(&bout, decide_draw(&bout.hosted, by(&bout, ANN), EVENT_OFFER));
    assert_int_equal(decide_answer(&bout.hosted, -1, 0).event.kind, EVENT_DECLINE);
    assert_int_equal(decide_answer(&bout.hosted, 1, 0).event.kind, EVENT_ACCEPT);
    does(&bout, decide_answer(&bout.hosted, 0, bout.now));
    assert_true(hosted_over(&bout.hosted));
    end(&bout);
}

static void test_resigning(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_COMPUTER, BLACK);
    does(&bout, decide_resign(&bout.hosted, by(&bout, ANN))); /* while the computer thinks */
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_WHITE_WINS);
    assert_string_equal(reason, "resigned");
    assert_false(hosted_thinking(&bout.hosted));
    refuses(decide_resign(&bout.hosted, by(&bout, ANN)), VERDICT_OVER, "game-over");
    end(&bout);
}

static void test_a_game_is_claimed_only_from_one_who_is_gone(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    does(&bout, decide_join(&bout.hosted, by(&bout, BEN)));
    refuses(decide_claim(&bout.hosted, by(&bout, ANN), 0, 300), VERDICT_TURN, "your-turn");
    moves(&bout, ANN, "32-28");
    bout.now = 2000;
    refuses(decide_claim(&bout.hosted, by(&bout, ANN), 1701, 300), VERDICT_EARLY, "too-early");
    refuses(decide_claim(&bout.hosted, by(&bout, EVE), 1000, 300), VERDICT_STRANGER,
            "not-a-player");
    does(&bout, decide_claim(&bout.hosted, by(&bout, ANN), 1700, 300));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_WHITE_WINS);
    assert_string_equal(reason, "opponent gone");
    end(&bout);
}

static void test_an_abandoned_game_expires(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    begin(&bout, "classic", NULL, OPPONENT_FRIEND, WHITE);
    assert_int_equal(decide_expire(&bout.hosted, 1099, 100).kind, VERDICT_EARLY);
    does(&bout, decide_expire(&bout.hosted, 1100, 100));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_OPEN);
    assert_string_equal(reason, "expired");
    assert_int_equal(decide_expire(&bout.hosted, 5000, 100).kind, VERDICT_EARLY);
    refuses(decide_join(&bout.hosted, by(&bout, BEN)), VERDICT_OVER, "game-over");
    end(&bout);
}

/* Checkora #303: no threefold draw. */
static void test_third_repetition_draws(void **state)
{
    static const char *const CIRCLE[] = {"32-28", "1-5", "28-32", "5-1"};
    struct bout bout;
    const char *reason;

    (void)state;
    begin(&bout, "classic", "W:WK32:BK1", OPPONENT_LOCAL, WHITE);
    for (int i = 0; i < 8; i++) {
        assert_false(hosted_over(&bout.hosted));
        moves(&bout, ANN, CIRCLE[i % 4]);
    }
    assert_int_equal(game_repetitions(&bout.hosted.game), 3);
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_DRAW);
    assert_string_equal(reason, "repetition");
    assert_int_equal(game_now(&bout.hosted.game)->quiet_plies, 8);
    end(&bout);
}

static void test_what_a_win_opens(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    assert_false(hosted_clean_win(&bout.hosted));
    /* A board as the opening is, but with one black man: the setup says that it was the opening. */
    const struct rules *rules = bout.hosted.setup.variant->rules;
    bout.hosted.game.positions[0].men[BLACK] = bit(square_to_bit(rules, 23));
    moves(&bout, ANN, "32-28");
    replies(&bout, "23x32x28");
    moves(&bout, ANN, "37x28");
    assert_true(hosted_over(&bout.hosted));
    assert_true(hosted_clean_win(&bout.hosted));
    bout.hosted.undos = 1;
    assert_false(hosted_clean_win(&bout.hosted));
    bout.hosted.undos = 0;
    bout.hosted.hints = 1;
    assert_false(hosted_clean_win(&bout.hosted));
    bout.hosted.hints = 0;
    bout.hosted.setup.set_up = true;
    assert_string_equal(hosted_spoiled(&bout.hosted), "set-up position");
    assert_false(hosted_clean_win(&bout.hosted));
    hosted_fini(&bout.hosted);
}

static void test_rematch_exchanges_colours(void **state)
{
    struct bout bout;

    (void)state;
    begin(&bout, "flying", NULL, OPPONENT_COMPUTER, WHITE);
    struct hosted_setup next = hosted_rematch(&bout.hosted, 7, 5000);
    assert_int_equal(next.host, BLACK);
    assert_int_equal(next.seed, 7);
    assert_int_equal(next.created, 5000);
    assert_int_equal(next.level.number, 2);
    hosted_fini(&bout.hosted);
}

static void test_damaged_events_are_refused(void **state)
{
    static const struct event WRONG[] = {
        {.kind = EVENT_MOVE, .text = "32-23"},
        {.kind = EVENT_UNDO, .text = "3"},
        {.kind = EVENT_STEP, .text = "4,x"},
        {.kind = EVENT_STEP, .text = "4,51"},
    };
    struct bout bout;
    struct err err;

    (void)state;
    begin(&bout, "international", NULL, OPPONENT_LOCAL, WHITE);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        assert_false(hosted_apply(&bout.hosted, &WRONG[i], &err));
        assert_int_equal(bout.hosted.events, 0);
    }
    end(&bout);
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
        cmocka_unit_test(test_draws_between_friends),
        cmocka_unit_test(test_the_computer_answers_an_offer_by_score),
        cmocka_unit_test(test_resigning),
        cmocka_unit_test(test_a_game_is_claimed_only_from_one_who_is_gone),
        cmocka_unit_test(test_an_abandoned_game_expires),
        cmocka_unit_test(test_third_repetition_draws),
        cmocka_unit_test(test_what_a_win_opens),
        cmocka_unit_test(test_rematch_exchanges_colours),
        cmocka_unit_test(test_damaged_events_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
