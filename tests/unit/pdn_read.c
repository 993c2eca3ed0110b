/* What the PDN reader takes, what it refuses, and that one bad game costs no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pdn_support.h"

/* Start and end of the moves of the first game, as `32-28 19x23`; "" when there is none. */
static void moves_of(const char *text, char *out, size_t size)
{
    struct reading *reading = reading_of(text, strlen(text), NULL);
    size_t used = 0;

    if (reading->faults > 0) {
        fail_msg("'%s': %s", text, reading->fault[0]);
    }
    assert_int_equal(reading->games, 1);
    out[0] = '\0';
    for (int ply = 0; ply < reading->game[0].plies; ply++) {
        const struct rules *rules = reading->game[0].variant->rules;
        const struct move *move = &reading->game[0].moves[ply];
        used += (size_t)snprintf(out + used, size - used, "%s%d%c%d", ply ? " " : "",
                                 bit_to_square(rules, move->from), move->taken ? 'x' : '-',
                                 bit_to_square(rules, move->to));
    }
    reading_fini(reading);
    free(reading);
}

#define OPENING "32-28 19-23 28x19 14x23"

static void spellings(void **state)
{
    static const char *const TEXTS[] = {
        "1. 32-28 19-23 2. 28x19 14x23 *",
        "32-28 19-23 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23 1-0",
        "01. 32-28 19-23 02. 28:19 14:23 1/2-1/2",
        "1. 32-28 {a comment} 19-23 {[%clock w0:01:00 B0:02:10]} 2. 28x19 [%clk 1:20] 14x23 2-0",
        "1. 32-28 { with { an open brace } 19-23 28x19 14x23 0-0",
        "1. 32-28! 19-23?! 2. 28x19(?) 14x23 (!!) 1-1",
        "1. 32-28 $1 $142 19-23 $2 28x19* 14x23* *",
        "1. 32-28 1... 19-23 2. 28x19 2... 14x23 0-2",
        "1. 32-28 ... 19-23 2. ... 28x19 14x23",
        "1. 32 - 28 19- 23 2. 28x 19 14 x23",
        "1. 32-28\r\n19-23\r\n2. 28x19\r\n14x23\r\n*\r\n",
        "1. 32-28\r19-23\r2. 28x19\r14x23\r*\r\x1a",
        "% a line for programs\n1. 32-28 19-23\n% 1. 33-29\n2. 28x19 14x23",
        "1. 32-28 (1. 33-29 19-23 (1... 20-25 1-0) 2. 35-30 *) 19-23 2. 28x19 14x23",
        "[Event \"caf\xe9 { ( \"]\n[GameType \"20,W,10,10,N2,0\"]\n1. 32-28 19-23 28x19 14x23 *",
        "\xef\xbb\xbf[ Event  \"a \\\"name\\\" \\\\\" ]\n32-28 19-23 28x19x23 14x23x19 *",
        "/FEN \"W:W31-50:B1-20\"/ 32-28 19-23 28x19 14x23",
        "[SetUp \"1\"]\n[FEN \"W : W 31-50 : B 1-20 .\"]\n32-28 19-23 28x19 14x23",
        "[Result \"4-6\"]\n[ResultFormat \"ten points\"]\n32-28 19-23 28x19 14x23 4-6",
    };
    char moves[256];

    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        moves_of(TEXTS[i], moves, sizeof moves);
        if (strcmp(moves, OPENING) != 0) {
            fail_msg("'%s' is read as %s", TEXTS[i], moves);
        }
    }
}

static void moves_that_begin_in_the_middle(void **state)
{
    char moves[256];

    (void)state;
    moves_of("[FEN \"B:W32:B7,12\"]\n1. ... 7-11 2. 32-28 11-17 *", moves, sizeof moves);
    assert_string_equal(moves, "7-11 32-28 11-17");
    moves_of("[Rules \"classic\"]\n[FEN \"W:W22,25:B18,K1\"]\n1... 22x15 1-6 *", moves,
             sizeof moves);
    assert_string_equal(moves, "22x15 1-6");
    moves_of("32-28 19-23 /FEN \"B:W32:B7,12\"/ 7-11 *", moves, sizeof moves);
    assert_string_equal(moves, "7-11");
}

