/* An engine behind pipes: starting, asking, and every way in which that can fail. */
#include "selfplay/external/hub_client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "selfplay/external/process.h"

enum { STRANGE_MAX = 100 }; /* lines that are no Hub, from one question to its answer */

static const double SLICE = 4e-3; /* seconds between two looks at the watch */
static const double QUIT_SECONDS = 0.5;

struct hub_client {
    const struct variant *variant;
    struct hub_client_settings settings;
    char *parameters;        /* lines to send; owned */
    struct process *process; /* NULL: not running */
    struct hub_dialogue dialogue;
    char detail[HUB_CLIENT_DETAIL];
};

struct hub_client *hub_client_create(const struct variant *variant,
                                     const struct hub_client_settings *settings, struct err *err)
{
    struct hub_client *client = calloc(1, sizeof *client);

    if (!client) {
        err_set(err, ERR_FAILED, "out of memory for an engine");
        return NULL;
    }
    client->variant = variant;
    client->settings = *settings;
    client->parameters = hub_dialogue_parameters(settings->parameters, err);
    if (!client->parameters) {
        free(client);
        return NULL;
    }
    return client;
}

static void end_process(struct hub_client *client, double grace, char how[PROCESS_END])
{
    process_end(client->process, grace, how);
    client->process = NULL;
}

void hub_client_destroy(struct hub_client *client)
{
    if (client) {
        if (client->process) {
            process_write(client->process, "quit\n", 0);
        }
        end_process(client, QUIT_SECONDS, NULL);
        free(client->parameters);
        free(client);
    }
}

const char *hub_client_detail(const struct hub_client *client)
{
    return client->detail;
}

const char *hub_client_name(const struct hub_client *client)
{
    return client->dialogue.name;
}

/* Ends the process, notes what was wrong (`what` may be NULL) and returns `fault`. */
static enum fault note(struct hub_client *client, enum fault fault, const char *what)
{
    char how[PROCESS_END] = "not running";
    const char *error = client->dialogue.error;

    end_process(client, fault == FAULT_CRASH ? QUIT_SECONDS : 0, how);
    snprintf(client->detail, sizeof client->detail, "%s%s%.120s%s%s%s%.120s", fault_name(fault),
             what ? ": " : "", what ? what : "", fault == FAULT_CRASH ? ": " : "",
             fault == FAULT_CRASH ? how : "", *error ? "; its last error: " : "", error);
    return fault;
}

/* Counts what is no answer; FAULT_NONSENSE when that is enough. */
static enum fault take_line(struct hub_client *client, char *line, enum dialogue_event wanted,
                            int *strange, bool *answered)
{
    enum dialogue_event event = hub_dialogue_take(&client->dialogue, line);

    *answered = event == wanted;
    if (!*answered && event != DIALOGUE_NOTHING && ++*strange > STRANGE_MAX) {
        return FAULT_NONSENSE;
    }
    return FAULT_NONE;
}

/* Reads until the engine answers as wanted, does wrong, or the watch gives up (*given_up). */
static enum fault await(struct hub_client *client, enum dialogue_event wanted, double deadline,
                        const struct play_watch *watch, bool *given_up)
{
    size_t before = process_bytes(client->process);
    int strange = 0;
    bool answered = false;

    *given_up = false;
    while (!answered) {
        char *line;
        enum fault fault = FAULT_NONE;
        switch (process_read(client->process, SLICE, &line)) {
        case PROCESS_LINE:
            fault = take_line(client, line, wanted, &strange, &answered);
            break;
        case PROCESS_SILENT:
            break;
        case PROCESS_LONG:
            return FAULT_FLOOD;
        case PROCESS_FINISHED:
            return FAULT_CRASH;
        }
        if (fault != FAULT_NONE) {
            return fault;
        }
        if (process_bytes(client->process) - before > client->settings.flood_bytes) {
            return FAULT_FLOOD;
        }
        if (!answered && clock_seconds() > deadline) {
            return strange > 0 ? FAULT_NONSENSE : FAULT_HANG;
        }
        *given_up = !play_goes_on(watch);
        if (*given_up) {
            return FAULT_NONE;
        }
    }
    return FAULT_NONE;
}

/* Sends a text; a process that is gone or does not read has crashed or hangs. */
static enum fault send(struct hub_client *client, const char *text, double deadline)
{
    if (process_write(client->process, text, deadline - clock_seconds())) {
        return FAULT_NONE;
    }
    return clock_seconds() > deadline ? FAULT_HANG : FAULT_CRASH;
}

/* --- starting ----------------------------------------------------------------------------------*/

/* What went wrong on the way to `ready`, which is one fault whatever it was. */
static enum fault note_start(struct hub_client *client, enum fault fault)
{
    char what[HUB_TEXT + 64], how[PROCESS_END] = "";

    switch (fault) {
    case FAULT_HANG:
        snprintf(what, sizeof what, "not ready within %g s", client->settings.start_seconds);
        break;
    case FAULT_CRASH:
        end_process(client, QUIT_SECONDS, how);
        snprintf(what, sizeof what, "it %s", how);
        break;
    default:
        snprintf(what, sizeof what, "%s", fault_name(fault));
    }
    return note(client, FAULT_START, what);
}

static enum fault introduce(struct hub_client *client, double deadline,
                            const struct play_watch *watch, bool *given_up)
{
    enum fault fault = send(client, "hub\n", deadline);

    return fault != FAULT_NONE ? fault : await(client, DIALOGUE_WAIT, deadline, watch, given_up);
}

