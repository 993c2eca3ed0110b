/* What the tests of the engine share. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "engine/rules/fen.h"

struct position position_of(const struct variant *variant, const char *fen)
{
    struct position position;
    struct err err = {0};

    if (!fen_read(variant->rules, fen, &position, &err)) {
        fail_msg("%s: %s", fen, err.text);
    }
    return position;
}

int each_line(const char *name, int fields, void (*each)(char **field, int line, void *context),
              void *context)
{
    char path[1024], *line = NULL, *field[16];
    size_t size = 0;
    int number = 0, used = 0;

    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s cannot be opened", path);
    }
    while (getline(&line, &size, file) > 0) {
        number++;
        if (line[0] == '#') {
            continue;
        }
        line[strcspn(line, "\r\n")] = '\0';
        int count = 0;
        for (char *rest = line; rest && count < 16;) {
            field[count++] = rest;
            rest = strchr(rest, '\t');
            if (rest) {
                *rest++ = '\0';
            }
        }
        if (count != fields) {
            fail_msg("%s:%d: %d fields, not %d", path, number, count, fields);
        }
        each(field, number, context);
        used++;
    }
    free(line);
    fclose(file);
    return used;
}

/* Up to men_each pieces a side on random squares, about a third of them kings. */
static struct position scatter(const struct rules *rules, const struct rng *rng, uint64_t *draw)
{
    struct position position = {.turn = (uint8_t)rng_below(rng, (*draw)++, 2)};

    for (int colour = WHITE; colour <= BLACK; colour++) {
        uint32_t pieces = 1 + rng_below(rng, (*draw)++, (uint32_t)rules->men_each);
        for (uint32_t i = 0; i < pieces; i++) {
            bitboard where = bit(
                square_to_bit(rules, 1 + (int)rng_below(rng, (*draw)++, (uint32_t)rules->squares)));
            bool king =
                rng_below(rng, (*draw)++, 3) == 0 || (where & far_row(rules, (enum colour)colour));
            if (where & pieces_all(&position)) {
                continue;
            }
            *(king ? &position.kings[colour] : &position.men[colour]) |= where;
        }
    }
    return position;
}

struct position random_position(const struct variant *variant, uint64_t number, bool scattered)
{
    uint64_t stream = 8 * number + 2 * (uint64_t)variant_index(variant) + scattered;
    struct rng rng = rng_make(1, RNG_TEST, stream);
    uint64_t draw = 0;
    struct position position =
        scattered ? scatter(variant->rules, &rng, &draw) : position_start(variant->rules);
    uint32_t plies = rng_below(&rng, draw++, scattered ? 4 : 120);

    for (uint32_t ply = 0; ply < plies; ply++) {
        struct move_list list;
        variant->moves(&position, &list);
        if (list.count == 0) {
            break;
        }
        uint32_t chosen = rng_below(&rng, draw++, (uint32_t)list.count);
        position = position_after(variant->rules, &position, &list.move[chosen]);
    }
    return position;
}

struct game random_game(const struct variant *variant, uint64_t number, bool scattered, int plies)
{
    struct rng rng = rng_make(2, RNG_TEST, number);
    struct position start = random_position(variant, number, scattered);
    struct game game;

    assert_true(game_init(&game, variant, &start));
    while (game.plies < plies && game_outcome(&game, NULL) == OUTCOME_OPEN) {
        struct move_list list;
        variant->moves(game_now(&game), &list);
        uint32_t chosen = rng_below(&rng, (uint64_t)game.plies, (uint32_t)list.count);
        assert_true(game_play(&game, &list.move[chosen]));
    }
    return game;
}

uint8_t *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

void spit(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void make_scratch(char out[64])
{
    snprintf(out, 64, "/tmp/draughts-test-XXXXXX");
    assert_non_null(mkdtemp(out));
}

void remove_scratch(const char *directory)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    assert_int_equal(system(command), 0);
}
