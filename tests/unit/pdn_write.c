/* What the PDN writer writes, and that out and in is the same game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/pdn/pdn_move.h"
#include "engine/pdn/pdn_write.h"
#include "pdn_support.h"
#include "support.h"

/* Some games written one behind the other. */
struct sheet {
    FILE *out;
    char *text;
    size_t size;
};

static void sheet_open(struct sheet *sheet)
{
    sheet->out = open_memstream(&sheet->text, &sheet->size);
    assert_non_null(sheet->out);
}

static void sheet_close(struct sheet *sheet)
{
    assert_int_equal(fclose(sheet->out), 0);
}

static void check_written(const struct variant *variant, const char *fen, const char *moves,
                          const struct pdn_note *notes, const char *wanted)
{
    static const struct pdn_tag TAGS[] = {{"Event", "a \"b\" \\\n"}, {"Result", "mine"}};
    struct position start = fen ? position_of(variant, fen) : position_start(variant->rules);
    struct sheet sheet;
    struct game game;
    struct err err = {0};

    assert_true(game_init(&game, variant, &start));
    if (!game_play_text(&game, moves, &err)) {
        fail_msg("%s", err.text);
    }
    sheet_open(&sheet);
    pdn_write(sheet.out, TAGS, 2, &game, OUTCOME_WHITE_WINS, notes);
    sheet_close(&sheet);
    assert_string_equal(sheet.text, wanted);
    free(sheet.text);
    game_fini(&game);
}

#define EVENT "[Event \"a \\\"b\\\" \\\\ \"]\n"

static void written_forms(void **state)
{
    static const struct pdn_note NOTES[] = {{12, 0, -1},
                                            {-30, 13, 82413},
                                            {SCORE_NONE, 5, 5},
                                            {29997, 127, 36061000001},
                                            {-29996, 0, 0}};

    (void)state;
    check_written(&variant_international, NULL, "32-28 19-23 28x19 14x23", NULL,
                  EVENT "[Result \"2-0\"]\n[GameType \"20\"]\n\n"
                        "1. 32-28 19-23 2. 28x19 14x23 *\n\n");
    check_written(&variant_classic, NULL, "11-15 23-19", NULL,
                  EVENT "[Result \"0-1\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 *\n\n");
    check_written(&variant_flying, "B:WK32,28:B9,K1", "9-13 28-24", NULL,
                  EVENT "[Result \"1-0\"]\n[Rules \"flying\"]\n[SetUp \"1\"]\n"
                        "[FEN \"B:W28,K32:BK1,9\"]\n\n1... 9-13 2. 28-24 *\n\n");
    check_written(&variant_international, NULL, "33-29 17-22 39-33 11-17 44-39", NOTES,
                  EVENT
                  "[Result \"2-0\"]\n[GameType \"20\"]\n\n"
                  "1. 33-29 {[%eval 0.12]} 17-22 {[%eval 0.30,13] [%emt 0:00:00.082413]} 2. 39-33\n"
                  "11-17 {[%eval #-2,127] [%emt 10:01:01.000001]} 3. 44-39\n"
                  "{[%eval #-2] [%emt 0:00:00.000000]} *\n\n");
}

static void check_capture(const struct variant *variant, const char *fen, const char *machine,
                          const char *wanted)
{
    struct position position = position_of(variant, fen);
    struct move move;
    char text[PDN_MOVE_TEXT];

    assert_true(move_read(variant, &position, machine, &move, NULL));
    pdn_move_write(variant, &position, &move, text);
    assert_string_equal(text, wanted);
}

static void captures(void **state)
{
    static const char DIAGRAM[] = "W:WK47:B14,19,27,29,42";

    (void)state;
    check_capture(&variant_international, "W:W32:B1", "32-28", "32-28");
    check_capture(&variant_international, "W:W28:B23,14", "28x10x14x23", "28x10");
    check_capture(&variant_international, DIAGRAM, "47x36x19x27x29x42", "47x38x24x13x36");
    check_capture(&variant_international, DIAGRAM, "47x36x14x27x29x42", "47x38x20x9x36");
    check_capture(&variant_international, "W:WK4:B13,32,37,20", "4x15x13x20x32", "4x27x38x15");
    check_capture(&variant_international, "B:WK7,21,22,39:BK16", "16x1x7x21x22", "16x27x18x1");
}

/* Whether the games are the same, the counter of the 25-move rule of the start aside. */
static bool same_game(const struct game *a, const struct game *b)
{
    if (a->variant != b->variant || a->plies != b->plies ||
        !position_equal(&a->positions[0], &b->positions[0])) {
        return false;
    }
    for (int ply = 0; ply < a->plies; ply++) {
        if (!move_equal(&a->moves[ply], &b->moves[ply])) {
            return false;
        }
    }
    return true;
}

/* Tags are lines of any length. */
static void check_columns(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (line[0] != '[' && strcspn(line, "\n") >= 80) {
            fail_msg("%zu columns: %.100s", strcspn(line, "\n"), line);
        }
    }
}

enum { BATCH = 200, POSITIONS = 40000, PLIES = 200 };