static void faults_with_their_place(void **state)
{
    (void)state;
    check_fault("32-28\n19-23 {x} (18-22) 28x19\n*", 0, NULL);
    check_fault("32-28\n19-22\n28x19\n14x23 *", 2, "'19-22' is not legal here; legal are ");
    check_fault("32-28 19-23\n\n33-29 *", 3, "a capture is compulsory, 28x19x23");
    check_fault("32-28 19-23 28-19 14x23 *", 1, "'28-19' is a capture: it is written 28x19");
    check_fault("32x28 19-23 *", 1, "'32x28' is no capture: it is written 32-28");
    check_fault("32-28\n(33-29 20-14)\n19-23 *", 2, "'20-14' is not legal");
    check_fault("32-28 (33-29\n(34-29 20-14)\n20-24 29x20) 19-23 *", 2, "'20-14'");
    check_fault("32-28 19-22 (33-29 20-14) 3-4 *", 1, "'19-22'");
    check_fault("32-28 {a {b} c}\n19-23 *", 1, "'c': neither a move");
    check_fault("32-28 19-23\n{ no end", 2, "the comment is not closed by }");
    check_fault("32-28 19-23 }", 1, "} closes no comment");
    check_fault("32-28 ) 19-23", 1, "')' closes no variation");
    check_fault("32-28\n( 33-29 20-25 *", 2, "the variation is not closed");
    check_fault("[Event \"x]\n32-28 *", 1, "not a tag; a tag is [Name \"value\"]");
    check_fault("[Event x]\n32-28 *", 1, "not a tag");
    check_fault("[Result \"4-6\"]\n32-28 4-6", 1, "Result \"4-6\" is of no known system");
    check_fault("[Result \"1-0\"]\n32-28\n0-2", 3, "end in 0-2, but Result is \"1-0\"");
    check_fault("[Result \"\x1b[2J\x7f\"]\n32-28 *", 1, "Result \"?[2J?\" is of no known system");
    check_fault("[GameType \"25\"]\n22-18 *", 1, "GameType \"25\" is not played here");
    check_fault("[GameType \"20\"]\n[FEN \"W:W31:B9,9\"]\n31-27 *", 2, "square 9 is named twice");
    check_fault("32-28 /FEN \"W:W31\" 19-23", 1, "not a position");
    check_fault("32-28 19 23", 1, "'19': neither a move like 32-28");
    check_fault("32-28 -- 19-23", 1, "'--'");
    check_fault("32-28 132-28", 1, "'132-28'");
    check_fault("32-28-23", 1, "'32-28-23'");
    check_fault("32-28 c3-d4\xe9", 1, "'c3-d4?'");
    check_fault(
        "1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16x17x18x19x20x21x22x23x24x25x26x27x28x29x30x31"
        "x32x33x34x35",
        1, "neither");
}

/* W:WK4: the king takes three, by way of 32 or 37. */
static void ambiguous_captures(void **state)
{
    static const char HEAD[] = "[GameType \"20\"]\n[FEN \"W:WK4:B13,32,37,20\"]\n";
    static const struct {
        const char *move, *what;
    } CASES[] = {
        {"4x15", "'4x15' is ambiguous: it fits 4x27x38x15, 4x31x42x15"},
        {"4x18x15", "is not legal"},
        {"4x27x15", NULL},
        {"4x31x15", NULL},
        {"4x27x38x15", NULL},
        {"4x15x13x20x37", NULL},
        {"4x15x37x20x13", NULL},
    };
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        snprintf(text, sizeof text, "%s%s *", HEAD, CASES[i].move);
        check_fault(text, 3, CASES[i].what);
    }
}

static void bad_games_among_good_ones(void **state)
{
    static const char *const BAD[] = {
        "[Event \"x\"]\n1. 32-28 32-28 19-23 1-0\n",
        "[Event \"x\"]\n1. 32-28 { never closed\n19-23 1-0\n",
        "[Event \"x\"]\n1. 32-28 (33-29 (34-30 19-23 1-0\n",
        "[Event \"x\"]\n1. 32-28 19-23\n",
        "[Event \"x]\n1. 32-28 19-23 1-0\n",
        "[Event \"x\"]\n[GameType \"40\"]\n1. 32-28 19-23 1-0\n",
        "[Event \"x\"]\n[FEN \"W:W31:K\"]\n1. 32-28 19-23 1-0\n",
        "[Event \"x\"]\nprose instead of moves, 32 of them\n1-0\n",
        "[Event \"x\"]\n1. 32-28 /FEN \"W:W31\n19-23 1-0\n",
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        snprintf(text, sizeof text, "[Event \"a\"]\n32-28 19-23 *\n%s[Event \"b\"]\n33-29 *\n",
                 BAD[i]);
        struct reading *reading = reading_of(text, strlen(text), NULL);
        assert_int_equal(reading->games, 3);
        if (reading->faults != 1 || reading->fault_game[0] != 2) {
            fail_msg("'%s': %d faults, first in game %d: %s", text, reading->faults,
                     reading->fault_game[0], reading->fault[0]);
        }
        assert_int_equal(reading->game[0].plies, 2);
        assert_int_equal(reading->game[2].plies, 1);
        reading_fini(reading);
        free(reading);
    }
}