static enum fault initialise(struct hub_client *client, double deadline,
                             const struct play_watch *watch, bool *given_up)
{
    char variant[64] = "";
    enum fault fault;

    if (client->dialogue.has_variant) {
        snprintf(variant, sizeof variant, "set-param name=variant value=%s\n",
                 client->variant->rules->hub_name);
    }
    if ((fault = send(client, variant, deadline)) != FAULT_NONE ||
        (fault = send(client, client->parameters, deadline)) != FAULT_NONE ||
        (fault = send(client, "init\n", deadline)) != FAULT_NONE) {
        return fault;
    }
    return await(client, DIALOGUE_READY, deadline, watch, given_up);
}

static enum fault start(struct hub_client *client, const struct play_watch *watch)
{
    const char *variant = client->variant->rules->hub_name;
    double deadline = clock_seconds() + client->settings.start_seconds;
    struct err err;
    bool given_up = false;

    client->dialogue = (struct hub_dialogue){0};
    client->process = process_start(client->settings.command, HUB_LINE, &err);
    if (!client->process) {
        return note(client, FAULT_START, err.text);
    }
    enum fault fault = introduce(client, deadline, watch, &given_up);
    if (fault == FAULT_NONE && !given_up && !hub_dialogue_plays(&client->dialogue, variant)) {
        char what[HUB_TEXT + 64];
        snprintf(what, sizeof what, "it plays '%.100s', not '%s'", client->dialogue.variants,
                 variant);
        return note(client, FAULT_START, what);
    }
    if (fault == FAULT_NONE && !given_up) {
        fault = initialise(client, deadline, watch, &given_up);
    }
    if (given_up) {
        end_process(client, 0, NULL);
    }
    return fault == FAULT_NONE ? FAULT_NONE : note_start(client, fault);
}

/* Reads what the engine has said since its last answer, which nobody asked for. */
static enum fault drain(struct hub_client *client)
{
    size_t before = process_bytes(client->process);

    while (process_bytes(client->process) - before <= client->settings.flood_bytes) {
        char *line;
        switch (process_read(client->process, 0, &line)) {
        case PROCESS_LINE:
            if (hub_dialogue_take(&client->dialogue, line) == DIALOGUE_DONE) {
                return FAULT_NONSENSE;
            }
            break;
        case PROCESS_SILENT:
            return FAULT_NONE;
        case PROCESS_LONG:
            return FAULT_FLOOD;
        case PROCESS_FINISHED:
            return FAULT_CRASH;
        }
    }
    return FAULT_FLOOD;
}

enum fault hub_client_new_game(struct hub_client *client, const struct play_watch *watch)
{
    /* What an engine did after its last game is no fault of this one: it is started afresh. */
    if (client->process && drain(client) != FAULT_NONE) {
        end_process(client, 0, NULL);
    }
    if (!client->process) {
        enum fault fault = start(client, watch);
        if (fault != FAULT_NONE || !client->process) {
            return fault;
        }
    }
    enum fault fault = send(client, "new-game\n", clock_seconds() + client->settings.start_seconds);
    return fault == FAULT_NONE ? FAULT_NONE : note_start(client, fault);
}

/* --- asking ------------------------------------------------------------------------------------*/

/* Puts the question; the answer is in the dialogue. */
static enum fault ask(struct hub_client *client, const char *question,
                      const struct play_watch *watch, bool *given_up)
{
    enum fault fault = drain(client);

    if (fault != FAULT_NONE) {
        return fault;
    }
    hub_dialogue_ask(&client->dialogue);
    double deadline = clock_seconds() + client->settings.limits.seconds + client->settings.margin;
    fault = send(client, question, deadline);
    return fault != FAULT_NONE ? fault : await(client, DIALOGUE_DONE, deadline, watch, given_up);
}

static enum fault note_answer(struct hub_client *client, const struct game *game, enum fault fault)
{
    char what[HUB_TEXT];

    switch (fault) {
    case FAULT_HANG:
        snprintf(what, sizeof what, "no move within %g s at ply %d",
                 client->settings.limits.seconds + client->settings.margin, game->plies);
        break;
    case FAULT_ILLEGAL:
    case FAULT_NONSENSE:
        snprintf(what, sizeof what, "move '%.60s' at ply %d", client->dialogue.move, game->plies);
        break;
    default:
        snprintf(what, sizeof what, "at ply %d", game->plies);
    }
    return note(client, fault, what);
}

bool hub_client_move(struct hub_client *client, const struct game *game,
                     const struct play_watch *watch, struct hub_reply *reply, struct err *err)
{
    *reply = (struct hub_reply){0};
    if (!client->process) {
        reply->fault = note(client, FAULT_START, "not running");
        return true;
    }
    char *question = hub_dialogue_question(game, &client->settings.limits);
    if (!question) {
        return err_set(err, ERR_FAILED, "out of memory for a game of %d plies", game->plies);
    }
    reply->fault = ask(client, question, watch, &reply->given_up);
    free(question);
    if (reply->given_up) {
        end_process(client, 0, NULL);
        return true;
    }
    if (reply->fault == FAULT_NONE) {
        reply->fault = hub_dialogue_move(game, client->dialogue.move, &reply->move);
    }
    reply->score = client->dialogue.score;
    reply->depth = client->dialogue.depth;
    reply->nodes = client->dialogue.nodes;
    if (reply->fault != FAULT_NONE) {
        reply->fault = note_answer(client, game, reply->fault);
    }
    return true;
}
