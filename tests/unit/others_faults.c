/* Faults that other draughts programs have had in what they read, each by a test of its name. Those
 * of move generators are in tests/data/rules/mistakes.tsv, those that need a running program in
 * tests/cli/hub.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/pdn/pdn_move.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"
#include "hub_support.h"
#include "support.h"

/* --- positions ---------------------------------------------------------------------------------*/

static void a_side_without_pieces_is_refused(void **state)
{
    (void)state;
    struct position position = position_of(&variant_international, "B:W:B5");
    assert_int_equal(bit_count(pieces_all(&position)), 1);
    position = position_of(&variant_international, "W:W31:B");
    assert_int_equal(bit_count(pieces_all(&position)), 1);
}

static void a_side_named_twice_is_read(void **state)
{
    static const char *const TEXTS[] = {"WW:W31:B5", "W:W31:W32:B5", "W:W31:B5:B6", "W:WW31:B5"};
    struct position position;

    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        assert_false(fen_read(variant_international.rules, TEXTS[i], &position, NULL));
    }
}

/* Each beginning of a FEN is read from memory that ends with it. */
static void the_reader_runs_past_the_end(void **state)
{
    static const char FEN[] = "W:WK28,31-33:B1,2,K45.";
    struct position position;

    (void)state;
    for (size_t length = 0; length < sizeof FEN; length++) {
        char *part = malloc(length + 1);
        assert_non_null(part);
        memcpy(part, FEN, length);
        part[length] = '\0';
        bool whole = length >= strlen("W:WK28,31-33:B");
        bool dangling = length > 0 && strchr(",K", part[length - 1]) != NULL;
        assert_int_equal(fen_read(variant_international.rules, part, &position, NULL),
                         whole && !dangling);
        free(part);
    }
}

/* --- moves -------------------------------------------------------------------------------------*/

/* Reads the text as this project's notation and as PDN's: as the move in the machine form, or, with
 * NULL, as none. */
static void reads_as(const struct variant *variant, const char *fen, const char *text,
                     const char *expected)
{
    struct position position = position_of(variant, fen);
    struct pdn_lexer lexer = pdn_lexer_start(text, strlen(text));
    struct pdn_token token = pdn_next(&lexer);
    struct move move, by_pdn;
    char written[MOVE_TEXT];

    assert_int_equal(token.kind, PDN_MOVE);
    bool read = move_read(variant, &position, text, &move, NULL);
    bool read_by_pdn = pdn_move_read(variant, &position, &token.squares, &by_pdn, NULL);
    if (read != (expected != NULL) || read_by_pdn != read) {
        fail_msg("%s in %s is read: %d, as PDN: %d", text, fen, read, read_by_pdn);
    }
    if (read) {
        move_write(variant->rules, &move, written);
        assert_string_equal(written, expected);
        assert_true(move_equal(&move, &by_pdn));
    }
}

static void an_unfinished_capture_is_taken(void **state)
{
    (void)state;
    reads_as(&variant_international, "W:W28:B22,12", "28x17", NULL);
    reads_as(&variant_international, "W:W28:B22,12", "28x17x22", NULL);
    reads_as(&variant_international, "W:W28:B22,12", "28x8", "28x8x12x22");
    reads_as(&variant_classic, "B:W15,23:B10", "10x19", NULL);
    reads_as(&variant_classic, "B:W15,23:B10", "10x26", "10x26x15x23");
}

static void an_ambiguous_capture_is_silently_chosen(void **state)
{
    static const char FEN[] = "W:WK4:B13,32,37,20";

    (void)state;
    reads_as(&variant_international, FEN, "4x15", NULL);
    reads_as(&variant_international, FEN, "4x27x38x15", "4x15x13x20x32");
    reads_as(&variant_international, FEN, "4x31x42x15", "4x15x13x20x37");
}

static void an_ambiguous_capture_is_written_without_its_way(void **state)
{
    struct position position = position_of(&variant_international, "W:WK4:B13,32,37,20");
    struct move move;
    char text[PDN_MOVE_TEXT];

    (void)state;
    assert_true(move_read(&variant_international, &position, "4x15x13x20x32", &move, NULL));
    pdn_move_write(&variant_international, &position, &move, text);
    assert_string_equal(text, "4x27x38x15");
}

static void a_capture_back_to_its_start_is_missing(void **state)
{
    (void)state;
    reads_as(&variant_international, "W:WK20,25,31,37:B2,K6,14,17,24,26,27", "20x20",
             "20x20x14x17x24x27");
    reads_as(&variant_international, "W:W27:B21,11,12,22", "27x27", "27x27x11x12x21x22");
}

