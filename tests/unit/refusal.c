/* Why a move is refused: each kind, and that whatever is not legal gets a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rules/refusal.h"
#include "support.h"

static void check(const struct variant *variant, const char *fen, const char *text,
                  enum refusal_kind kind, const char *said)
{
    struct position position = position_of(variant, fen);
    struct refusal refusal;
    struct move move;

    assert_false(move_read_or_explain(variant, &position, text, &move, &refusal));
    if (refusal.kind != kind || !strstr(refusal.text, said)) {
        print_error("%s in %s: %s: '%s', not %s: '%s'\n", text, fen, refusal_name(refusal.kind),
                    refusal.text, refusal_name(kind), said);
        fail();
    }
}

static void test_kinds(void **state)
{
    const struct variant *inter = &variant_international, *classic = &variant_classic;

    (void)state;
    check(inter, "W:W28:B1", "hello", REFUSAL_NO_MOVE, "is not a move");
    check(inter, "W:W28:B1", "28", REFUSAL_NO_MOVE, "is not a move");
    check(inter, "W:W28:B1", "28-51", REFUSAL_NO_MOVE, "squares are 1 to 50");
    check(inter, "W:W6:B1", "6-2", REFUSAL_OVER, "White has no legal move");
    check(inter, "W:W28:B1", "27-22", REFUSAL_EMPTY, "no piece stands on 27");
    check(inter, "W:W28:BK1", "1-6", REFUSAL_TURN, "the king on 1 is Black's, White is to move");
    check(inter, "W:W28,31:B23", "31-27", REFUSAL_CAPTURE, "the piece on 28 can: 28x19x23");
    check(inter, "W:W28,31,37:B23,26,41", "37-32", REFUSAL_CAPTURE,
          "the pieces on 28 and 37 can: 28x19x23, 37x46x41");
    check(inter, "W:W28:B1", "28-33", REFUSAL_ELSEWHERE,
          "the man on 28 cannot go to 33, it has 28-22, 28-23");
    check(inter, "W:W28,32,33:B1", "32x23", REFUSAL_ELSEWHERE, "it has 32-27");
    check(inter, "W:W28,32,33,38:B1", "38-43", REFUSAL_STUCK, "the man on 38 has no legal move");
    check(inter, "W:WK4:B13,20,32,37", "4x15", REFUSAL_AMBIGUOUS, "it fits 4x15x");
    check(inter, "W:W28:B1", "28x22", REFUSAL_WRITTEN, "it is written 28-22");
    check(inter, "W:W28:B23", "28-19", REFUSAL_WRITTEN, "it is written 28x19x23");
    check(classic, "B:W19,26:B15,1", "1-6", REFUSAL_CAPTURE, "the piece on 15 can: 15x24x19");
}

/* Captures that stop early or take too few. */
static void test_captures(void **state)
{
    const struct variant *inter = &variant_international;

    (void)state;
    check(inter, "W:W28,33:B12,22,23,24", "28x19", REFUSAL_MOST,
          "28x19 takes 1, the most that can be taken is 2: 28x8x12x22");
    check(inter, "W:W28,39:B22,12,34", "39x30", REFUSAL_MOST,
          "39x30 takes 1, the most that can be taken is 2: 28x8x12x22");
    check(inter, "W:W28:B22,12", "28x17", REFUSAL_MOST, "takes 1, the most that can be taken is 2");
    check(&variant_classic, "B:W19,26:B15", "15x22", REFUSAL_CAPTURE,
          "the piece on 15 can: 15x24x19");
    check(&variant_classic, "B:W19,27:B15", "15x24", REFUSAL_UNFINISHED,
          "the capture goes on from 24: 15x31x19x27");
    check(&variant_flying, "W:WK32:B23,9", "32x18", REFUSAL_UNFINISHED,
          "goes on from 18: 32x5x9x23");
}

/* In random positions of all rule sets: what is not legal is refused with a reason, what is legal
 * is read. */
static void test_every_pair(void **state)
{
    int kinds[REFUSAL_KINDS] = {0};

    (void)state;
    for (int number = 0; number < 60; number++) {
        const struct variant *variant = variant_at(number % VARIANT_COUNT);
        struct position position = random_position(variant, (uint64_t)number, number % 2);
        int squares = variant->rules->squares;
        for (int pair = 0; pair < squares * squares; pair++) {
            char text[16];
            struct refusal refusal = {.kind = REFUSAL_KINDS};
            struct move move;
            snprintf(text, sizeof text, "%d%c%d", pair / squares + 1, pair % 3 ? '-' : 'x',
                     pair % squares + 1);
            if (!move_read_or_explain(variant, &position, text, &move, &refusal)) {
                assert_true(refusal.kind < REFUSAL_KINDS);
                assert_true(strlen(refusal.text) > 0);
                assert_null(strchr(refusal.text, '\n'));
                kinds[refusal.kind]++;
            }
        }
    }
    assert_true(kinds[REFUSAL_EMPTY] > 0 && kinds[REFUSAL_TURN] > 0 && kinds[REFUSAL_CAPTURE] > 0 &&
                kinds[REFUSAL_ELSEWHERE] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_captures),
        cmocka_unit_test(test_every_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
