/* What the commands of program `draughts` share. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/artefact/shipped.h"
#include "engine/commands/draughts.h"
#include "engine/rules/fen.h"

/* The name of the built-in weights for -w. */
static const char BUILT_IN[] = "built-in";

struct flag flag_rules(const char **value)
{
    return (struct flag){'r', "rules", "RULES", "international, classic or flying", value};
}

struct flag flag_position(const char **value)
{
    return (struct flag){'p', "position", "FEN", "the position; default: the opening", value};
}

struct flag flag_moves(const char **value)
{
    return (struct flag){'m', "moves", "MOVES", "moves played from there, separated by blanks",
                         value};
}

struct flag flag_weights(const char **value)
{
    return (struct flag){'w', "weights", "FILE",
                         "a RULES.h5 file, or 'built-in'; default: the shipped one", value};
}

const struct variant *variant_of_flag(const char *rules, struct err *err)
{
    if (rules != NULL) {
        return variant_by_name(rules, err);
    }
    err_set(err, ERR_USAGE, "-r is missing: international, classic or flying");
    return NULL;
}

bool game_of_flags(const struct variant *variant, const char *fen, const char *moves,
                   struct game *out, struct err *err)
{
    struct position start = position_start(variant->rules);
    *out = (struct game){0};
    if (fen != NULL && !fen_read(variant->rules, fen, &start, err)) {
        return err_prefix(err, "-p");
    }
    if (!game_init(out, variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    if (moves == NULL || game_play_text(out, moves, err)) {
        return true;
    }
    game_fini(out);
    return err_prefix(err, "-m");
}

bool position_of_flags(const struct variant *variant, const char *fen, const char *moves,
                       struct position *out, struct err *err)
{
    struct game game;
    if (!game_of_flags(variant, fen, moves, &game, err)) {
        return false;
    }
    *out = *game_now(&game);
    game_fini(&game);
    return true;
}

/* The path of the weights file to read; "" when there is none. */
static bool find_weights(const struct draughts_settings *settings, const struct variant *variant,
                         const char *path, char out[FILE_PATH], struct err *err)
{
    if (path != NULL) {
        return file_join(out, "", path, err);
    }
    if (settings->weights_dir[0] != '\0') {
        return artefact_path(out, settings->weights_dir, variant, err);
    }
    if (!shipped_find(variant, out)) {
        out[0] = '\0';
    }
    return true;
}

bool draughts_artefact(const struct invocation *invocation, const struct log *log,
                       const struct variant *variant, const char *path, struct artefact *out,
                       struct err *err)
{
    char found[FILE_PATH];
    if (path != NULL && strcmp(path, BUILT_IN) == 0) {
        artefact_builtin(variant, out);
        return true;
    }
    if (!find_weights(invocation->program->settings, variant, path, found, err)) {
        return false;
    }
    if (found[0] == '\0') {
        artefact_builtin(variant, out);
        log_line(log, LOG_INFO, "no %s.h5 is shipped, playing with the built-in weights",
                 variant->rules->name);
        return true;
    }
    if (!artefact_read(found, variant, out, err)) {
        return false;
    }
    log_line(log, LOG_DEBUG, "weights of %s", found);
    return true;
}

bool draughts_weights(const struct invocation *invocation, const struct log *log,
                      const struct variant *variant, const char *path, struct weights *out,
                      struct err *err)
{
    struct artefact artefact;
    if (!draughts_artefact(invocation, log, variant, path, &artefact, err)) {
        return false;
    }
    *out = artefact.weights;
    return true;
}
