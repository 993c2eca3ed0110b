/* Lines of the Hub protocol, read and written from the side that drives the engine. */
#include "selfplay/external/hub_dialogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/hub/hub_text.h"
#include "engine/rules/notation.h"
#include "engine/search/score.h"

/* --- what the engine says ----------------------------------------------------------------------*/

static void keep(char out[HUB_TEXT], const struct hub_line *line, const char *name)
{
    const char *value = hub_line_value(line, name);

    if (value) {
        snprintf(out, HUB_TEXT, "%s", value);
    }
}

static enum dialogue_event take_id(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    keep(dialogue->name, line, "name");
    keep(dialogue->version, line, "version");
    return DIALOGUE_NOTHING;
}

static enum dialogue_event take_param(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    const char *name = hub_line_value(line, "name");

    if (name && strcmp(name, "variant") == 0) {
        dialogue->has_variant = true;
        keep(dialogue->variants, line, "values");
    }
    return DIALOGUE_NOTHING;
}

static enum dialogue_event take_wait(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    (void)dialogue;
    (void)line;
    return DIALOGUE_WAIT;
}

static enum dialogue_event take_ready(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    (void)dialogue;
    (void)line;
    return DIALOGUE_READY;
}

/* Scores are in men; what is no number changes nothing. */
static enum dialogue_event take_info(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    const char *score = hub_line_value(line, "score"), *nodes = hub_line_value(line, "nodes");
    const char *depth = hub_line_value(line, "depth");
    char *end;

    if (score) {
        double value = 100 * strtod(score, &end);
        if (end != score && *end == '\0' && isfinite(value)) {
            dialogue->score = (int)lrint(fmax(-SCORE_WON, fmin(SCORE_WON, value)));
        }
    }
    if (depth) {
        long value = strtol(depth, &end, 10);
        if (end != depth && *end == '\0' && value >= 0) {
            dialogue->depth = value < UINT8_MAX ? (int)value : UINT8_MAX;
        }
    }
    if (nodes && *nodes != '-') {
        unsigned long long value = strtoull(nodes, &end, 10);
        if (end != nodes && *end == '\0') {
            dialogue->nodes = value;
        }
    }
    return DIALOGUE_NOTHING;
}

static enum dialogue_event take_done(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    keep(dialogue->move, line, "move");
    return DIALOGUE_DONE;
}

static enum dialogue_event take_error(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    keep(dialogue->error, line, "message");
    return DIALOGUE_NOTHING;
}

static enum dialogue_event take_pong(struct hub_dialogue *dialogue, const struct hub_line *line)
{
    (void)dialogue;
    (void)line;
    return DIALOGUE_NOTHING;
}

static const struct {
    const char *command;
    enum dialogue_event (*take)(struct hub_dialogue *dialogue, const struct hub_line *line);
} COMMANDS[] = {
    {"", take_pong},     {"id", take_id},       {"param", take_param},
    {"wait", take_wait}, {"ready", take_ready}, {"info", take_info},
    {"done", take_done}, {"error", take_error}, {"pong", take_pong},
};

enum dialogue_event hub_dialogue_take(struct hub_dialogue *dialogue, char *text)
{
    struct hub_line line;

    if (!hub_line_parse(text, &line, NULL)) {
        return DIALOGUE_STRANGE;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        if (strcmp(COMMANDS[i].command, line.command) == 0) {
            return COMMANDS[i].take(dialogue, &line);
        }
    }
    return DIALOGUE_STRANGE;
}

void hub_dialogue_ask(struct hub_dialogue *dialogue)
{
    dialogue->move[0] = '\0';
    dialogue->error[0] = '\0';
    dialogue->score = 0;
    dialogue->depth = 0;
    dialogue->nodes = 0;
}

bool hub_dialogue_plays(const struct hub_dialogue *dialogue, const char *variant)
{
    const char *at = dialogue->variants;
    size_t length = strlen(variant);

    if (*at == '\0') {
        return true;
    }
    while ((at += strspn(at, " ")), *at != '\0') {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, variant, length) == 0) {
            return true;
        }
        at += word;
    }
    return false;
}

enum fault hub_dialogue_move(const struct game *game, const char *text, struct move *move)
{
    if (text[0] == '\0') {
        return FAULT_NO_MOVE;
    }
    if (move_read(game->variant, game_now(game), text, move, NULL)) {
        return FAULT_NONE;
    }
    /* Squares joined by - or x are a move, if a wrong one. */
    bool shaped = text[0] >= '0' && text[0] <= '9' && text[strspn(text, "0123456789-x")] == '\0' &&
                  strpbrk(text, "-x") != NULL;
    return shaped ? FAULT_ILLEGAL : FAULT_NONSENSE;
}

/* --- what it is told ---------------------------------------------------------------------------*/

static void write_position(FILE *out, const struct game *game)
{
    char position[SQUARES_MAX + 2];

    hub_position_write(game->variant->rules, &game->positions[0], position);
    fprintf(out, "pos pos=%s", position);
    for (int ply = 0; ply < game->plies; ply++) {
        char move[MOVE_TEXT];
        move_write(game->variant->rules, &game->moves[ply], move);
        fprintf(out, "%s%s", ply == 0 ? " moves=\"" : " ", move);
    }
    fprintf(out, "%s\n", game->plies > 0 ? "\"" : "");
}

static void write_limits(FILE *out, const struct hub_limits_sent *limits)
{
    fprintf(out, "level");
    if (limits->depth > 0) {
        fprintf(out, " depth=%d", limits->depth);
    }
    if (limits->nodes > 0) {
        fprintf(out, " nodes=%llu", (unsigned long long)limits->nodes);
    }
    if (limits->seconds > 0) {
        fprintf(out, " move-time=%.3f", limits->seconds);
    }
    fprintf(out, "\n");
}

/* Closes the stream behind *text; NULL when it has failed. */
static char *finish(FILE *out, char **text)
{
    bool failed = ferror(out) != 0;

    if (fclose(out) != 0 || failed) {
        free(*text);
        return NULL;
    }
    return *text;
}

char *hub_dialogue_question(const struct game *game, const struct hub_limits_sent *limits)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out) {
        return NULL;
    }
    write_position(out, game);
    write_limits(out, limits);
    fprintf(out, "go think\n");
    return finish(out, &text);
}

static bool write_parameters(FILE *out, char *words, struct err *err)
{
    struct hub_line line;

    if (!hub_line_parse(words, &line, err)) {
        return false;
    }
    for (int i = 0; i < line.count; i++) {
        const struct hub_argument *argument = &line.argument[i];
        if (*argument->value == '\0') {
            return err_set(err, ERR_USAGE, "'%s' has no value; name=value is right",
                           argument->name);
        }
        fprintf(out, "set-param name=\"%s\" value=\"%s\"\n", argument->name, argument->value);
    }
    return true;
}

char *hub_dialogue_parameters(const char *text, struct err *err)
{
    static const char COMMAND[] = "parameters ";
    size_t room = sizeof COMMAND + strlen(text), size;
    char *words = malloc(room), *lines = NULL;
    FILE *out = words ? open_memstream(&lines, &size) : NULL;
    struct err reason = {.code = ERR_FAILED, .text = "out of memory"};

    if (!out) {
        free(words);
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    snprintf(words, room, "%s%s", COMMAND, text);
    bool ok = write_parameters(out, words, &reason);
    free(words);
    char *result = finish(out, &lines);
    if (!ok || !result) {
        free(result);
        err_set(err, reason.code, "%s", reason.text);
        return NULL;
    }
    return result;
}
