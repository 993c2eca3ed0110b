/* Damaged PDN: whatever comes in, the reader comes to the end, keeps only legal moves, and names
 * faults at lines that exist. Mutations are drawn from a counter, so that a failure can be
 * repeated: pdn_mutation ROUNDS reads more of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "pdn_support.h"

enum { ROUNDS = 6000, SIZE = 4096 };

static const char *const SEEDS[] = {
    "[Event \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n[GameType \"20\"]\n1. 32-28 {c} 19-23 2. 28x19 "
    "14x23 "
    "(2... 13x24 {d} (2... 14x23 $1) 3. 37-32!) 3. 33-28 23x32 1-0\n\n"
    "[FEN \"W:WK4:B13,32,37,20.\"]\n1. 4x27x38x15 *\n",
    "[Rules \"flying\"]\r\n[SetUp \"1\"]\r\n[FEN \"B:WK32,28:B9,K1\"]\r\n1... 9-13 2. 28-24 *\r\n"
    "\r\n22-17 10-14 17x10 6x15 1/2-1/2\r\n% line\r\n01. 11-15 23-19 (?) 2-0\r\n",
    "/FEN \"B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29\"/ 1. ... 22-26 [%clk 0:12] "
    "/FEN \"W:W31-50:B1-20\"/ 32- 28 19:24 [Result \"4-6\"]\n32-28 20-24 4-6\n{ } ((( ))) 1-1",
};
enum { SEED_COUNT = sizeof SEEDS / sizeof SEEDS[0] };

static int rounds = ROUNDS;

static uint32_t draw_below(const struct rng *rng, uint64_t *draw, size_t bound)
{
    return rng_below(rng, (*draw)++, (uint32_t)bound);
}

/* One change: a byte replaced, a part removed, a part doubled, a part of a seed put over it. */
static size_t change(const struct rng *rng, uint64_t *draw, char *text, size_t length)
{
    static const char ALPHABET[] = "{}()[]\"\\/*%$!?.:-x 0123456789WBKFEN\n\r\t\x1a\xe9\xff";
    size_t at = draw_below(rng, draw, length);
    size_t part = 1 + draw_below(rng, draw, length - at);

    switch (draw_below(rng, draw, 6)) {
    case 0:
        memmove(text + at, text + at + part, length - at - part);
        return length - part;
    case 1:
        if (length + part > SIZE) {
            return length;
        }
        memmove(text + at + part, text + at, length - at);
        return length + part;
    case 2: {
        const char *seed = SEEDS[draw_below(rng, draw, SEED_COUNT)];
        size_t from = draw_below(rng, draw, strlen(seed));
        size_t most = strlen(seed) - from;
        memcpy(text + at, seed + from, part < most ? part : most);
        return length;
    }
    case 3:
        text[at] = (char)draw_below(rng, draw, 256);
        return length;
    default:
        text[at] = ALPHABET[draw_below(rng, draw, sizeof ALPHABET)];
        return length;
    }
}

static int lines_of(const char *text, size_t size)
{
    int lines = 1;

    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n' || text[i] == '\r';
    }
    return lines;
}

static void check(const char *text, size_t size)
{
    struct reading *reading = reading_of(text, size, NULL);

    for (int i = 0; i < reading->faults && i < FAULTS_KEPT; i++) {
        assert_in_range(reading->fault_line[i], 1, lines_of(text, size));
        assert_true(reading->fault_game[i] >= 1);
        for (const char *at = reading->fault[i]; *at; at++) {
            assert_false(*at == '\n' || *at == '\r');
        }
    }
    for (int i = 0; i < reading->games && i < GAMES_KEPT; i++) {
        const struct game *game = &reading->game[i];
        for (int ply = 0; ply < game->plies; ply++) {
            struct move_list legal;
            int found = 0;
            game->variant->moves(&game->positions[ply], &legal);
            for (int m = 0; m < legal.count; m++) {
                found += move_equal(&legal.move[m], &game->moves[ply]);
            }
            assert_int_equal(found, 1);
        }
    }
    reading_fini(reading);
    free(reading);
}

static void damaged_texts(void **state)
{
    (void)state;
    for (int round = 0; round < rounds; round++) {
        struct rng rng = rng_make(3, RNG_TEST, (uint64_t)round);
        uint64_t draw = 0;
        const char *seed = SEEDS[draw_below(&rng, &draw, SEED_COUNT)];
        size_t length = strlen(seed);
        char text[SIZE];
        snprintf(text, sizeof text, "%s", seed);
        for (uint32_t n = 1 + draw_below(&rng, &draw, 6); n > 0 && length > 0; n--) {
            length = change(&rng, &draw, text, length);
        }
        /* Of exact size, so that reading a byte too many is seen by the sanitizers. */
        char *exact = malloc(length + (length == 0));
        assert_non_null(exact);
        memcpy(exact, text, length);
        check(exact, length);
        free(exact);
    }
}

/* Processor time for reading `size` bytes of one part again and again. */
static double seconds_for(const char *part, size_t size)
{
    size_t length = strlen(part), used = size - size % length;
    char *text = malloc(size);

    assert_non_null(text);
    for (size_t i = 0; i < used; i++) {
        text[i] = part[i % length];
    }
    clock_t start = clock();
    struct reading *reading = reading_of(text, used, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    reading_fini(reading);
    free(reading);
    free(text);
    return seconds;
}

/* Texts that tempt a reader to look ahead again and again take time in proportion to their size. */
static void no_quadratic_time(void **state)
{
    static const char *const PARTS[] = {
        "{",  "(",           "[",    "*",        "{\n[A \"b\"]\n", "[A \"b\"]\n",
        "1-", "/FE",         "\"",   "( 1-0 ",   "32-28",          "(*",
        "{}", "1-0 ",        "\n%",  "[A \"b\"", "{\n[A \"",       "4-6 ",
        "1.", "32-28(32-28", "\xff",
    };
    enum { SMALL = 1 << 15, LARGE = 1 << 19, RATIO = LARGE / SMALL };
    const double noise = 0.2; /* seconds; the square of the ratio is far over it */

    (void)state;
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        double small = seconds_for(PARTS[i], SMALL), large = seconds_for(PARTS[i], LARGE);
        if (large > 4 * RATIO * small + noise) {
            fail_msg("%.3f s for %d bytes of '%s', %.3f s for %d", small, SMALL, PARTS[i], large,
                     LARGE);
        }
    }
}

int main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(no_quadratic_time),
    };
    rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    return cmocka_run_group_tests_name("pdn_mutation", tests, NULL, NULL);
}
