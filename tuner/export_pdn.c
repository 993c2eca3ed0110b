/* Games as PDN (Portable Draughts Notation 3.0), from the records of a finished stage. */
#include <string.h>

#include "engine/fen.h"
#include "engine/notation.h"
#include "engine/path.h"
#include "selfplay/journal.h"
#include "selfplay/record.h"
#include "selfplay/selfplay.h"
#include "tuner/export_format.h"

enum { LINE = 78 };

static bool reads_back(const struct variant *variant, const struct position *position,
                       const struct move *move, const char *text)
{
    struct move back;

    return move_read(variant, position, text, &back, NULL) && move_equal(move, &back);
}

void export_move(const struct variant *variant, const struct position *position,
                 const struct move *move, char out[PDN_MOVE])
{
    const struct rules *rules = variant->rules;
    struct path path;
    int from = bit_to_square(rules, move->from), to = bit_to_square(rules, move->to);

    snprintf(out, PDN_MOVE, "%d%c%d", from, move->taken ? 'x' : '-', to);
    if (reads_back(variant, position, move, out)) {
        return;
    }
    if (path_find(rules, position, move, NULL, 0, &path, 1) == 1) {
        int length = snprintf(out, PDN_MOVE, "%d", from);
        for (int i = 0; path.square[i]; i++) {
            length += snprintf(out + length, (size_t)(PDN_MOVE - length), "x%d", path.square[i]);
        }
        if (reads_back(variant, position, move, out)) {
            return;
        }
    }
    move_write(rules, move, out);
}

static const char *result_text(enum outcome outcome)
{
    return outcome == OUTCOME_WHITE_WINS   ? "1-0"
           : outcome == OUTCOME_BLACK_WINS ? "0-1"
                                           : "1/2-1/2";
}

static void put_tags(struct export *to, const struct variant *variant, int generation,
                     const struct record *record)
{
    fprintf(to->out, "[Event \"self-play of generation %d\"]\n[Round \"%lld\"]\n", generation,
            (long long)record->number);
    fprintf(to->out, "[White \"generation %d\"]\n[Black \"generation %d\"]\n[Result \"%s\"]\n",
            generation, generation, result_text(record->outcome));
    if (variant->rules->pdn_game_type) {
        fprintf(to->out, "[GameType \"%d\"]\n", variant->rules->pdn_game_type);
    }
    fprintf(to->out, "[Variant \"%s\"]\n", variant->rules->name);
    struct position start = position_start(variant->rules);
    if (!position_equal(&start, &record->start)) {
        char fen[FEN_SIZE];
        fen_write(variant->rules, &record->start, fen);
        fprintf(to->out, "[FEN \"%s\"]\n", fen);
    }
}

/* Writes a token, on a new line when the present one is full; returns the new column. */
static int put_token(FILE *out, const char *token, int column)
{
    int length = (int)strlen(token);

    if (column > 0 && column + 1 + length > LINE) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%s%s", column ? " " : "", token);
    return column + (column ? 1 : 0) + length;
}

static void put_game(struct export *to, const struct variant *variant, int generation,
                     const struct record *record)
{
    struct position position = record->start;
    int column = 0;
    bool second = position.turn != variant->rules->opener;

    put_tags(to, variant, generation, record);
    for (int ply = 0; ply < record->plies; ply++) {
        char move[PDN_MOVE], number[16];
        int half = ply + second;
        if (half % 2 == 0 || ply == 0) {
            snprintf(number, sizeof number, "%d.%s", half / 2 + 1, half % 2 ? ".." : "");
            column = put_token(to->out, number, column);
        }
        export_move(variant, &position, &record->ply[ply].move, move);
        column = put_token(to->out, move, column);
        position = position_after(variant->rules, &position, &record->ply[ply].move);
    }
    put_token(to->out, result_text(record->outcome), column);
    fputs("\n\n", to->out);
    to->count++;
}

bool export_stage_pdn(struct export *to, const struct variant *variant, int generation,
                      struct err *err)
{
    char name[GAMES_NAME], path[FILE_PATH];
    struct journal_map map;
    const uint8_t *data;
    size_t size;
    bool ok = true;

    selfplay_name(name, variant, generation);
    if (!games_records_path(path, to->directory, name, err) ||
        !journal_map(&map, path, NULL, err)) {
        return false;
    }
    while (ok && (data = journal_next(&map, &size)) != NULL) {
        struct record record;
        ok = record_decode(data, size, variant, &record, err) || err_prefix(err, "%s", path);
        if (ok) {
            put_game(to, variant, generation, &record);
            record_fini(&record);
        }
    }
    journal_unmap(&map);
    return ok;
}
