/* A game's words played on a board.
 *
 * A variation begins where the last move of its line was made and stands for that move. */
#include "engine/pdn/pdn_replay.h"

#include <stdarg.h>

#include "engine/pdn/pdn_move.h"
#include "engine/pdn/pdn_variant.h"

enum { DEPTH = 64, EXCERPT = 25 };

/* The main line or a variation. */
struct line {
    struct position now, before; /* before the last move */
    bool lost;                   /* a fault has left the position unknown */
    int begun;                   /* in line of the text */
};

struct replay {
    const struct variant *variant;
    const struct pdn_sink *sink;
    struct pdn_game *game;
    struct line line[DEPTH + 1]; /* by depth of nesting; the last is lost to what nests deeper */
    int depth;
};

void pdn_fault(struct pdn_game *game, const struct pdn_sink *sink, int line, const char *format,
               ...)
{
    char what[ERR_TEXT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    /* A value of a tag may bring some in. */
    for (char *at = what; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == '\x7f') {
            *at = '?';
        }
    }
    game->faults++;
    sink->fault(sink->context, line, game->number, what);
}

static struct line *current(struct replay *replay)
{
    return &replay->line[replay->depth < DEPTH ? replay->depth : DEPTH];
}

/* Says a fault that leaves the position unknown. */
static void lose(struct replay *replay, const struct pdn_token *token, const char *what)
{
    pdn_fault(replay->game, replay->sink, token->line, "%s", what);
    current(replay)->lost = true;
}

static void lose_bad(struct replay *replay, const struct pdn_token *token)
{
    char excerpt[EXCERPT], what[ERR_TEXT];
    size_t length = 0;

    for (; length < token->text.length && length + 1 < sizeof excerpt; length++) {
        char c = token->text.text[length];
        if (c == '\r' || c == '\n') {
            break;
        }
        excerpt[length] = c >= ' ' && c <= '~' ? c : '?';
    }
    excerpt[length] = '\0';
    snprintf(what, sizeof what, "'%s%s': %s", excerpt, length < token->text.length ? "..." : "",
             token->what);
    lose(replay, token, what);
}

/* Whether - for x, or x for -, is all that is wrong with the move: then that is the fault, and the
 * line goes on. */
static bool other_separator(struct replay *replay, const struct pdn_token *token, struct move *move)
{
    struct pdn_squares other = token->squares;
    const struct position *position = &current(replay)->now;
    char text[PDN_MOVE_TEXT];

    other.capture = !other.capture;
    if ((other.count > 2 && !other.capture) ||
        !pdn_move_read(replay->variant, position, &other, move, NULL)) {
        return false;
    }
    pdn_move_write(replay->variant, position, move, text);
    pdn_fault(replay->game, replay->sink, token->line, "'%.*s' is %s: it is written %s",
              (int)token->text.length, token->text.text, move->taken ? "a capture" : "no capture",
              text);
    return true;
}

static bool play(struct replay *replay, const struct pdn_token *token, struct err *err)
{
    struct line *line = current(replay);
    struct move move;
    struct err fault = {0};

    if (!pdn_move_read(replay->variant, &line->now, &token->squares, &move, &fault) &&
        !other_separator(replay, token, &move)) {
        lose(replay, token, fault.text);
        return true;
    }
    line->before = line->now;
    line->now = position_after(replay->variant->rules, &line->now, &move);
    if (replay->depth > 0) {
        return true;
    }
    replay->game->moves++;
    return game_play(&replay->game->game, &move) || err_set(err, ERR_FAILED, "out of memory");
}

/* A position set up: the line goes on from there. */
static bool set_up(struct replay *replay, const struct pdn_token *token, struct err *err)
{
    struct line *line = current(replay);
    struct position position;
    struct err fault = {0};

    if (!pdn_position(token->value, replay->variant->rules, &position, &fault)) {
        lose(replay, token, fault.text);
        return true;
    }
    *line = (struct line){.now = position, .before = position, .begun = line->begun};
    if (replay->depth > 0) {
        return true;
    }
    game_fini(&replay->game->game);
    return game_init(&replay->game->game, replay->variant, &position) ||
           err_set(err, ERR_FAILED, "out of memory");
}

static void open_variation(struct replay *replay, const struct pdn_token *token)
{
    const struct line *parent = current(replay);
    struct line child = {.now = parent->before,
                         .before = parent->before,
                         .lost = parent->lost,
                         .begun = token->line};

    replay->depth++;
    if (replay->depth == DEPTH && !child.lost) {
        lose(replay, token, "variations nest over 63 deep, those inside are not read");
        child.lost = true;
    }
    if (replay->depth <= DEPTH) {
        *current(replay) = child;
    }
}

static bool take(struct replay *replay, const struct pdn_token *token, struct err *err)
{
    bool lost = current(replay)->lost;

    switch (token->kind) {
    case PDN_MOVE:
        return lost || play(replay, token, err);
    case PDN_SETUP:
        return replay->depth >= DEPTH || set_up(replay, token, err);
    case PDN_OPEN:
        open_variation(replay, token);
        return true;
    case PDN_CLOSE:
        if (replay->depth > 0) {
            replay->depth--;
        } else if (!lost) {
            lose(replay, token, "')' closes no variation");
        }
        return true;
    default:
        if (!lost) {
            lose_bad(replay, token);
        }
        return true;
    }
}

bool pdn_replay(struct pdn_game *game, const struct variant *variant, const struct pdn_sink *sink,
                struct err *err)
{
    const struct pdn_text *text = game->text;
    struct replay replay = {.variant = variant, .sink = sink, .game = game};
    struct position start = position_start(variant->rules);
    struct err fault = {0};

    if (!pdn_start(text, variant->rules, &start, &fault)) {
        lose(&replay, pdn_text_tag(text, "FEN"), fault.text);
    }
    replay.line[0].now = replay.line[0].before = start;
    if (!game_init(&game->game, variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    for (int i = text->tags; i < text->count; i++) {
        if (!take(&replay, &text->token[i], err)) {
            return false;
        }
    }
    if (replay.depth > 0) {
        pdn_fault(game, sink, current(&replay)->begun, "the variation is not closed by )");
    }
    return true;
}
