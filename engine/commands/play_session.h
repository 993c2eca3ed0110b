/* A game of a person against a level, told in text.
 *
 * A session takes lines and writes what there is to say to a stream; it knows no terminal, no file
 * and no clock, so that a whole game can be played by a test. The same lines with the same seed
 * give the same text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/err.h"
#include "engine/board/board_text.h"
#include "engine/rules/game.h"
#include "engine/search/level.h"

struct play_setup {
    struct level level; /* the computer's */
    enum colour side;   /* the person's */
    uint64_t seed;      /* of the level's random choices */
    bool colour;        /* ANSI colours on the board */
};

struct play {
    struct play_setup setup;
    struct game game;
    struct search *search;
    enum outcome given; /* OUTCOME_OPEN, or the result by resignation or agreement */
};

/* A session that goes on from `game`, which it copies. `weights` are those that the level was
 * measured with. Needs play_fini whether it succeeds or not; ERR_FAILED when memory is out. */
bool play_init(struct play *play, const struct play_setup *setup, const struct game *game,
               const struct weights *weights, struct err *err);
void play_fini(struct play *play);

/* Says who plays; when it is the computer's turn it moves. */
bool play_begin(struct play *play, FILE *out, struct err *err);

/* What is left to do after a line. */
enum play_wish {
    PLAY_ON,
    PLAY_SAVE, /* the game is to be written to the file named */
    PLAY_QUIT,
};

/* Takes one line, a move or a command, `help` lists them. On PLAY_SAVE *file is the name, a part of
 * the line. False only when memory is out. */
bool play_line(struct play *play, const char *line, FILE *out, enum play_wish *wish,
               const char **file, struct err *err);

/* "White to move> " */
void play_prompt(const struct play *play, FILE *out);

/* Writes the game as PDN. `date` is as PDN has it, "2026.11.30". */
void play_write(const struct play *play, const char *date, FILE *out);

/* --- what the commands do, each the verb of its name ------------------------------------------ */

void play_show_board(const struct play *play, FILE *out);
void play_show_moves(const struct play *play, FILE *out);
void play_show_counters(const struct play *play, FILE *out);
void play_show_level(const struct play *play, FILE *out);
bool play_move(struct play *play, const char *text, FILE *out, struct err *err);
void play_undo(struct play *play, FILE *out);
void play_hint(struct play *play, FILE *out);
void play_resign(struct play *play, FILE *out);
void play_draw(struct play *play, FILE *out);