static void a_stale_move_is_taken(void **state)
{
    struct position start = position_start(variant_international.rules);
    struct game game;

    (void)state;
    assert_true(game_init(&game, &variant_international, &start));
    assert_true(game_play_text(&game, "32-28", NULL));
    assert_false(game_play_text(&game, "32-28", NULL));
    assert_false(game_play_text(&game, "28-23", NULL));
    assert_int_equal(game.plies, 1);
    game_fini(&game);
}

/* The longest captures known to us take nineteen pieces, nearly one for each man of a side. */
static void a_long_capture_outgrows_its_text(void **state)
{
    static const char FEN[] = "W:WK5,K28,K40:BK1,K3,K8,K9,K10,K11,K12,K19,K20,K21,K22,K23,K30,K31,"
                              "K32,K33,K34,K37,K39,K41,K42,K43,K44,K46,K48,K50";
    struct position position = position_of(&variant_international, FEN);
    struct move_list list;

    (void)state;
    variant_international.moves(&position, &list);
    assert_int_equal(bit_count(list.move[0].taken), 19);
    for (int i = 0; i < list.count; i++) {
        char text[MOVE_TEXT];
        move_write(variant_international.rules, &list.move[i], text);
        reads_as(&variant_international, FEN, text, text);
    }
}

/* --- Hub ---------------------------------------------------------------------------------------*/

/* What a line is answered and asks for. */
static void answers(struct session *session, const char *text, enum hub_action action,
                    const char *begin)
{
    assert_int_equal(take(session, text), action);
    if (strncmp(session->answer, begin, strlen(begin)) != 0 ||
        (begin[0] == '\0' && session->answer[0] != '\0')) {
        fail_msg("'%s' is answered '%s', not '%s'", text, session->answer, begin);
    }
}

static void an_open_quote_aborts(void **state)
{
    answers(*state, "pos pos=\"W", HUB_NOTHING, "error message=\"");
    answers(*state, "\"", HUB_NOTHING, "error message=\"");
    answers(*state, "ping", HUB_NOTHING, "pong\n");
}

static void a_number_that_is_none_aborts(void **state)
{
    answers(*state, "level depth=abc", HUB_NOTHING, "error message=\"");
    answers(*state, "set-param name=tt-size value=many", HUB_NOTHING, "error message=\"");
    answers(*state, "ping", HUB_NOTHING, "pong\n");
}

static void go_before_init_crashes(void **state)
{
    answers(*state, "go think", HUB_NOTHING, "error message=\"");
    answers(*state, "ping", HUB_NOTHING, "pong\n");
}

static void an_unknown_variant_ends_the_program(void **state)
{
    answers(*state, "set-param name=variant value=chess", HUB_NOTHING, "error message=\"");
    answers(*state, "init", HUB_INITIALISE, "");
}

static void an_unknown_command_is_an_error(void **state)
{
    answers(*state, "castle side=king", HUB_NOTHING, "");
}

/* The `done` is owed, but what to play is told by an error. */
static void no_legal_move_is_passed_over(void **state)
{
    struct session *session = *state;

    assert_true(hub_initialised(&session->hub, NULL));
    answers(session, "pos pos=Weeeeeeeeeeeeeeeeeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeeee", HUB_NOTHING,
            "");
    answers(session, "go think", HUB_NOTHING, "error message=\"");
    assert_non_null(strstr(session->answer, "\ndone\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_without_pieces_is_refused),
        cmocka_unit_test(a_side_named_twice_is_read),
        cmocka_unit_test(the_reader_runs_past_the_end),
        cmocka_unit_test(an_unfinished_capture_is_taken),
        cmocka_unit_test(an_ambiguous_capture_is_silently_chosen),
        cmocka_unit_test(an_ambiguous_capture_is_written_without_its_way),
        cmocka_unit_test(a_capture_back_to_its_start_is_missing),
        cmocka_unit_test(a_stale_move_is_taken),
        cmocka_unit_test(a_long_capture_outgrows_its_text),
        cmocka_unit_test_setup_teardown(an_open_quote_aborts, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(a_number_that_is_none_aborts, setup_session,
                                        teardown_session),
        cmocka_unit_test_setup_teardown(go_before_init_crashes, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(an_unknown_variant_ends_the_program, setup_session,
                                        teardown_session),
        cmocka_unit_test_setup_teardown(an_unknown_command_is_an_error, setup_session,
                                        teardown_session),
        cmocka_unit_test_setup_teardown(no_legal_move_is_passed_over, setup_session,
                                        teardown_session),
    };
    return cmocka_run_group_tests_name("others_faults", tests, NULL, NULL);
}
