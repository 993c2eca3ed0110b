/* FEN in and out: what is read, what is refused and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rules/fen.h"
#include "support.h"

static void start_positions(void **state)
{
    char fen[FEN_SIZE];

    (void)state;
    fen_write(variant_international.rules, &(struct position){0}, fen);
    assert_string_equal(fen, "W:W:B");

    struct position start = position_start(variant_classic.rules);
    fen_write(variant_classic.rules, &start, fen);
    assert_string_equal(fen, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");

    struct position read = position_of(&variant_international, "W:W31-50:B1-20");
    start = position_start(variant_international.rules);
    assert_true(position_equal(&read, &start));
}

static void forms_that_are_read(void **state)
{
    static const char *const SAME[] = {
        "W:WK28,31-33:B1,2,K23",      "W:B1,2,K23:WK28,31,32,33",
        "W:WK28,31-33:B1-2,K23.",     " W : W K28 , 31 - 33 : B 01 , 002 , K 23 . ",
        "W:W33,32,31,K28:BK23,2,1\n",
    };
    char fen[FEN_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        struct position position = position_of(&variant_international, SAME[i]);
        fen_write(variant_international.rules, &position, fen);
        assert_string_equal(fen, "W:WK28,31,32,33:B1,2,K23");
    }
    struct position kings = position_of(&variant_international, "B:WK1-3:BK48-50");
    assert_int_equal(bit_count(kings.kings[WHITE]), 3);
    assert_int_equal(kings.turn, BLACK);
    struct position empty = position_of(&variant_classic, "W:W:B5");
    assert_true(pieces_of(&empty, WHITE) == 0);
    empty = position_of(&variant_classic, "W:W5:B.");
    assert_true(pieces_of(&empty, BLACK) == 0);
}

/* A text that must be refused, and a part of the reason. */
struct refused {
    const struct variant *variant;
    const char *text, *reason;
};

static void forms_that_are_refused(void **state)
{
    static const struct refused REFUSED[] = {
        {&variant_international, "", "character 1: the side to move is missing"},
        {&variant_international, ":W31:B20", "character 1: the side to move is missing"},
        {&variant_international, "X:W31:B20", "character 1: the side to move is missing"},
        {&variant_international, "w:W31:B20", "character 1: the side to move is 'w': lower case"},
        {&variant_international, "WW:W31:B20", "character 2: a colon"},
        {&variant_international, "W", "character 2: a colon and a side's squares"},
        {&variant_international, "W:W31", "character 6: a colon and the other side's squares"},
        {&variant_international, "W:W31:W20", "character 7: White is named twice"},
        {&variant_international, "W:31:B20", "character 3: the colour of a side is missing"},
        {&variant_international, "W:W31:b20", "character 7: the colour of a side is 'b'"},
        {&variant_international, "W:W51:B20",
         "character 4: unknown square 51: squares are 1 to 50"},
        {&variant_classic, "W:W33:B20", "character 4: unknown square 33: squares are 1 to 32"},
        {&variant_international, "W:W0:B20", "character 4: unknown square 0"},
        {&variant_international, "W:W99999999999999999999:B20", "unknown square 999999999999:"},
        {&variant_international, "W:W31,31:B20", "character 7: square 31 is named twice"},
        {&variant_international, "W:W31:B20,K31", "square 31 is named twice"},
        {&variant_international, "W:W31-35,33:B20", "square 33 is named twice"},
        {&variant_international, "W:W5:B20",
         "a white man cannot stand on 5, its far row: write K5"},
        {&variant_international, "W:W31:B46", "a black man cannot stand on 46"},
        {&variant_classic, "W:W4:B20", "a white man cannot stand on 4"},
        {&variant_flying, "W:W30:B29", "a black man cannot stand on 29"},
        {&variant_international, "W:W35-31:B20", "the range 35-31 runs backwards"},
        {&variant_international, "W:W32-31:B20", "the range 32-31 runs backwards"},
        {&variant_international, "W:Wk31:B20", "lower case is not read: a king is K"},
        {&variant_international, "W:W31-:B20", "character 7: a square number should stand here"},
        {&variant_international, "W:W31,:B20", "character 7: a square number should stand here"},
        {&variant_international, "W:W31-K35:B20", "a square number should stand here"},
        {&variant_international, "W:W-31:B20", "a square number should stand here"},
        {&variant_international, "W:W31 32:B20", "a comma, or a colon"},
        {&variant_international, "W:W31:B20..", "character 11: nothing should follow here"},
        {&variant_international, "W:W31:B20.x", "character 11: nothing should follow here"},
        {&variant_international, "W:W31:B20:H1", "character 10: nothing should follow here"},
        {&variant_international, "W:W31:B20 W", "nothing should follow here"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        struct position position = {.quiet_plies = 77};
        struct err err = {0};
        const struct refused *refused = &REFUSED[i];
        if (fen_read(refused->variant->rules, refused->text, &position, &err)) {
            fail_msg("'%s' was read", refused->text);
        }
        if (!strstr(err.text, refused->reason)) {
            fail_msg("'%s': %s", refused->text, err.text);
        }
        assert_int_equal(err.code, ERR_USAGE);
        assert_int_equal(position.quiet_plies, 77);
    }
}

static void out_and_in(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (uint64_t number = 0; number < 3000; number++) {
            struct position position = random_position(variant_at(v), number, number % 2 == 0);
            char fen[FEN_SIZE];
            fen_write(variant_at(v)->rules, &position, fen);
            struct position back = position_of(variant_at(v), fen);
            assert_true(position_equal(&position, &back));
        }
    }
}

/* The longest FEN there is fits. */
static void full_board(void **state)
{
    struct position full = {0};
    char fen[FEN_SIZE];

    (void)state;
    for (int square = 1; square <= 50; square++) {
        full.kings[square % 2] |= bit(square_to_bit(variant_international.rules, square));
    }
    fen_write(variant_international.rules, &full, fen);
    assert_true(strlen(fen) < FEN_SIZE - 1);
    struct position back = position_of(&variant_international, fen);
    assert_true(position_equal(&full, &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_positions),
        cmocka_unit_test(forms_that_are_read),
        cmocka_unit_test(forms_that_are_refused),
        cmocka_unit_test(out_and_in),
        cmocka_unit_test(full_board),
    };
    return cmocka_run_group_tests_name("fen", tests, NULL, NULL);
}
