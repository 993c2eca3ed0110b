/* How a hosted game ends, and what that opens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "bout_support.h"
#include <cmocka.h>

static void test_draws_between_friends(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    bout_does(&bout, decide_join(&bout.hosted, bout_by(&bout, BEN)));
    bout_refuses(decide_draw(&bout.hosted, bout_by(&bout, BEN), EVENT_ACCEPT), VERDICT_NOTHING,
                 "no-offer");
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_OFFER));
    bout_refuses(decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_ACCEPT), VERDICT_NOTHING,
                 "no-offer");
    bout_refuses(decide_draw(&bout.hosted, bout_by(&bout, BEN), EVENT_WITHDRAW), VERDICT_NOTHING,
                 "no-offer");
    bout_refuses(decide_draw(&bout.hosted, bout_by(&bout, BEN), EVENT_OFFER), VERDICT_STANDS,
                 "offer-stands");
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_WITHDRAW));
    bout_refuses(decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_OFFER), VERDICT_STANDS,
                 "offered-already");
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, BEN), EVENT_OFFER));
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_DECLINE));
    bout_moves(&bout, ANN, "32-28");
    bout_moves(&bout, BEN, "19-23");
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_OFFER));
    bout_moves(&bout, ANN, "28x19");
    assert_true(bout.hosted.offered); /* it stands while the other thinks */
    bout_moves(&bout, BEN, "14x23");
    assert_false(bout.hosted.offered); /* moving on declines */
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, BEN), EVENT_OFFER));
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_ACCEPT));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_DRAW);
    assert_string_equal(reason, "agreed");
    bout_refuses(decide_move(&bout.hosted, bout_by(&bout, ANN), 4, "33-29"), VERDICT_OVER,
                 "game-over");
    bout_end(&bout);
}

static void test_the_computer_answers_an_offer_by_score(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", "W:WK50,49:BK1,2", OPPONENT_COMPUTER, WHITE);
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_OFFER));
    assert_true(hosted_judging(&bout.hosted));
    assert_false(hosted_thinking(&bout.hosted));
    bout_does(&bout, decide_answer(&bout.hosted, 900, bout.now)); /* too early in the game */
    assert_false(hosted_over(&bout.hosted));
    bout_end(&bout);

    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    static const char *const LINE[] = {"32-28", "19-23", "28x19", "14x23"};
    for (int i = 0; i < 4; i += 2) {
        bout_moves(&bout, ANN, LINE[i]);
        bout_replies(&bout, LINE[i + 1]);
    }
    while (bout.hosted.game.plies < 40 && !hosted_over(&bout.hosted)) {
        struct move_list list;
        bout.hosted.setup.variant->moves(game_now(&bout.hosted.game), &list);
        bout_does(&bout, decide_reply(&bout.hosted, &list.move[0], bout.now));
    }
    assert_int_equal(bout.hosted.game.plies, 40);
    bout_does(&bout, decide_draw(&bout.hosted, bout_by(&bout, ANN), EVENT_OFFER));
    assert_int_equal(decide_answer(&bout.hosted, -1, 0).event.kind, EVENT_DECLINE);
    assert_int_equal(decide_answer(&bout.hosted, 1, 0).event.kind, EVENT_ACCEPT);
    bout_does(&bout, decide_answer(&bout.hosted, 0, bout.now));
    assert_true(hosted_over(&bout.hosted));
    bout_end(&bout);
}

static void test_resigning(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, BLACK);
    bout_does(&bout,
              decide_resign(&bout.hosted, bout_by(&bout, ANN))); /* while the computer thinks */
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_WHITE_WINS);
    assert_string_equal(reason, "resigned");
    assert_false(hosted_thinking(&bout.hosted));
    bout_refuses(decide_resign(&bout.hosted, bout_by(&bout, ANN)), VERDICT_OVER, "game-over");
    bout_end(&bout);
}

static void test_a_game_is_claimed_only_from_one_who_is_gone(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_FRIEND, WHITE);
    bout_does(&bout, decide_join(&bout.hosted, bout_by(&bout, BEN)));
    bout_refuses(decide_claim(&bout.hosted, bout_by(&bout, ANN), 0, 300), VERDICT_TURN,
                 "your-turn");
    bout_moves(&bout, ANN, "32-28");
    bout.now = 2000;
    bout_refuses(decide_claim(&bout.hosted, bout_by(&bout, ANN), 1701, 300), VERDICT_EARLY,
                 "too-early");
    bout_refuses(decide_claim(&bout.hosted, bout_by(&bout, EVE), 1000, 300), VERDICT_STRANGER,
                 "not-a-player");
    bout_does(&bout, decide_claim(&bout.hosted, bout_by(&bout, ANN), 1700, 300));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_WHITE_WINS);
    assert_string_equal(reason, "opponent gone");
    bout_end(&bout);
}

static void test_an_abandoned_game_expires(void **state)
{
    struct bout bout;
    const char *reason;

    (void)state;
    bout_begin(&bout, "classic", NULL, OPPONENT_FRIEND, WHITE);
    assert_int_equal(decide_expire(&bout.hosted, 1099, 100).kind, VERDICT_EARLY);
    bout_does(&bout, decide_expire(&bout.hosted, 1100, 100));
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_OPEN);
    assert_string_equal(reason, "expired");
    assert_int_equal(decide_expire(&bout.hosted, 5000, 100).kind, VERDICT_EARLY);
    bout_refuses(decide_join(&bout.hosted, bout_by(&bout, BEN)), VERDICT_OVER, "game-over");
    bout_end(&bout);
}

/* Checkora #303: no threefold draw. */
static void test_third_repetition_draws(void **state)
{
    static const char *const CIRCLE[] = {"32-28", "1-5", "28-32", "5-1"};
    struct bout bout;
    const char *reason;

    (void)state;
    bout_begin(&bout, "classic", "W:WK32:BK1", OPPONENT_LOCAL, WHITE);
    for (int i = 0; i < 8; i++) {
        assert_false(hosted_over(&bout.hosted));
        bout_moves(&bout, ANN, CIRCLE[i % 4]);
    }
    assert_int_equal(game_repetitions(&bout.hosted.game), 3);
    assert_int_equal(hosted_outcome(&bout.hosted, &reason), OUTCOME_DRAW);
    assert_string_equal(reason, "repetition");
    assert_int_equal(game_now(&bout.hosted.game)->quiet_plies, 8);
    bout_end(&bout);
}

static void test_what_a_win_opens(void **state)
{
    struct bout bout;

    (void)state;
    bout_begin(&bout, "international", NULL, OPPONENT_COMPUTER, WHITE);
    assert_false(hosted_clean_win(&bout.hosted));
    /* A board as the opening is, but with one black man: the setup says that it was the opening. */
    const struct rules *rules = bout.hosted.setup.variant->rules;
    bout.hosted.game.positions[0].men[BLACK] = bit(square_to_bit(rules, 23));
    bout_moves(&bout, ANN, "32-28");
    bout_replies(&bout, "23x32x28");
    bout_moves(&bout, ANN, "37x28");
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
    bout_begin(&bout, "flying", NULL, OPPONENT_COMPUTER, WHITE);
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
    bout_begin(&bout, "international", NULL, OPPONENT_LOCAL, WHITE);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        assert_false(hosted_apply(&bout.hosted, &WRONG[i], &err));
        assert_int_equal(bout.hosted.events, 0);
    }
    bout_end(&bout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
