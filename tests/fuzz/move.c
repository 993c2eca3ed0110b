/* Moves as text: a FEN on the first line, then a move a line, each played when it is read. What is
 * read is legal, and reads back from every form in which it can be written. */
#include <stdlib.h>
#include <string.h>

#include "engine/board/path.h"
#include "engine/pdn/pdn_move.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"
#include "fuzz.h"

enum { PATHS = 8, LINES = 64, LEGAL = 4 };

/* The word of a text that is one PDN move. */
static bool one_move(const char *text, struct pdn_squares *out)
{
    struct pdn_lexer lexer = pdn_lexer_start(text, strlen(text));
    struct pdn_token token = pdn_next(&lexer);

    *out = token.squares;
    return token.kind == PDN_MOVE && pdn_next(&lexer).kind == PDN_END;
}

static void check_machine_form(const struct variant *variant, const struct position *position,
                               const struct move *move)
{
    struct move again;
    struct err err = {0};
    char text[MOVE_TEXT];

    move_write(variant->rules, move, text);
    fuzz_require(strlen(text) < MOVE_TEXT, "a move fits MOVE_TEXT");
    fuzz_require(move_read(variant, position, text, &again, &err) && move_equal(move, &again),
                 "the machine form reads back");
}

static void check_pdn_form(const struct variant *variant, const struct position *position,
                           const struct move *move)
{
    struct pdn_squares squares;
    struct move again;
    struct err err = {0};
    char text[PDN_MOVE_TEXT];

    pdn_move_write(variant, position, move, text);
    fuzz_require(strlen(text) < PDN_MOVE_TEXT, "a PDN move fits PDN_MOVE_TEXT");
    fuzz_require(one_move(text, &squares), "a PDN move that is written is one word");
    fuzz_require(pdn_move_read(variant, position, &squares, &again, &err) &&
                     move_equal(move, &again),
                 "the PDN form reads back");
}

/* Each way through the capture is the full form of this move and of no other. */
static void check_paths(const struct variant *variant, const struct position *position,
                        const struct move *move)
{
    struct path paths[PATHS];
    int count = path_find(variant->rules, position, move, NULL, 0, paths, PATHS);

    fuzz_require(count > 0 && count <= PATHS, "a move has a path");
    for (int p = 0; p < count; p++) {
        struct pdn_squares squares = {.capture = move->taken != 0, .count = 1};
        struct move again;
        struct err err = {0};
        squares.square[0] = (uint8_t)bit_to_square(variant->rules, move->from);
        for (int i = 0; i < PATH_SQUARES && paths[p].square[i] != 0; i++) {
            fuzz_require(squares.count < PDN_SQUARES, "a path fits a PDN move");
            squares.square[squares.count++] = paths[p].square[i];
        }
        fuzz_require(pdn_move_read(variant, position, &squares, &again, &err) &&
                         move_equal(move, &again),
                     "the squares landed on name the move");
    }
}

static void check_move(const struct variant *variant, const struct position *position,
                       const struct move *move)
{
    fuzz_require_legal(variant, position, move);
    check_machine_form(variant, position, move);
    check_pdn_form(variant, position, move);
    check_paths(variant, position, move);
}

/* The first legal moves, whatever the lines say. */
static void check_legal_moves(const struct variant *variant, const struct position *position)
{
    struct move_list legal;

    variant->moves(position, &legal);
    for (int i = 0; i < legal.count && i < LEGAL; i++) {
        check_move(variant, position, &legal.move[i]);
    }
}

/* Reads a line as this project's notation and as PDN's; plays the move that it names. */
static void take_line(const struct variant *variant, const char *line, struct position *position)
{
    struct pdn_squares squares;
    struct move move, by_pdn;
    struct err err = {0}, pdn_err = {0};
    bool read = move_read(variant, position, line, &move, &err);
    bool word = one_move(line, &squares);

    if (word && pdn_move_read(variant, position, &squares, &by_pdn, &pdn_err)) {
        check_move(variant, position, &by_pdn);
    } else if (word) {
        fuzz_require_refusal(&pdn_err);
    }
    if (!read) {
        fuzz_require_refusal(&err);
        return;
    }
    check_move(variant, position, &move);
    *position = position_after(variant->rules, position, &move);
    fuzz_require_position(variant->rules, position);
}

/* Cuts the first line off *rest; *rest is NULL behind the last. */
static char *cut_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    *rest = end != NULL ? end + 1 : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct variant *variant = fuzz_variant(data[0]);
    char *text = fuzz_text(data + 1, size - 1), *rest = text;
    struct position position;
    struct err err = {0};

    bool read = fen_read(variant->rules, cut_line(&rest), &position, &err);
    if (read) {
        check_legal_moves(variant, &position);
    }
    for (int line = 0; read && rest != NULL && line < LINES; line++) {
        take_line(variant, cut_line(&rest), &position);
    }
    free(text);
    return 0;
}