/* A game that begins with a capture for which the ends do not suffice; false when the position of
 * that number has none. */
static bool ambiguous_game(const struct variant *variant, uint64_t number, struct game *game)
{
    struct position position = random_position(variant, number, true);
    struct move_list list;

    variant->moves(&position, &list);
    for (int i = 0; i < list.count && list.move[i].taken; i++) {
        char text[PDN_MOVE_TEXT];
        pdn_move_write(variant, &position, &list.move[i], text);
        if (strchr(text, 'x') != strrchr(text, 'x')) {
            assert_true(game_init(game, variant, &position));
            assert_true(game_play(game, &list.move[i]));
            return true;
        }
    }
    return false;
}

/* Games of one rule set out, in, and out again. They are ended. */
static void check_round_trip(struct game *games, int count)
{
    static const struct pdn_tag TAGS[] = {{"Event", "x"}};
    static const struct pdn_note NOTES[PLIES];
    struct sheet sheet, again;

    sheet_open(&sheet);
    for (int i = 0; i < count; i++) {
        pdn_write(sheet.out, TAGS, 1, &games[i], game_outcome(&games[i], NULL),
                  i % 2 ? NOTES : NULL);
    }
    sheet_close(&sheet);
    check_columns(sheet.text);

    struct reading *reading = reading_of(sheet.text, sheet.size, NULL);
    if (reading->faults > 0) {
        fail_msg("%d: %s", reading->fault_line[0], reading->fault[0]);
    }
    assert_int_equal(reading->games, count);
    sheet_open(&again);
    for (int i = 0; i < count; i++) {
        assert_true(same_game(&games[i], &reading->game[i]));
        assert_int_equal(reading->outcome[i], game_outcome(&games[i], NULL));
        pdn_write(again.out, TAGS, 1, &reading->game[i], reading->outcome[i], i % 2 ? NOTES : NULL);
        game_fini(&games[i]);
    }
    sheet_close(&again);
    assert_string_equal(sheet.text, again.text);
    reading_fini(reading);
    free(reading);
    free(sheet.text);
    free(again.text);
}

static void random_games_out_and_in(void **state)
{
    struct game games[BATCH];

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int scattered = 0; scattered < 2; scattered++) {
            for (uint64_t i = 0; i < BATCH; i++) {
                games[i] = random_game(variant_at(v), i, scattered != 0, PLIES);
            }
            check_round_trip(games, BATCH);
        }
    }
}

static void ambiguous_games_out_and_in(void **state)
{
    struct game games[BATCH];

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        int count = 0;
        for (uint64_t number = 0; number < POSITIONS && count < BATCH; number++) {
            count += ambiguous_game(variant_at(v), number, &games[count]);
        }
        /* Kings that fly have many ways, others few. */
        assert_true(count >= (variant_at(v)->rules->flying_kings ? 50 : 3));
        check_round_trip(games, count);
    }
}

/* Every legal move of positions full of kings reads back from what is written. */
static void moves_out_and_in(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (uint64_t number = 0; number < 4000; number++) {
            struct position position = random_position(variant, number, true);
            struct move_list list;
            variant->moves(&position, &list);
            for (int i = 0; i < list.count; i++) {
                char text[PDN_MOVE_TEXT];
                struct move move;
                struct err err = {0};
                pdn_move_write(variant, &position, &list.move[i], text);
                struct pdn_lexer lexer = pdn_lexer_start(text, strlen(text));
                struct pdn_token token = pdn_next(&lexer);
                assert_int_equal(token.kind, PDN_MOVE);
                if (!pdn_move_read(variant, &position, &token.squares, &move, &err)) {
                    fail_msg("%s", err.text);
                }
                assert_true(move_equal(&move, &list.move[i]));
            }
        }
    }
}

/* Without its tag, a game from the opening is known by its first move. */
static void detected(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (uint64_t number = 0; number < 50; number++) {
            struct position start = position_start(variant_at(v)->rules);
            struct game game;
            struct sheet sheet;
            assert_true(game_init(&game, variant_at(v), &start));
            for (uint64_t ply = 0; ply < 20; ply++) {
                struct move_list list;
                game.variant->moves(game_now(&game), &list);
                assert_true(game_play(&game, &list.move[(number + ply) % (uint64_t)list.count]));
            }
            sheet_open(&sheet);
            pdn_write(sheet.out, NULL, 0, &game, OUTCOME_OPEN, NULL);
            sheet_close(&sheet);
            const char *moves = strstr(sheet.text, "\n\n");
            struct reading *reading = reading_of(moves, strlen(moves), NULL);
            assert_true(same_game(&game, &reading->game[0]));
            reading_fini(reading);
            free(reading);
            free(sheet.text);
            game_fini(&game);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_forms),           cmocka_unit_test(captures),
        cmocka_unit_test(random_games_out_and_in), cmocka_unit_test(ambiguous_games_out_and_in),
        cmocka_unit_test(moves_out_and_in),        cmocka_unit_test(detected),
    };
    return cmocka_run_group_tests_name("pdn_write", tests, NULL, NULL);
}
