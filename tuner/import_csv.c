/* Positions from CSV files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/pdn/pdn_result.h"
#include "engine/rules/fen.h"
#include "tuner/import_readers.h"

enum column { FEN, RESULT, RULES, GENERATION, GAME, PLY, SCORE, BEST_MOVE, COLUMNS };

static const char *const NAMES[COLUMNS] = {"fen",  "result", "rules", "generation",
                                           "game", "ply",    "score", "best_move"};

enum { FIELDS_MAX = 64, KEY = 128 };

/* A file under way, with the game that its last line was of. */
struct csv {
    struct importer *importer;
    FILE *in;
    char *line; /* of getline; owned */
    size_t capacity;
    int number;         /* of the line */
    int place[COLUMNS]; /* of each column among the fields; -1: there is none */
    char key[KEY];      /* of the game, "" before the first */
    const struct variant *variant;
    struct shard_row *rows; /* [count]; owned */
    size_t count, room;
};

/* Cuts a line into fields in place, quotes taken off; returns how many, -1 for a quote without its
 * end or too many. */
static int split(char *line, char *field[FIELDS_MAX])
{
    int count = 0;

    for (char *in = line;; in++) {
        bool quoted = *in == '"';
        char *out = in += quoted;
        if (count == FIELDS_MAX) {
            return -1;
        }
        field[count++] = out;
        while (*in && (quoted ? *in != '"' || in[1] == '"' : *in != ',')) {
            in += quoted && *in == '"';
            *out++ = *in++;
        }
        if (quoted && *in++ != '"') {
            return -1;
        }
        char end = *in;
        *out = '\0';
        if (end != ',') {
            return end == '\0' ? count : -1;
        }
    }
}

/* The next line without its end; false at the end of the file. */
static bool next_line(struct csv *csv)
{
    ssize_t length = getline(&csv->line, &csv->capacity, csv->in);

    if (length < 0) {
        return false;
    }
    csv->number++;
    csv->line[strcspn(csv->line, "\r\n")] = '\0';
    return true;
}

static bool read_header(struct csv *csv, struct err *err)
{
    char *field[FIELDS_MAX];
    int count = next_line(csv) ? split(csv->line, field) : 0;

    for (int column = 0; column < COLUMNS; column++) {
        csv->place[column] = -1;
        for (int k = 0; k < count; k++) {
            if (strcmp(field[k], NAMES[column]) == 0) {
                csv->place[column] = k;
            }
        }
        if (column <= RESULT && csv->place[column] < 0) {
            return err_set(err, ERR_USAGE,
                           "%s:1: no column '%s'; the first line names the columns, such as "
                           "fen,result",
                           csv->importer->file, NAMES[column]);
        }
    }
    return true;
}

static const struct variant *variant_of(const struct csv *csv, const char *name, struct err *err)
{
    const struct settings *settings = csv->importer->request->settings;
    const struct variant *variants[VARIANT_COUNT];

    if (*name) {
        return variant_by_name(name, err);
    }
    if (csv->importer->request->given) {
        return csv->importer->request->given;
    }
    if (settings_variants(settings, variants) == 1) {
        return variants[0];
    }
    err_set(err, ERR_USAGE, "no rule set is named; -r RULES gives it");
    return NULL;
}

static bool read_result(const char *text, int8_t *result, struct err *err)
{
    static const struct {
        const char *text;
        int8_t result;
    } POINTS[] = {{"1", 1}, {"0.5", 0}, {"1/2", 0}, {"0", -1}};
    enum outcome outcome;

    for (size_t k = 0; k < sizeof POINTS / sizeof *POINTS; k++) {
        if (strcmp(text, POINTS[k].text) == 0) {
            *result = POINTS[k].result;
            return true;
        }
    }
    /* White opens in international draughts, so that the first number is White's. */
    if (!pdn_result_read(variant_international.rules, text, &outcome) || outcome == OUTCOME_OPEN) {
        return err_set(err, ERR_USAGE, "result '%.40s', right is 1-0, 1/2-1/2 or 0-1", text);
    }
    *result = (int8_t)((outcome == OUTCOME_WHITE_WINS) - (outcome == OUTCOME_BLACK_WINS));
    return true;
}

