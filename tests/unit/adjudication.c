/* When scores end a game: not before they have all said so for long enough, and in one voice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "selfplay/game/adjudication.h"

enum { OPEN = -1 };

static const struct adjudication_rules RULES = {
    .resign_score = 300, .resign_plies = 4, .draw_score = 20, .draw_plies = 3, .draw_from = 10};

/* The ply after which scores (each from its mover's view, White first) end the game, or OPEN. */
static int ends(const struct adjudication_rules *rules, const int *scores, int count,
                enum adjudication *why, enum outcome *outcome)
{
    struct adjudicator adjudicator = {.rules = rules};

    for (int ply = 0; ply < count; ply++) {
        *why =
            adjudicator_add(&adjudicator, ply, ply % 2 == 0 ? WHITE : BLACK, scores[ply], outcome);
        if (*why != ADJUDICATION_NONE) {
            return ply;
        }
    }
    return OPEN;
}

#define ENDS(...)                                                                                  \
    ends(&RULES, (const int[]){__VA_ARGS__},                                                       \
         (int)(sizeof(const int[]){__VA_ARGS__} / sizeof(int)), &why, &outcome)

static void test_resign(void **state)
{
    (void)state;
    enum adjudication why;
    enum outcome outcome = OUTCOME_OPEN;

    assert_int_equal(ENDS(300, -300, 300), OPEN);
    assert_int_equal(ENDS(0, -300, 300, -300, 300), 4);
    assert_int_equal(why, ADJUDICATION_RESIGNED);
    assert_int_equal(outcome, OUTCOME_WHITE_WINS);
    assert_int_equal(ENDS(-900, 400, -29990, 29989), 3);
    assert_int_equal(outcome, OUTCOME_BLACK_WINS);
    assert_int_equal(ENDS(300, -300, 299, -300, 300, -300), OPEN);   /* one was not sure */
    assert_int_equal(ENDS(300, -300, 300, 300, -300, 300, -300), 6); /* then the other's is ahead */
    assert_int_equal(outcome, OUTCOME_BLACK_WINS);
}

static void test_draw(void **state)
{
    (void)state;
    enum adjudication why;
    enum outcome outcome = OUTCOME_OPEN;

    assert_int_equal(ENDS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, -20), OPEN);
    assert_int_equal(ENDS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, -20, 0), 12);
    assert_int_equal(why, ADJUDICATION_DRAWN);
    assert_int_equal(outcome, OUTCOME_DRAW);
    assert_int_equal(ENDS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 0, 0), OPEN);
}

/* A player who tells no score breaks what was said in a row. */
static void test_forget(void **state)
{
    (void)state;
    struct adjudicator adjudicator = {.rules = &RULES};
    enum outcome outcome = OUTCOME_OPEN;

    for (int ply = 0; ply < 20; ply++) {
        enum colour mover = ply % 2 == 0 ? WHITE : BLACK;
        if (ply % 3 == 2) {
            adjudicator_forget(&adjudicator);
        } else {
            assert_int_equal(
                adjudicator_add(&adjudicator, ply, mover, mover == WHITE ? 400 : -400, &outcome),
                ADJUDICATION_NONE);
        }
    }
    for (int ply = 20; ply < 22; ply++) {
        assert_int_equal(adjudicator_add(&adjudicator, ply, WHITE, 0, &outcome), ADJUDICATION_NONE);
    }
    adjudicator_forget(&adjudicator);
    assert_int_equal(adjudicator_add(&adjudicator, 23, WHITE, 0, &outcome), ADJUDICATION_NONE);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = ADJUDICATION_NONE; i <= ADJUDICATION_DRAWN; i++) {
        assert_int_equal(adjudication_named(adjudication_name((enum adjudication)i)), i);
    }
    assert_int_equal(adjudication_named("repetition"), ADJUDICATION_NONE);
}

static void test_off(void **state)
{
    (void)state;
    const struct adjudication_rules off = {.resign_plies = 1, .draw_score = 30000};
    const int scores[] = {30000, 0, 0, 0};
    enum adjudication why;
    enum outcome outcome;

    assert_false(adjudication_is_on(&off));
    assert_true(adjudication_is_on(&RULES));
    assert_int_equal(ends(&off, scores, 4, &why, &outcome), OPEN);
    assert_int_equal(ends(NULL, scores, 4, &why, &outcome), OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resign), cmocka_unit_test(test_draw), cmocka_unit_test(test_forget),
        cmocka_unit_test(test_names),  cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
