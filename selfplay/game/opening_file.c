/* Openings from files of positions or games. */
#include "selfplay/game/opening_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/rng.h"
#include "engine/pdn/pdn_read.h"
#include "engine/rules/fen.h"
#include "selfplay/game/hash.h"

/* A file on its way in. */
struct reading {
    struct opening_file *file;
    const char *path;
    int line;        /* 0 until a fault in a game: where it is ... */
    char fault[256]; /* ... and what */
};

static bool copy_game(const struct game *from, struct game *to)
{
    if (!game_init(to, from->variant, &from->positions[0])) {
        return false;
    }
    for (int ply = 0; ply < from->plies; ply++) {
        if (!game_play(to, &from->moves[ply])) {
            game_fini(to);
            return false;
        }
    }
    return true;
}

static bool out_of_memory(const char *path, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s: out of memory for the openings", path);
}

static void add_to_hash(struct opening_file *file, const struct game *game)
{
    file->hash = hash_mix(file->hash, position_key(&game->positions[0]));
    for (int ply = 0; ply < game->plies; ply++) {
        const struct move *move = &game->moves[ply];
        file->hash = hash_mix(file->hash, move->taken);
        file->hash = hash_mix(file->hash, (uint64_t)move->from << 8 | move->to);
    }
}

/* Whether the rules let a game come to where it stands and go on. */
static bool is_open(const struct game *game)
{
    struct game part = *game;

    for (part.plies = 0; part.plies < game->plies; part.plies++) {
        if (game_outcome(&part, NULL) != OUTCOME_OPEN) {
            return false;
        }
    }
    return game_outcome(game, NULL) == OUTCOME_OPEN;
}

/* Adds a copy of a game that begins at `line`. */
static bool add(const struct reading *reading, const struct game *game, int line, struct err *err)
{
    struct opening_file *file = reading->file;

    if (!is_open(game)) {
        return err_set(err, ERR_USAGE, "%s:%d: the game is over, which is no opening",
                       reading->path, line);
    }
    if (file->count == file->capacity) {
        int64_t capacity = 2 * file->capacity + 64;
        struct game *grown = realloc(file->opening, (size_t)capacity * sizeof *grown);
        if (!grown) {
            return out_of_memory(reading->path, err);
        }
        file->opening = grown;
        file->capacity = capacity;
    }
    if (!copy_game(game, &file->opening[file->count])) {
        return out_of_memory(reading->path, err);
    }
    file->count++;
    add_to_hash(file, game);
    return true;
}

/* --- positions ---------------------------------------------------------------------------------*/

static bool add_fen(const struct reading *reading, const char *fen, int line, struct err *err)
{
    struct position start;
    struct game game;

    if (!fen_read(reading->file->variant->rules, fen, &start, err)) {
        return err_prefix(err, "%s:%d", reading->path, line);
    }
    if (!game_init(&game, reading->file->variant, &start)) {
        return out_of_memory(reading->path, err);
    }
    bool ok = add(reading, &game, line, err);
    game_fini(&game);
    return ok;
}

/* The text ends with a zero byte, and has no other. A byte order mark is passed over. */
static bool read_positions(const struct reading *reading, const char *text, size_t size,
                           struct err *err)
{
    enum { LINE = 1024 };
    const char *end = text + size;

    text += size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (int line = 1; text < end; line++) {
        size_t length = strcspn(text, "\n");
        if (text[length] == '\0' && text + length < end) {
            return err_set(err, ERR_USAGE, "%s:%d: holds a zero byte, a text file is needed",
                           reading->path, line);
        }
        const char *next = text + length + (text[length] == '\n');
        char fen[LINE];

        size_t kept = strcspn(text, "#\n");
        while (kept > 0 && strchr(" \t\r", text[kept - 1])) {
            kept--;
        }
        if (kept >= LINE) {
            return err_set(err, ERR_USAGE, "%s:%d: a line of more than %d characters is no FEN",
                           reading->path, line, LINE - 1);
        }
        snprintf(fen, sizeof fen, "%.*s", (int)kept, text);
        if (kept > 0 && !add_fen(reading, fen, line, err)) {
            return false;
        }
        text = next;
    }
    return true;
}

/* --- games -------------------------------------------------------------------------------------*/

/* Keeps the first fault. */
static void note_fault(void *context, int line, int game, const char *what)
{
    struct reading *reading = context;

    if (reading->line == 0) {
        reading->line = line;
        snprintf(reading->fault, sizeof reading->fault, "game %d: %s", game, what);
    }
}

static bool take_game(void *context, const struct pdn_game *pdn, struct err *err)
{
    const struct reading *reading = context;
    const struct rules *wanted = reading->file->variant->rules;

    if (reading->line != 0) {
        return err_set(err, ERR_USAGE, "%s:%d: %s", reading->path, reading->line, reading->fault);
    }
    const struct rules *found = pdn->game.variant->rules;
    if (found != wanted) {
        return err_set(err, ERR_USAGE, "%s:%d: game %d is of the rules '%s', not '%s'",
                       reading->path, pdn->line, pdn->number, found->name, wanted->name);
    }
    return add(reading, &pdn->game, pdn->line, err);
}

static bool read_games(struct reading *reading, const char *text, size_t size, struct err *err)
{
    const struct pdn_sink sink = {.context = reading, .fault = note_fault, .game = take_game};

    if (!pdn_read(text, size, reading->file->variant, &sink, err)) {
        return false;
    }
    return reading->line == 0 ||
           err_set(err, ERR_USAGE, "%s:%d: %s", reading->path, reading->line, reading->fault);
}

/* --- the file ----------------------------------------------------------------------------------*/

static bool is_pdn(const char *path)
{
    size_t length = strlen(path);

    return length >= 4 && strcasecmp(path + length - 4, ".pdn") == 0;
}

bool opening_file_read(struct opening_file *file, const struct variant *variant, const char *path,
                       const char *text, size_t size, struct err *err)
{
    struct reading reading = {.file = file, .path = path};

    *file = (struct opening_file){.variant = variant, .hash = HASH_START};
    bool ok = is_pdn(path) ? read_games(&reading, text, size, err)
                           : read_positions(&reading, text, size, err);
    if (ok && file->count == 0) {
        ok = err_set(err, ERR_USAGE, "%s: no opening", path);
    }
    if (!ok) {
        opening_file_fini(file);
    }
    return ok;
}

void opening_file_fini(struct opening_file *file)
{
    for (int64_t i = 0; i < file->count; i++) {
        game_fini(&file->opening[i]);
    }
    free(file->opening);
    *file = (struct opening_file){0};
}

/* Fisher and Yates' shuffle (Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm
 * P). */
void opening_file_shuffle(struct opening_file *file, uint64_t seed, uint64_t stream)
{
    struct rng rng = rng_make(seed, RNG_OPENING_ORDER, stream);

    for (int64_t last = file->count - 1; last > 0; last--) {
        uint32_t other = rng_below(&rng, (uint64_t)last, (uint32_t)last + 1);
        struct game game = file->opening[last];
        file->opening[last] = file->opening[other];
        file->opening[other] = game;
    }
}

bool opening_file_play(const struct opening_file *file, int64_t number, struct game *game,
                       struct err *err)
{
    assert(file->count > 0 && number >= 0);
    return copy_game(&file->opening[number % file->count], game) ||
           err_set(err, ERR_FAILED, "out of memory for an opening");
}