static void game_types(void **state)
{
    static const struct {
        const char *text;
        const struct variant *given, *variant;
    } CASES[] = {
        {"32-28 *", NULL, &variant_international},
        {"11-15 *", NULL, &variant_classic},
        {"22-17 *", NULL, &variant_flying},
        {"[FEN \"W:WK32:B9\"]\n32-28 *", NULL, &variant_international},
        {"[FEN \"W:WK30:B9\"]\n30-26 *", NULL, &variant_classic},
        {"[FEN \"W:WK30:B9\"]\n30-26 9-13 26-19 *", NULL, &variant_flying},
        {"[FEN \"W:WK30:B9\"]\n30-26 *", &variant_flying, &variant_flying},
        {"[Rules \"flying\"]\n[FEN \"W:WK30:B9\"]\n30-26 *", NULL, &variant_flying},
        {"[Rules \"flying\"]\n22-17 *", &variant_classic, &variant_flying},
        {"[Rules \"of the club\"]\n[GameType \"21\"]\n11-15 *", NULL, &variant_classic},
        {"[GameType \"21,B,8,8,N1,0\"]\n*", &variant_flying, &variant_classic},
        {"[GameType \"20\"]\n*", NULL, &variant_international},
        {"[White \"x\"]\n*", NULL, &variant_international},
    };

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct reading *reading = reading_of(CASES[i].text, strlen(CASES[i].text), CASES[i].given);
        if (reading->games != 1 || reading->faults > 0 ||
            reading->game[0].variant != CASES[i].variant) {
            fail_msg("'%s': %s; %s", CASES[i].text,
                     reading->games ? reading->game[0].variant->rules->name : "no game",
                     reading->fault[0]);
        }
        reading_fini(reading);
        free(reading);
    }
}

static void outcomes(void **state)
{
    static const struct {
        const char *text;
        enum outcome outcome;
    } CASES[] = {
        {"32-28 1-0", OUTCOME_WHITE_WINS},
        {"32-28 0-2", OUTCOME_BLACK_WINS},
        {"32-28 1-1", OUTCOME_DRAW},
        {"32-28 0-0", OUTCOME_OPEN},
        {"32-28", OUTCOME_OPEN},
        {"[Result \"2-0\"]\n32-28 *", OUTCOME_WHITE_WINS},
        {"[Result \"2-0\"]\n32-28 1-0", OUTCOME_WHITE_WINS},
        {"[Result \"*\"]\n32-28 1-0", OUTCOME_WHITE_WINS},
        {"[Result \"1-0\"]\n11-15 *", OUTCOME_BLACK_WINS},
        {"[Result \"0-1\"]\n11-15 *", OUTCOME_WHITE_WINS},
        {"[Result \"1-0\"]\n22-17 *", OUTCOME_WHITE_WINS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct reading *reading = reading_of(CASES[i].text, strlen(CASES[i].text), NULL);
        assert_int_equal(reading->faults, 0);
        assert_int_equal(reading->outcome[0], CASES[i].outcome);
        reading_fini(reading);
        free(reading);
    }
}

/* The result behind a variation that is not closed is the game's. */
static void result_after_open_variation(void **state)
{
    static const char TEXT[] = "32-28 (33-29 19-23 2-0\n[Event \"b\"]\n33-29 *";
    struct reading *reading = reading_of(TEXT, strlen(TEXT), NULL);

    (void)state;
    assert_int_equal(reading->games, 2);
    assert_int_equal(reading->faults, 1);
    assert_int_equal(reading->outcome[0], OUTCOME_WHITE_WINS);
    reading_fini(reading);
    free(reading);
}

/* Deeper than anyone nests, and far deeper. */
static void nesting(void **state)
{
    enum { DEEP = 200000 };
    static const int DEPTHS[] = {60, DEEP};
    const size_t size = 2 * DEEP + 64;
    char *text = malloc(size);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof DEPTHS / sizeof DEPTHS[0]; i++) {
        int depth = DEPTHS[i];
        int used = snprintf(text, size, "32-28 ");
        memset(text + used, '(', (size_t)depth);
        memset(text + used + depth, ')', (size_t)depth);
        used += 2 * depth;
        snprintf(text + used, size - (size_t)used, " 19-23 *");
        struct reading *reading = reading_of(text, strlen(text), NULL);
        assert_int_equal(reading->games, 1);
        assert_int_equal(reading->moves, 2);
        assert_int_equal(reading->faults, depth == DEEP);
        reading_fini(reading);
        free(reading);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings),
        cmocka_unit_test(moves_that_begin_in_the_middle),
        cmocka_unit_test(faults_with_their_place),
        cmocka_unit_test(ambiguous_captures),
        cmocka_unit_test(bad_games_among_good_ones),
        cmocka_unit_test(game_types),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(result_after_open_variation),
        cmocka_unit_test(nesting),
    };
    return cmocka_run_group_tests_name("pdn_read", tests, NULL, NULL);
}
