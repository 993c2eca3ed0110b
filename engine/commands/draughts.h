/* Program `draughts`, the engine at a terminal: what its commands share.
 *
 * Each command is one file, engine/command_NAME.c, with one function. It writes its results to
 * stdout and returns false with the error; main does the rest. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/artefact/artefact.h"
#include "engine/base/commands.h"
#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/rules/variant.h"

/* program.settings of every command. */
struct draughts_settings {
    char weights_dir[OPTION_VALUE]; /* directory that holds RULES.h5; "": the shipped files */
};

typedef bool draughts_command(const struct invocation *invocation, struct err *err);

draughts_command command_moves, command_perft, command_search, command_eval, command_bench,
    command_hub, command_pdn, command_play;

/* The flags that several commands have. */
struct flag flag_rules(const char **value);
struct flag flag_position(const char **value);
struct flag flag_moves(const char **value);
struct flag flag_weights(const char **value);

/* The rule set of -r, which must be given. NULL with the error. */
const struct variant *variant_of_flag(const char *rules, struct err *err);

/* The game of -p (NULL: the opening position) and the moves of -m (NULL: none). Needs game_fini
 * when it succeeds. */
bool game_of_flags(const struct variant *variant, const char *fen, const char *moves,
                   struct game *out, struct err *err);

/* The position that this game is in. */
bool position_of_flags(const struct variant *variant, const char *fen, const char *moves,
                       struct position *out, struct err *err);

/* What -w names, `built-in` or a file, else that of weights.dir, else what is shipped; and when
 * nothing is shipped the built-in weights, which is said in the log. path may be NULL. The weights
 * are the caller's (weights_fini). */
bool draughts_artefact(const struct invocation *invocation, const struct log *log,
                       const struct variant *variant, const char *path, struct artefact *out,
                       struct err *err);

/* The weights of draughts_artefact. */
bool draughts_weights(const struct invocation *invocation, const struct log *log,
                      const struct variant *variant, const char *path, struct weights *out,
                      struct err *err);
