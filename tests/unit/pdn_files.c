/* Real files: every game and every move is read, and the faults are those that the files have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/file.h"
#include "pdn_support.h"

static struct reading *reading_of_file(const char *name)
{
    char path[FILE_PATH];
    size_t size = 0;
    struct err err = {0};

    snprintf(path, sizeof path, "%s/pdn/%s", TEST_DATA, name);
    char *text = file_read(path, 1 << 20, &size, &err);
    if (!text) {
        fail_msg("%s", err.text);
    }
    struct reading *reading = reading_of(text, size, NULL);
    free(text);
    return reading;
}

/* Players resign on their own move, so that nearly every decided game ends with a move of the
 * winner: this tells whose the first number of a result is. Counts such games and the others. */
static void count_last_movers(const struct reading *reading, int *winner, int *loser)
{
    for (int i = 0; i < reading->games; i++) {
        enum outcome won =
            game_now(&reading->game[i])->turn == BLACK ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;
        bool decided =
            reading->outcome[i] == OUTCOME_WHITE_WINS || reading->outcome[i] == OUTCOME_BLACK_WINS;
        *winner += decided && reading->outcome[i] == won;
        *loser += decided && reading->outcome[i] != won;
    }
}

static void every_game_is_read(void **state)
{
    static const struct {
        const char *name;
        const struct variant *variant;
        int games, moves, faults;
    } FILES[] = {
        {"DUTCH96H.pdn", &variant_international, 13, 1381, 0},
        {"OCA_2.0.pdn", &variant_classic, 43, 2280, 0},
        {"PROF2.pdn", &variant_international, 16, 1616, 2},
        {"bad-nested-comment.pdn", &variant_international, 1, 3, 1},
        {"bad-result.pdn", &variant_international, 2, 252, 2},
        {"fen-with-full-stop.pdn", &variant_international, 35, 357, 0},
        {"inferno.pdn", &variant_classic, 68, 3306, 0},
        {"kurnik.pdn", &variant_international, 4, 535, 0},
        {"nk-ronde-01.pdn", &variant_international, 7, 725, 0},
        {"wk2003.pdn", &variant_international, 23, 2381, 0},
    };
    int winner[VARIANT_COUNT] = {0}, loser[VARIANT_COUNT] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        struct reading *reading = reading_of_file(FILES[i].name);
        if (reading->games != FILES[i].games || reading->moves != FILES[i].moves ||
            reading->faults != FILES[i].faults) {
            fail_msg("%s: games %d, moves %d, faults %d: %s", FILES[i].name, reading->games,
                     reading->moves, reading->faults, reading->fault[0]);
        }
        for (int game = 0; game < reading->games; game++) {
            assert_ptr_equal(reading->game[game].variant, FILES[i].variant);
        }
        int v = variant_index(FILES[i].variant);
        count_last_movers(reading, &winner[v], &loser[v]);
        reading_fini(reading);
        free(reading);
    }
    for (int v = 0; v < VARIANT_COUNT; v++) {
        assert_true(winner[v] >= 5 * loser[v]);
    }
}

static void faults_of_files(void **state)
{
    static const struct {
        const char *name;
        int index, line, game;
        const char *what;
    } FAULTS[] = {
        {"PROF2.pdn", 0, 232, 11, "'30-39' is a capture: it is written 30x39"},
        {"PROF2.pdn", 1, 290, 14, "'38x33' is no capture: it is written 38-33"},
        {"bad-nested-comment.pdn", 0, 1, 1, "} closes no comment"},
        {"bad-result.pdn", 0, 5, 1, "Result \"4-6\" is of no known system"},
        {"bad-result.pdn", 1, 32, 2, "Result \"1-9\" is of no known system"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        struct reading *reading = reading_of_file(FAULTS[i].name);
        int index = FAULTS[i].index;
        assert_true(reading->faults > index);
        assert_int_equal(reading->fault_line[index], FAULTS[i].line);
        assert_int_equal(reading->fault_game[index], FAULTS[i].game);
        assert_non_null(strstr(reading->fault[index], FAULTS[i].what));
        reading_fini(reading);
        free(reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_is_read),
        cmocka_unit_test(faults_of_files),
    };
    return cmocka_run_group_tests_name("pdn_files", tests, NULL, NULL);
}
