/* What the commands of program `draughts` share. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/artefact.h"
#include "engine/draughts.h"
#include "engine/fen.h"
#include "engine/shipped.h"

bool draughts_parse(const struct invocation *invocation, const struct flag *flags,
                    size_t flag_count, const char *operands, size_t operand_count,
                    struct command_line *out, struct err *err)
{
    size_t length = strlen(operands);
    bool any = length > 3 && strcmp(operands + length - 3, "...") == 0;
    const struct command command = {
        .name = invocation->name,
        .operands = operands,
        .summary = invocation->summary,
        .flags = flags,
        .flag_count = flag_count,
        .operands_min = operand_count,
        .operands_max = any ? SIZE_MAX : operand_count,
    };
    return command_parse(invocation->program, &command, invocation->argc, invocation->argv, 2, out,
                         err);
}

struct flag flag_rules(const char **value)
{
    return (struct flag){'r', "rules", "RULES", "international, classic or flying", value};
}

struct flag flag_position(const char **value)
{
    return (struct flag){'p', "position", "FEN", "the position; default: the opening", value};
}

struct flag flag_weights(const char **value)
{
    return (struct flag){'w', "weights", "FILE", "weights, as RULES.h5; default: the shipped ones",
                         value};
}

const struct variant *variant_of_flag(const char *rules, struct err *err)
{
    if (rules != NULL) {
        return variant_by_name(rules, err);
    }
    err_set(err, ERR_USAGE, "-r is missing: international, classic or flying");
    return NULL;
}

bool position_of_flag(const struct variant *variant, const char *fen, struct position *out,
                      struct err *err)
{
    if (fen == NULL) {
        *out = position_start(variant->rules);
        return true;
    }
    return fen_read(variant->rules, fen, out, err) || err_prefix(err, "-p");
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

bool draughts_weights(const struct invocation *invocation, const struct log *log,
                      const struct variant *variant, const char *path, struct weights *out,
                      struct err *err)
{
    char found[FILE_PATH];
    struct artefact artefact;
    if (!find_weights(invocation->settings, variant, path, found, err)) {
        return false;
    }
    if (found[0] == '\0') {
        weights_builtin(variant->rules, out);
        log_line(log, LOG_INFO, "no %s.h5 is shipped, playing with the built-in weights",
                 variant->rules->name);
        return true;
    }
    if (!artefact_read(found, variant, &artefact, err)) {
        return false;
    }
    *out = artefact.weights;
    log_line(log, LOG_DEBUG, "weights of %s", found);
    return true;
}
