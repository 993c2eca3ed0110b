/* Games as PDN 3.0. */
#include "engine/pdn/pdn_write.h"

#include <stdlib.h>
#include <string.h>

#include "engine/pdn/pdn_move.h"
#include "engine/pdn/pdn_result.h"
#include "engine/rules/fen.h"
#include "engine/search/search.h"

enum { LINE = 79, WORD = PDN_MOVE_TEXT + 80 };

static void write_tag(FILE *out, const char *name, const char *value)
{
    fprintf(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\') {
            fputc('\\', out);
        }
        fputc((unsigned char)*value < ' ' || *value == 127 ? ' ' : *value, out);
    }
    fputs("\"]\n", out);
}

static bool own_tag(const char *name)
{
    static const char *const OWN[] = {"Result", "GameType", "Rules", "SetUp", "FEN"};

    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        if (strcmp(OWN[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void write_header(FILE *out, const struct pdn_tag *tags, size_t tag_count,
                         const struct game *game, enum outcome outcome)
{
    const struct rules *rules = game->variant->rules;
    struct position start = position_start(rules);
    char text[FEN_SIZE];

    for (size_t i = 0; i < tag_count; i++) {
        if (!own_tag(tags[i].name)) {
            write_tag(out, tags[i].name, tags[i].value);
        }
    }
    write_tag(out, "Result", pdn_result_write(rules, outcome));
    if (rules->pdn_game_type) {
        snprintf(text, sizeof text, "%d", rules->pdn_game_type);
        write_tag(out, "GameType", text);
    } else {
        write_tag(out, "Rules", rules->name);
    }
    if (!position_equal(&start, &game->positions[0])) {
        fen_write(rules, &game->positions[0], text);
        write_tag(out, "SetUp", "1");
        write_tag(out, "FEN", text);
    }
    fputc('\n', out);
}

/* Writes a word, on a new line when the present one is full; returns the new column. */
static int write_word(FILE *out, const char *word, int column)
{
    int length = (int)strlen(word);

    if (column > 0 && column + 1 + length > LINE) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%s%s", column ? " " : "", word);
    return column + (column ? 1 : 0) + length;
}

/* The commands are those that programs for chess read: eval with its depth, elapsed move time. */
static void note_word(const struct pdn_note *note, enum colour mover, char out[WORD])
{
    int sign = mover == WHITE ? 1 : -1, score = note->score, used;

    if (abs(score) > SCORE_OPEN_MAX) {
        int moves = (SCORE_WON - abs(score) + 1) / 2;
        used = snprintf(out, WORD, "{[%%eval #%d", score > 0 ? sign * moves : -sign * moves);
    } else {
        used = snprintf(out, WORD, "{[%%eval %.2f", sign * score / 100.0);
    }
    if (note->depth > 0) {
        used += snprintf(out + used, WORD - (size_t)used, ",%d", note->depth);
    }
    if (note->microseconds >= 0) {
        int64_t seconds = note->microseconds / 1000000;
        used += snprintf(out + used, WORD - (size_t)used, "] [%%emt %d:%02d:%02d.%06d",
                         (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60),
                         (int)(note->microseconds % 1000000));
    }
    snprintf(out + used, WORD - (size_t)used, "]}");
}

/* The move, behind its number where one is due: when the opener moves, and at the start. */
static void move_word(const struct game *game, int ply, char out[WORD])
{
    enum colour opener = game->variant->rules->opener;
    const struct position *position = &game->positions[ply];
    bool second = game->positions[0].turn != opener;
    int half = ply + second, used = 0;

    if (half % 2 == 0) {
        used = snprintf(out, WORD, "%d. ", half / 2 + 1);
    } else if (ply == 0) {
        used = snprintf(out, WORD, "1... ");
    }
    pdn_move_write(game->variant, position, &game->moves[ply], out + used);
}

void pdn_write(FILE *out, const struct pdn_tag *tags, size_t tag_count, const struct game *game,
               enum outcome outcome, const struct pdn_note *notes)
{
    char word[WORD];
    int column = 0;

    write_header(out, tags, tag_count, game, outcome);
    for (int ply = 0; ply < game->plies; ply++) {
        move_word(game, ply, word);
        column = write_word(out, word, column);
        if (notes && notes[ply].score != SCORE_NONE) {
            note_word(&notes[ply], (enum colour)game->positions[ply].turn, word);
            column = write_word(out, word, column);
        }
    }
    write_word(out, "*", column);
    fputs("\n\n", out);
}
