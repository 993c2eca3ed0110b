/* Games: repetition, the 25-move rule, and loss before draw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rules/game.h"
#include "support.h"

static void start(struct game *game, const struct variant *variant, const char *fen)
{
    struct position position = position_of(variant, fen);
    assert_true(game_init(game, variant, &position));
}

static void play(struct game *game, const char *moves)
{
    struct err err = {0};
    if (!game_play_text(game, moves, &err)) {
        fail_msg("%s", err.text);
    }
}

static void third_time_is_a_draw(void **state)
{
    static const char ROUND[] = "46-41 1-7 41-46 7-1";
    struct game game;
    enum end_reason reason;

    (void)state;
    start(&game, &variant_international, "W:WK46,31:BK1,20");
    play(&game, ROUND);
    assert_int_equal(game_repetitions(&game), 2);
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_OPEN);
    assert_int_equal(reason, END_NONE);
    play(&game, ROUND);
    assert_int_equal(game_repetitions(&game), 3);
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_DRAW);
    assert_int_equal(reason, END_REPETITION);
    game_take_back(&game);
    assert_int_equal(game_outcome(&game, NULL), OUTCOME_OPEN);
    game_fini(&game);
}

/* The same placement with the other side to move is another position. */
static void side_to_move_counts(void **state)
{
    struct game game;

    (void)state;
    /* White needs three moves for what it could do in two, Black two for two. */
    start(&game, &variant_classic, "W:WK29:BK4");
    play(&game, "29-25 4-8 25-21 8-4 21-25 4-8 25-29 8-4");
    assert_int_equal(game_repetitions(&game), 2);
    game_fini(&game);

    start(&game, &variant_international, "W:WK46:BK4");
    play(&game, "46-37 4-9 37-41 9-4 41-46");
    assert_int_equal(game_now(&game)->turn, BLACK);
    assert_int_equal(game_repetitions(&game), 1);
    game_fini(&game);
}

/* A man's move ends the chance of a repetition; the count starts anew. */
static void man_move_starts_anew(void **state)
{
    struct game game;

    (void)state;
    start(&game, &variant_international, "W:WK46,31:BK1,20");
    play(&game, "46-41 1-7 41-46 7-1 31-27 20-25");
    assert_int_equal(game_now(&game)->quiet_plies, 0);
    play(&game, "46-41 1-7 41-46 7-1");
    assert_int_equal(game_now(&game)->quiet_plies, 4);
    assert_int_equal(game_repetitions(&game), 2);
    game_fini(&game);
}

/* Plays king moves without a repetition until the counter stands at `plies`. */
static void wander(struct game *game, int plies)
{
    while (game_now(game)->quiet_plies < plies) {
        struct move_list list;
        game->variant->moves(game_now(game), &list);
        int chosen = -1;
        for (int i = 0; i < list.count && chosen < 0; i++) {
            bool man = (game_now(game)->men[game_now(game)->turn] & bit(list.move[i].from)) != 0;
            if (list.move[i].taken || man) {
                continue;
            }
            assert_true(game_play(game, &list.move[i]));
            struct move_list replies;
            game->variant->moves(game_now(game), &replies);
            if (game_repetitions(game) == 1 && replies.count > 0 && !replies.move[0].taken) {
                chosen = i;
            } else {
                game_take_back(game);
            }
        }
        assert_true(chosen >= 0);
    }
}

static void fifty_quiet_plies_are_a_draw(void **state)
{
    struct game game;
    enum end_reason reason;

    (void)state;
    start(&game, &variant_international, "W:WK46,K47:BK1,K2");
    wander(&game, 49);
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_OPEN);
    wander(&game, 50);
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_DRAW);
    assert_int_equal(reason, END_QUIET);
    game_fini(&game);
}

/* The side that is stalemated or bare by the fiftieth quiet ply has lost all the same. */
static void loss_comes_before_draw(void **state)
{
    struct game game;
    enum end_reason reason;
    (void)state;
    struct position bare = position_of(&variant_international, "B:WK1:B");
    bare.quiet_plies = 50;
    assert_true(game_init(&game, &variant_international, &bare));
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_WHITE_WINS);
    assert_int_equal(reason, END_NO_PIECES);
    game_fini(&game);

    struct position stuck = position_of(&variant_international, "W:W26:B21,17,K2");
    stuck.quiet_plies = 50;
    assert_true(game_init(&game, &variant_international, &stuck));
    assert_int_equal(game_outcome(&game, &reason), OUTCOME_BLACK_WINS);
    assert_int_equal(reason, END_NO_MOVES);
    game_fini(&game);
}

static void bad_moves_are_named(void **state)
{
    struct game game;
    struct err err = {0};

    (void)state;
    start(&game, &variant_international, "W:W31-50:B1-20");
    assert_false(game_play_text(&game, " 32-28  19-23\t28x19 14x24", &err));
    assert_string_equal(err.text,
                        "move 4: '14x24' is not legal here; legal are 13x24x19, 14x23x19");
    assert_int_equal(game.plies, 3);
    assert_false(game_play_text(
        &game,
        "1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16x17x18x19x20x21x22x23x24x25x26x27x28x29x30x31",
        &err));
    assert_non_null(strstr(err.text, "move 1"));
    assert_true(game_play_text(&game, "", &err));
    game_fini(&game);
}

/* A game longer than any first allocation; taken back to the start it is as it was. */
static void long_games(void **state)
{
    struct game game;

    (void)state;
    start(&game, &variant_flying, "W:WK29,31:BK2,12");
    for (int i = 0; i < 100; i++) {
        play(&game, "29-25 2-6 25-29 6-2");
    }
    assert_int_equal(game.plies, 400);
    assert_int_equal(game_now(&game)->quiet_plies, UINT8_MAX);
    while (game.plies > 0) {
        game_take_back(&game);
    }
    assert_int_equal(game_now(&game)->quiet_plies, 0);
    assert_int_equal(game_outcome(&game, NULL), OUTCOME_OPEN);
    game_fini(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(third_time_is_a_draw),
        cmocka_unit_test(side_to_move_counts),
        cmocka_unit_test(man_move_starts_anew),
        cmocka_unit_test(fifty_quiet_plies_are_a_draw),
        cmocka_unit_test(loss_comes_before_draw),
        cmocka_unit_test(bad_moves_are_named),
        cmocka_unit_test(long_games),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