static bool read_best_move(const struct rules *rules, const char *text, uint16_t *move,
                           struct err *err)
{
    char *dash, *end;
    long from = strtol(text, &dash, 10);
    long to = *dash == '-' ? strtol(dash + 1, &end, 10) : 0;

    if (from < 1 || from > rules->squares || to < 1 || to > rules->squares || *end) {
        return err_set(err, ERR_USAGE, "best_move '%.40s', right is FROM-TO", text);
    }
    *move = (uint16_t)(from * 256 + to);
    return true;
}

/* A line's fields as a row; *variant: of which rule set. */
static bool read_row(const struct csv *csv, const char *const text[COLUMNS],
                     const struct variant **variant, struct shard_row *row, struct err *err)
{
    long long ply = 0, score = SCORE_NONE;

    *variant = variant_of(csv, text[RULES], err);
    if (!*variant || !import_wants(csv->importer, *variant, err) ||
        !fen_read((*variant)->rules, text[FEN], &row->position, err) ||
        !read_result(text[RESULT], &row->result, err) ||
        (*text[PLY] && !number_integer(text[PLY], "ply", 0, UINT16_MAX, &ply, err)) ||
        (*text[SCORE] &&
         !number_integer(text[SCORE], "score", -SCORE_WON, SCORE_WON, &score, err)) ||
        (*text[BEST_MOVE] &&
         !read_best_move((*variant)->rules, text[BEST_MOVE], &row->best_move, err))) {
        return false;
    }
    row->ply = (uint16_t)ply;
    row->score = (int16_t)score;
    return true;
}

/* Gives the game that is complete to the importer. */
static bool end_game(struct csv *csv, struct err *err)
{
    bool ok =
        csv->count == 0 || import_game(csv->importer, csv->variant, csv->rows, csv->count, err);

    csv->count = 0;
    return ok;
}

/* Adds a row to the game of that key, or begins one with it. */
static bool add_row(struct csv *csv, const struct variant *variant, const char *key,
                    const struct shard_row *row, struct err *err)
{
    bool same = csv->place[GAME] >= 0 && csv->variant == variant && strcmp(key, csv->key) == 0;

    if (!same && !end_game(csv, err)) {
        return false;
    }
    if (csv->count == csv->room) {
        size_t room = 2 * csv->room + 64;
        struct shard_row *rows = realloc(csv->rows, room * sizeof *rows);
        if (!rows) {
            return err_set(err, ERR_FAILED, "out of memory for a game of %zu positions", room);
        }
        csv->rows = rows;
        csv->room = room;
    }
    snprintf(csv->key, sizeof csv->key, "%s", key);
    csv->variant = variant;
    csv->rows[csv->count++] = *row;
    return true;
}

static bool take_line(struct csv *csv, struct err *err)
{
    const char *text[COLUMNS];
    char *field[FIELDS_MAX], key[KEY];
    int count = split(csv->line, field);
    const struct variant *variant;
    struct shard_row row = {0};
    struct err why = {0};

    if (count < 0) {
        import_fault(csv->importer, csv->number, "a quote without its end, or too many fields");
        return true;
    }
    for (int column = 0; column < COLUMNS; column++) {
        int place = csv->place[column];
        text[column] = place < 0 || place >= count ? "" : field[place];
    }
    if (!read_row(csv, text, &variant, &row, &why)) {
        import_fault(csv->importer, csv->number, why.text);
        return true;
    }
    snprintf(key, sizeof key, "%.60s/%.60s", text[GENERATION], text[GAME]);
    return add_row(csv, variant, key, &row, err);
}

bool import_csv(struct importer *importer, struct err *err)
{
    struct csv csv = {.importer = importer, .in = fopen(importer->file, "r")};

    if (!csv.in) {
        return err_set(err, ERR_USAGE, "%s: %s", importer->file, strerror(errno));
    }
    bool ok = read_header(&csv, err);
    while (ok && next_line(&csv)) {
        ok = *csv.line == '\0' || take_line(&csv, err);
    }
    if (ok && ferror(csv.in)) {
        ok = err_set(err, ERR_FAILED, "%s: cannot read: %s", importer->file, strerror(errno));
    }
    ok = ok && end_game(&csv, err);
    fclose(csv.in);
    free(csv.line);
    free(csv.rows);
    return ok;
}
