/* What the fuzz targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_fail(const char *what)
{
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    fuzz_require(text != NULL, "there is memory");
    for (size_t i = 0; i < size; i++) {
        text[i] = data[i] != '\0' ? (char)data[i] : '?';
    }
    text[size] = '\0';
    return text;
}

void fuzz_file(const void *data, size_t size, char path[FUZZ_PATH])
{
    snprintf(path, FUZZ_PATH, "/tmp/fuzz.XXXXXX");
    int fd = mkstemp(path);
    fuzz_require(fd >= 0 && write(fd, data, size) == (ssize_t)size && close(fd) == 0,
                 "a temporary file can be written");
}

const struct variant *fuzz_variant(uint8_t byte)
{
    return variant_at(byte % VARIANT_COUNT);
}

void fuzz_require_line(const char *text)
{
    fuzz_require(text[0] != '\0', "a message says something");
    for (; *text != '\0'; text++) {
        fuzz_require((unsigned char)*text >= ' ' && *text != '\x7f', "a message is one line");
    }
}

void fuzz_require_refusal(const struct err *err)
{
    fuzz_require(err->code == ERR_USAGE, "a refusal is the user's to mend");
    fuzz_require_line(err->text);
}

void fuzz_require_position(const struct rules *rules, const struct position *position)
{
    bitboard seen = 0;

    for (int colour = WHITE; colour <= BLACK; colour++) {
        bitboard men = position->men[colour], kings = position->kings[colour];
        fuzz_require(!(men & kings) && !((men | kings) & seen), "a square holds one piece");
        fuzz_require(!(men & far_row(rules, (enum colour)colour)), "no man is on its far row");
        seen |= men | kings;
    }
    fuzz_require(!(seen & ~board_bits(rules)), "pieces are on the board");
    fuzz_require(position->turn == WHITE || position->turn == BLACK, "somebody is to move");
}

void fuzz_require_legal(const struct variant *variant, const struct position *position,
                        const struct move *move)
{
    struct move_list legal;
    int found = 0;

    variant->moves(position, &legal);
    for (int i = 0; i < legal.count; i++) {
        found += move_equal(&legal.move[i], move);
    }
    fuzz_require(found == 1, "a move that is taken is legal");
}
