/* The lines of a session: a command of the table below, else a move. */
#include <ctype.h>
#include <string.h>

#include "engine/base/nearest.h"
#include "engine/commands/play_session.h"
#include "engine/rules/fen.h"

enum { WORD = 128 };

/* What a command may use and say. */
struct typed {
    struct play *play;
    FILE *out;
    const char *argument; /* what follows the command's name, "" when nothing does */
    enum play_wish *wish;
    const char **file;
};

static void show_help(struct typed *typed);

static void show_board(struct typed *typed)
{
    play_show_board(typed->play, typed->out);
}

static void show_moves(struct typed *typed)
{
    play_show_moves(typed->play, typed->out);
}

static void hint(struct typed *typed)
{
    play_hint(typed->play, typed->out);
}

static void undo(struct typed *typed)
{
    play_undo(typed->play, typed->out);
}

static void draw(struct typed *typed)
{
    play_draw(typed->play, typed->out);
}

static void resign(struct typed *typed)
{
    play_resign(typed->play, typed->out);
}

static void level(struct typed *typed)
{
    play_show_level(typed->play, typed->out);
}

static void fen(struct typed *typed)
{
    char text[FEN_SIZE];

    fen_write(typed->play->game.variant->rules, game_now(&typed->play->game), text);
    fprintf(typed->out, "%s\n", text);
}

static void save(struct typed *typed)
{
    if (typed->argument[0] == '\0') {
        fputs("save needs the name of a file: save game.pdn\n", typed->out);
        return;
    }
    *typed->file = typed->argument;
    *typed->wish = PLAY_SAVE;
}

static void quit(struct typed *typed)
{
    *typed->wish = PLAY_QUIT;
}

static const struct entry {
    const char *name, *argument, *help;
    void (*run)(struct typed *typed);
} COMMANDS[] = {
    {"moves", "", "lists the legal moves", show_moves},
    {"board", "", "draws the board again", show_board},
    {"hint", "", "a move that is good here", hint},
    {"undo", "", "takes your last move and the answer to it back", undo},
    {"draw", "", "shows how near a draw by rule is, and offers one", draw},
    {"resign", "", "gives the game up", resign},
    {"level", "", "who you play against", level},
    {"fen", "", "the position as FEN", fen},
    {"save", " FILE", "writes the game as PDN", save},
    {"help", "", "this list", show_help},
    {"quit", "", "leaves, as the end of the input does", quit},
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void show_help(struct typed *typed)
{
    fputs("A move is 32-28; a capture is 26x37, start and end, with the squares landed on between\n"
          "them when there are several: 26x37x28. Or the taken squares behind, as in 26x37x31.\n",
          typed->out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%s", COMMANDS[i].name, COMMANDS[i].argument);
        fprintf(typed->out, "  %-10s %s\n", text, COMMANDS[i].help);
    }
}

static const struct entry *find(const char *word)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, word) == 0) {
            return &COMMANDS[i];
        }
    }
    return NULL;
}

/* A word that begins with a letter and is no command. */
static void refuse_word(const char *word, FILE *out)
{
    struct nearest nearest = nearest_start(word);

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        nearest_offer(&nearest, COMMANDS[i].name);
    }
    const char *close = nearest_found(&nearest);
    if (close) {
        fprintf(out, "'%s' is no command, did you mean '%s'?\n", word, close);
    } else {
        fprintf(out, "'%s' is no command and no move; help lists the commands.\n", word);
    }
}

/* The first word of a line, what cannot be printed as '?'; returns what follows it. */
static const char *take_word(const char *line, char out[WORD])
{
    size_t length = 0;

    line += strspn(line, " \t");
    for (; *line != '\0' && !isspace((unsigned char)*line); line++) {
        if (length + 1 < WORD) {
            out[length++] = *line;
            if (!isprint((unsigned char)*line)) {
                out[length - 1] = '?';
            }
        }
    }
    out[length] = '\0';
    return line + strspn(line, " \t");
}

bool play_line(struct play *play, const char *line, FILE *out, enum play_wish *wish,
               const char **file, struct err *err)
{
    char word[WORD];
    struct typed typed = {play, out, take_word(line, word), wish, file};

    *wish = PLAY_ON;
    *file = NULL;
    if (word[0] == '\0') {
        return true;
    }
    const struct entry *entry = find(word);
    if (entry != NULL && entry->argument[0] == '\0' && typed.argument[0] != '\0') {
        fprintf(out, "'%s' takes nothing behind it.\n", word);
    } else if (entry != NULL) {
        entry->run(&typed);
    } else if (isalpha((unsigned char)word[0])) {
        refuse_word(word, out);
    } else if (typed.argument[0] != '\0') {
        fputs("No: one move a line.\n", out);
    } else {
        return play_move(play, word, out, err);
    }
    return true;
}
