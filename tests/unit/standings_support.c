/* Made-up standings. */
#include "standings_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void add_player(struct standings *standings, const char *name)
{
    standings->variant = &variant_classic;
    strcpy(standings->name[standings->players++], name);
}

void add_pairing(struct standings *standings, int first, int second,
                 const int64_t pairs[PAIR_SCORES])
{
    static const int GAMES[PAIR_SCORES][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 2}};
    struct standing *standing = &standings->pairing[standings->pairings++];

    *standing = (struct standing){.first = first, .second = second};
    for (int score = 0; score < PAIR_SCORES; score++) {
        for (int64_t i = 0; i < pairs[score]; i++) {
            pentanomial_add(&standing->results.scores, GAMES[score][0], GAMES[score][1]);
            standing->results.plies += 100;
            standing->results.ends[END_NO_MOVES] += 2;
            standing->wanted++;
        }
    }
    for (int side = 0; side < 2; side++) {
        standing->effort[side].moves = standing->results.plies / 2;
        standing->effort[side].microseconds = 250 * standing->effort[side].moves;
        standing->effort[side].depths[side == 0 ? 7 : 4] = 3;
    }
}

char *written(void (*write)(FILE *out, const struct standings *standings),
              const struct standings *standings)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    write(out, standings);
    assert_int_equal(fclose(out), 0);
    return text;
}
