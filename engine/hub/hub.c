/* The Hub session. One function a command, found through a table; each has the whole line and
 * writes its answer. */
#include "engine/hub/hub.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/base/version.h"

enum { TABLE_BITS_MIN = 10, TABLE_BITS_MAX = 26 };

static const double MOVE_TIME_AT_FIRST = 1; /* seconds, until a level is set */

/* Of a move's average time: an iteration begun after it would on the average end too late. */
static const double SOFT_PART = 0.6;

/* What a command's function works with. */
struct request {
    struct hub *hub;
    const struct hub_line *line;
    char *answer; /* [HUB_ANSWER], empty at first */
    struct err err;
};

typedef enum hub_action take_command(struct request *request);

/* Answers with the error that request->err holds, behind the command's name. */
static enum hub_action refuse(struct request *request)
{
    hub_error_write(request->err.text, request->answer);
    return HUB_NOTHING;
}

static enum hub_action refuse_because(struct request *request, const char *reason)
{
    err_set(&request->err, ERR_USAGE, "%s: %s", request->line->command, reason);
    return refuse(request);
}

static enum hub_action take_hub(struct request *request)
{
    const struct hub *hub = request->hub;
    char names[VARIANT_COUNT * 32] = "";
    for (int i = 0; i < VARIANT_COUNT; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? " " : "",
                 variant_at(i)->rules->hub_name);
    }
    snprintf(request->answer, HUB_ANSWER,
             "id name=Draughtsmith version=%s author=\"The Draughtsmith authors\"\n"
             "param name=variant value=%s type=enum values=\"%s\"\n"
             "param name=tt-size value=%d type=int min=%d max=%d\n"
             "param name=threads value=%d type=int min=1 max=%d\n"
             "wait\n",
             version_number(), hub->wanted->rules->hub_name, names, hub->wanted_table_bits,
             TABLE_BITS_MIN, TABLE_BITS_MAX, hub->wanted_threads, SEARCH_THREADS_MAX);
    return HUB_NOTHING;
}

static enum hub_action set_variant(struct request *request, const char *value)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(variant_at(i)->rules->hub_name, value) == 0) {
            request->hub->wanted = variant_at(i);
            return HUB_NOTHING;
        }
    }
    err_set(&request->err, ERR_USAGE, "variant is '%s', there are normal, classic and flying",
            value);
    return refuse(request);
}

static enum hub_action set_integer(struct request *request, const char *value, int min, int max,
                                   int *out)
{
    long long number = 0;
    if (!number_integer(value, hub_line_value(request->line, "name"), min, max, &number,
                        &request->err)) {
        return refuse(request);
    }
    *out = (int)number;
    return HUB_NOTHING;
}

static enum hub_action take_set_param(struct request *request)
{
    struct hub *hub = request->hub;
    const char *name = hub_line_value(request->line, "name");
    const char *value = hub_line_value(request->line, "value");
    if (name == NULL || value == NULL) {
        return refuse_because(request, "name and value are needed");
    }
    if (strcmp(name, "variant") == 0) {
        return set_variant(request, value);
    }
    if (strcmp(name, "tt-size") == 0) {
        return set_integer(request, value, TABLE_BITS_MIN, TABLE_BITS_MAX, &hub->wanted_table_bits);
    }
    if (strcmp(name, "threads") == 0) {
        return set_integer(request, value, 1, SEARCH_THREADS_MAX, &hub->wanted_threads);
    }
    return HUB_NOTHING;
}

static enum hub_action take_init(struct request *request)
{
    (void)request;
    return HUB_INITIALISE;
}

