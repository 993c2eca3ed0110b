/* JSON as text: whatever is written, a parser reads the same back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemon/think/describe.h"
#include "engine/base/number.h"
#include "engine/rules/fen.h"

static void test_nested_values(void **state)
{
    struct json_out out = out_begin(1); /* it grows */

    (void)state;
    out_open(&out, '{');
    out_member_number(&out, "ply", -3);
    out_key(&out, "none");
    out_null(&out);
    out_key(&out, "lists");
    out_open(&out, '[');
    out_open(&out, '[');
    out_close(&out, ']');
    out_open(&out, '[');
    out_number(&out, 1);
    out_number(&out, 20);
    out_close(&out, ']');
    out_open(&out, '{');
    out_close(&out, '}');
    out_close(&out, ']');
    out_member_text(&out, "text", "[\"\\\n\x01{ü:");
    out_member_text(&out, "empty", "");
    out_close(&out, '}');
    struct response response = out_response(&out, 201);
    assert_int_equal(response.status, 201);
    assert_string_equal(response.content_type, "application/json");
    static const char WANTED[] = "{\"ply\":-3,\"none\":null,\"lists\":[[],[1,20],{}],"
                                 "\"text\":\"[\\\"\\\\\\u000a\\u0001{ü:\",\"empty\":\"\"}";
    assert_int_equal(response.body_size, sizeof WANTED - 1);
    assert_memory_equal(response.body, WANTED, sizeof WANTED - 1);
    json_t *read = json_loadb(response.body, response.body_size, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(read, "text")), "[\"\\\n\x01{ü:");
    json_decref(read);
    response_fini(&response);
}

static void test_numbers(void **state)
{
    static const int64_t NUMBERS[] = {0, 7, 9, 10, 50, 99, 100, -1, -10, INT64_MAX, INT64_MIN};

    (void)state;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        char wrote[NUMBER_TEXT + 1], wanted[NUMBER_TEXT + 1];
        wrote[number_write(wrote, NUMBERS[i])] = '\0';
        snprintf(wanted, sizeof wanted, "%" PRId64, NUMBERS[i]);
        assert_string_equal(wrote, wanted);
    }
}

/* A position with captures, kings and many paths is what the parser makes of it. */
static void test_moves_are_json(void **state)
{
    static const char *const FENS[] = {"W:WK4:B13,32,37,20", "W:W48:B42,43,32,33", "W:W:B5",
                                       "B:WK1,21:BK50"};

    (void)state;
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        struct position start;
        struct game game;
        struct err err;
        char fen[FEN_SIZE];
        assert_true(fen_read(variant_international.rules, FENS[i], &start, &err));
        assert_true(game_init(&game, &variant_international, &start));
        json_t *made = describe_moves(&game);
        assert_non_null(made);
        fen_write(variant_international.rules, &start, fen);
        assert_string_equal(json_string_value(json_object_get(made, "fen")), fen);
        json_decref(made);
        game_fini(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_values),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_moves_are_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
