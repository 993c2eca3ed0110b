/* FEN in and out. */
#include "engine/rules/fen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/rules/notation.h"

struct reader {
    const struct rules *rules;
    const char *text;
    size_t at;
    struct err *err;
};

static bool fault(const struct reader *reader, size_t at, const char *what)
{
    return err_set(reader->err, ERR_USAGE, "FEN, character %zu: %s", at + 1, what);
}

/* The next character that is no space, not yet taken; '\0' at the end. */
static char peek(struct reader *reader)
{
    while (isspace((unsigned char)reader->text[reader->at])) {
        reader->at++;
    }
    return reader->text[reader->at];
}

static bool take(struct reader *reader, char wanted)
{
    if (peek(reader) != wanted) {
        return false;
    }
    reader->at++;
    return true;
}

static bool read_colour(struct reader *reader, const char *what, enum colour *out)
{
    char text[96];

    if (take(reader, 'W')) {
        *out = WHITE;
        return true;
    }
    if (take(reader, 'B')) {
        *out = BLACK;
        return true;
    }
    char found = peek(reader);
    if (found == 'w' || found == 'b') {
        snprintf(text, sizeof text, "%s is '%c': lower case is not read, write %c", what, found,
                 toupper((unsigned char)found));
    } else {
        snprintf(text, sizeof text, "%s is missing: W or B should stand here", what);
    }
    return fault(reader, reader->at, text);
}

static bool read_square(struct reader *reader, int *out)
{
    char found = peek(reader);
    size_t start = reader->at;
    int square = 0;
    char text[96];

    if (found == 'k') {
        return fault(reader, start, "lower case is not read: a king is K");
    }
    if (!isdigit((unsigned char)found)) {
        return fault(reader, start, "a square number should stand here");
    }
    while (isdigit((unsigned char)reader->text[reader->at])) {
        if (square <= reader->rules->squares) {
            square = 10 * square + (reader->text[reader->at] - '0');
        }
        reader->at++;
    }
    if (square < 1 || square > reader->rules->squares) {
        snprintf(text, sizeof text, "unknown square %.*s: squares are 1 to %d",
                 reader->at - start > 12 ? 12 : (int)(reader->at - start), reader->text + start,
                 reader->rules->squares);
        return fault(reader, start, text);
    }
    *out = square;
    return true;
}

static bool put_piece(const struct reader *reader, size_t at, enum colour colour, bool king,
                      int square, struct position *position)
{
    bitboard where = bit(square_to_bit(reader->rules, square));
    char text[96];

    if (pieces_all(position) & where) {
        snprintf(text, sizeof text, "square %d is named twice", square);
        return fault(reader, at, text);
    }
    if (!king && (where & far_row(reader->rules, colour))) {
        snprintf(text, sizeof text, "a %s man cannot stand on %d, its far row: write K%d",
                 colour == WHITE ? "white" : "black", square, square);
        return fault(reader, at, text);
    }
    if (king) {
        position->kings[colour] |= where;
    } else {
        position->men[colour] |= where;
    }
    return true;
}

/* "28", "K28", "31-50" or "K31-50". */
static bool read_range(struct reader *reader, enum colour colour, struct position *position)
{
    bool king = take(reader, 'K');
    int first = 0, last;
    char text[96];

    peek(reader);
    size_t at = reader->at;
    if (!read_square(reader, &first)) {
        return false;
    }
    last = first;
    if (take(reader, '-') && !read_square(reader, &last)) {
        return false;
    }
    if (last < first) {
        snprintf(text, sizeof text, "the range %d-%d runs backwards", first, last);
        return fault(reader, at, text);
    }
    for (int square = first; square <= last; square++) {
        if (!put_piece(reader, at, colour, king, square, position)) {
            return false;
        }
    }
    return true;
}

/* ":W" and its squares. */
static bool read_side(struct reader *reader, bool seen[2], struct position *position)
{
    enum colour colour = WHITE;
    char text[96];

    if (!take(reader, ':')) {
        char found = peek(reader);
        snprintf(text, sizeof text, "%s should stand here",
                 seen[WHITE] || seen[BLACK]
                     ? (found ? "a comma, or a colon and the other side's squares,"
                              : "a colon and the other side's squares")
                     : "a colon and a side's squares");
        return fault(reader, reader->at, text);
    }
    size_t at = (peek(reader), reader->at);
    if (!read_colour(reader, "the colour of a side", &colour)) {
        return false;
    }
    if (seen[colour]) {
        snprintf(text, sizeof text, "%s is named twice", colour_name(colour));
        return fault(reader, at, text);
    }
    seen[colour] = true;

    char next = peek(reader);
    if (next == ':' || next == '\0' || next == '.') {
        return true;
    }
    do {
        if (!read_range(reader, colour, position)) {
            return false;
        }
    } while (take(reader, ','));
    return true;
}

bool fen_read(const struct rules *rules, const char *text, struct position *out, struct err *err)
{
    struct reader reader = {.rules = rules, .text = text, .err = err};
    struct position position = {0};
    enum colour turn = WHITE;
    bool seen[2] = {false, false};

    if (!read_colour(&reader, "the side to move", &turn) || !read_side(&reader, seen, &position) ||
        !read_side(&reader, seen, &position)) {
        return false;
    }
    take(&reader, '.');
    if (peek(&reader) != '\0') {
        return fault(&reader, reader.at, "nothing should follow here");
    }
    position.turn = (uint8_t)turn;
    *out = position;
    return true;
}

void fen_write(const struct rules *rules, const struct position *position, char out[FEN_SIZE])
{
    size_t used = 0;

    out[used++] = position->turn == WHITE ? 'W' : 'B';
    for (int colour = WHITE; colour <= BLACK; colour++) {
        bitboard left = pieces_of(position, (enum colour)colour);
        out[used++] = ':';
        out[used++] = colour == WHITE ? 'W' : 'B';
        for (bool first = true; left; first = false) {
            int index = bit_pop(&left);
            if (!first) {
                out[used++] = ',';
            }
            if (position->kings[colour] & bit(index)) {
                out[used++] = 'K';
            }
            used += number_write(out + used, bit_to_square(rules, index));
        }
    }
    out[used] = '\0';
}