/* Replaces the game by one that starts from `start`. */
static bool restart(struct hub *hub, const struct position *start, struct err *err)
{
    struct game game;
    if (!game_init(&game, hub->variant, start)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    if (hub->has_position) {
        game_fini(&hub->game);
    }
    hub->game = game;
    hub->has_position = true;
    return true;
}

static void forget_position(struct hub *hub)
{
    if (hub->has_position) {
        game_fini(&hub->game);
    }
    hub->has_position = false;
}

static enum hub_action take_pos(struct request *request)
{
    struct hub *hub = request->hub;
    const char *text = hub_line_value(request->line, "pos");
    const char *moves = hub_line_value(request->line, "moves");
    if (hub->variant == NULL) {
        return refuse_because(request, "send init first");
    }
    struct position start = position_start(hub->variant->rules);
    if ((text != NULL && !hub_position_read(hub->variant->rules, text, &start, &request->err)) ||
        !restart(hub, &start, &request->err) ||
        (moves != NULL && !game_play_text(&hub->game, moves, &request->err))) {
        forget_position(hub);
        err_prefix(&request->err, "pos");
        return refuse(request);
    }
    return HUB_NOTHING;
}

static enum hub_action take_level(struct request *request)
{
    if (!hub_level_read(request->line, &request->hub->level, &request->err)) {
        return refuse(request);
    }
    return HUB_NOTHING;
}

static enum hub_action take_go(struct request *request)
{
    struct hub *hub = request->hub;
    if (hub->variant == NULL) {
        return refuse_because(request, "send init first");
    }
    if (!hub->has_position) {
        return refuse_because(request, "there is no position, the last pos was refused");
    }
    if (hub->variant->count_moves(game_now(&hub->game)) == 0) {
        refuse_because(request, "the side to move has no legal move, the game is over");
        size_t used = strlen(request->answer);
        snprintf(request->answer + used, HUB_ANSWER - used, "done\n");
        return HUB_NOTHING;
    }
    hub->analysing = hub_line_value(request->line, "analyze") != NULL;
    hub->pondering = hub_line_value(request->line, "ponder") != NULL;
    return HUB_SEARCH;
}

static enum hub_action take_ponder_hit(struct request *request)
{
    struct hub *hub = request->hub;
    bool starts = hub->searching && hub->pondering;
    hub->pondering = false;
    return starts ? HUB_START_CLOCK : HUB_NOTHING;
}

/* Without a search there is nothing to stop: its `done` and this line crossed. */
static enum hub_action take_stop(struct request *request)
{
    return request->hub->searching ? HUB_STOP : HUB_NOTHING;
}

static enum hub_action take_new_game(struct request *request)
{
    struct hub *hub = request->hub;
    if (hub->variant == NULL) {
        return HUB_NOTHING;
    }
    struct position start = position_start(hub->variant->rules);
    if (!restart(hub, &start, &request->err)) {
        return refuse(request);
    }
    return HUB_FORGET;
}

static enum hub_action take_ping(struct request *request)
{
    snprintf(request->answer, HUB_ANSWER, "pong\n");
    return HUB_NOTHING;
}

static enum hub_action take_quit(struct request *request)
{
    (void)request;
    return HUB_QUIT;
}

static const struct command_entry {
    const char *name;
    take_command *take;
    bool while_searching; /* may arrive during a search */
} COMMANDS[] = {
    {"hub", take_hub, false},
    {"set-param", take_set_param, false},
    {"init", take_init, false},
    {"pos", take_pos, false},
    {"level", take_level, false},
    {"go", take_go, false},
    {"ponder-hit", take_ponder_hit, true},
    {"stop", take_stop, true},
    {"new-game", take_new_game, false},
    {"ping", take_ping, true},
    {"quit", take_quit, true},
};

void hub_init(struct hub *hub, const struct variant *variant)
{
    *hub = (struct hub){.wanted = variant,
                        .wanted_table_bits = HUB_TABLE_BITS,
                        .wanted_threads = 1,
                        .level = {.move_time = MOVE_TIME_AT_FIRST}};
}

void hub_fini(struct hub *hub)
{
    forget_position(hub);
}

void hub_lose_line(struct hub *hub)
{
    if (!hub->searching) {
        forget_position(hub);
    }
}

enum hub_action hub_take(struct hub *hub, char *text, char answer[HUB_ANSWER])
{
    struct hub_line line;
    struct request request = {.hub = hub, .line = &line, .answer = answer};
    answer[0] = '\0';
    if (!hub_line_parse(text, &line, &request.err)) {
        if (line.command != NULL && strcmp(line.command, "pos") == 0) {
            hub_lose_line(hub);
        }
        return refuse(&request);
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (strcmp(COMMANDS[i].name, line.command) != 0) {
            continue;
        }
        if (hub->searching && !COMMANDS[i].while_searching) {
            return refuse_because(&request, "a search is running, send stop first");
        }
        return COMMANDS[i].take(&request);
    }
    return HUB_NOTHING;
}

bool hub_initialised(struct hub *hub, struct err *err)
{
    forget_position(hub);
    hub->variant = hub->wanted;
    struct position start = position_start(hub->variant->rules);
    if (restart(hub, &start, err)) {
        return true;
    }
    hub->variant = NULL;
    return false;
}

struct search_limits hub_limits(const struct hub *hub)
{
    struct search_limits limits = {
        .depth = hub->level.depth, .nodes = hub->level.nodes, .analyse = hub->analysing};
    if (!hub->pondering) {
        limits.seconds = hub_level_seconds_most(&hub->level);
    }
    if (!hub->pondering && hub->level.clock) {
        limits.soft_seconds = SOFT_PART * hub_level_seconds(&hub->level);
    }
    return limits;
}
