/* What the tests of PDN share. */
#include "pdn_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void keep_fault(void *context, int line, int game, const char *what)
{
    struct reading *reading = context;

    if (reading->faults < FAULTS_KEPT) {
        reading->fault_line[reading->faults] = line;
        reading->fault_game[reading->faults] = game;
        snprintf(reading->fault[reading->faults], FAULT_TEXT, "%s", what);
    }
    reading->faults++;
}

static bool keep_game(void *context, const struct pdn_game *game, struct err *err)
{
    struct reading *reading = context;

    (void)err;
    assert_int_equal(game->number, reading->games + 1);
    if (reading->games < GAMES_KEPT && game->game.variant) {
        struct game *copy = &reading->game[reading->games];
        assert_true(game_init(copy, game->game.variant, &game->game.positions[0]));
        for (int ply = 0; ply < game->game.plies; ply++) {
            assert_true(game_play(copy, &game->game.moves[ply]));
        }
        reading->outcome[reading->games] = game->outcome;
    }
    reading->games++;
    reading->moves += game->moves;
    return true;
}

struct reading *reading_of(const char *text, size_t size, const struct variant *given)
{
    struct reading *reading = calloc(1, sizeof *reading);
    const struct pdn_sink sink = {.context = reading, .fault = keep_fault, .game = keep_game};
    struct err err = {0};

    assert_non_null(reading);
    if (!pdn_read(text, size, given, &sink, &err)) {
        fail_msg("%s", err.text);
    }
    return reading;
}

void reading_fini(struct reading *reading)
{
    for (int i = 0; i < reading->games && i < GAMES_KEPT; i++) {
        game_fini(&reading->game[i]);
    }
}

void check_fault(const char *text, int line, const char *what)
{
    struct reading *reading = reading_of(text, strlen(text), NULL);

    if (reading->faults != (what != NULL)) {
        fail_msg("%d faults in '%s': %s", reading->faults, text, reading->fault[0]);
    }
    if (what && (reading->fault_line[0] != line || !strstr(reading->fault[0], what))) {
        fail_msg("%d: %s, not %d: %s", reading->fault_line[0], reading->fault[0], line, what);
    }
    reading_fini(reading);
    free(reading);
}
