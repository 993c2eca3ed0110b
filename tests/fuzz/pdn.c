/* PDN in, out and in again. Any bytes are read to their end; faults stand at lines that exist; the
 * games kept are made of legal moves, and are the same when what is written of them is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/pdn/pdn_read.h"
#include "engine/pdn/pdn_write.h"
#include "fuzz.h"

enum { TAGS = 8, VALUE = 64 };

/* One reading of a text, and what it writes. */
struct pass {
    int lines;   /* of the text */
    int games;   /* with a known rule set */
    int faults;  /* of all games */
    bool strict; /* the text is our own: no fault may be found */
    FILE *out;
};

static void take_fault(void *context, int line, int game, const char *what)
{
    struct pass *pass = context;

    fuzz_require(!pass->strict, "what is written has no fault");
    fuzz_require(line >= 1 && line <= pass->lines, "a fault stands at a line that exists");
    fuzz_require(game >= 1, "games count from 1");
    fuzz_require_line(what);
    pass->faults++;
}

static void check_game(const struct game *game)
{
    const struct rules *rules = game->variant->rules;

    fuzz_require_position(rules, &game->positions[0]);
    for (int ply = 0; ply < game->plies; ply++) {
        fuzz_require_legal(game->variant, &game->positions[ply], &game->moves[ply]);
        struct position next = position_after(rules, &game->positions[ply], &game->moves[ply]);
        fuzz_require(position_equal(&next, &game->positions[ply + 1]), "a game is its moves");
    }
}

/* Takes the first tags over. */
static size_t take_tags(const struct pdn_text *text, char names[TAGS][VALUE],
                        char values[TAGS][VALUE], struct pdn_tag tags[TAGS])
{
    size_t count = 0;

    for (int i = 0; i < text->tags && count < TAGS; i++) {
        if (text->token[i].kind == PDN_TAG) {
            pdn_value(text->token[i].text, names[count], VALUE);
            pdn_value(text->token[i].value, values[count], VALUE);
            tags[count] = (struct pdn_tag){names[count], values[count]};
            count++;
        }
    }
    return count;
}

static void write_game(FILE *out, const struct pdn_game *pdn)
{
    const struct game *game = &pdn->game;
    char names[TAGS][VALUE], values[TAGS][VALUE];
    struct pdn_tag tags[TAGS];
    size_t count = take_tags(pdn->text, names, values, tags);
    struct pdn_note *notes = malloc(((size_t)game->plies + 1) * sizeof *notes);

    fuzz_require(notes != NULL, "there is memory");
    for (int ply = 0; ply < game->plies; ply++) {
        notes[ply] = (struct pdn_note){
            .score = (int16_t)(ply % 3 == 0 ? SCORE_NONE : ply * 7919 % SCORE_WON),
            .depth = ply % 5,
            .microseconds = ply % 2 * 12345678900 - 1,
        };
    }
    pdn_write(out, tags, count, game, pdn->outcome, notes);
    free(notes);
}

static bool take_game(void *context, const struct pdn_game *game, struct err *err)
{
    struct pass *pass = context;

    (void)err;
    if (game->game.variant == NULL) {
        fuzz_require(game->faults > 0, "a game without a rule set is a fault");
        return true;
    }
    check_game(&game->game);
    write_game(pass->out, game);
    pass->games++;
    return true;
}

static int lines_of(const char *text, size_t size)
{
    int lines = 1;

    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n' || text[i] == '\r';
    }
    return lines;
}

/* Reads a text and returns what is written of its games, to be freed. */
static char *read_and_write(const char *text, size_t size, struct pass *pass, size_t *written)
{
    char *out = NULL;
    struct err err = {0};
    struct pdn_sink sink = {.context = pass, .fault = take_fault, .game = take_game};

    pass->lines = lines_of(text, size);
    pass->out = open_memstream(&out, written);
    fuzz_require(pass->out != NULL, "there is memory");
    fuzz_require(pdn_read(text, size, NULL, &sink, &err), "any bytes are read to their end");
    fuzz_require(fclose(pass->out) == 0, "there is memory");
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pass first = {0}, second = {.strict = true};
    size_t once_size = 0, twice_size = 0;

    char *once = read_and_write((const char *)data, size, &first, &once_size);
    char *twice = read_and_write(once, once_size, &second, &twice_size);
    fuzz_require(first.games == second.games, "no game is lost");
    fuzz_require(once_size == twice_size && memcmp(once, twice, once_size) == 0,
                 "what is written reads back as the same games");
    free(once);
    free(twice);
    return 0;
}
