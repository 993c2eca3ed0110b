/* An external draughts engine that is played against: a child process that speaks Hub.
 *
 * Whatever the engine does, each call returns within the times set, with a fault that says what
 * went wrong. After a fault the process is gone; the next game starts a new one. One thread at a
 * time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "selfplay/external/fault.h"
#include "selfplay/external/hub_dialogue.h"
#include "selfplay/farm/watch.h"

struct hub_client_settings {
    const char *command;           /* as the shell takes it; not owned */
    const char *parameters;        /* "name=value name=value", sent by set-param; not owned */
    struct hub_limits_sent limits; /* of a move */
    double margin;                 /* seconds a move may take beyond limits.seconds */
    double start_seconds;          /* from its start until it is ready */
    size_t flood_bytes;            /* more than this from one question to its answer is a flood */
};

enum { HUB_CLIENT_FLOOD = 1 << 24, HUB_CLIENT_DETAIL = 384 };

struct hub_client;

/* Nothing is started yet. settings is copied, its texts are not. NULL with ERR_USAGE when the
 * parameters are no such text, ERR_FAILED when memory is out. */
struct hub_client *hub_client_create(const struct variant *variant,
                                     const struct hub_client_settings *settings, struct err *err);

/* Ends the engine, which has half a second to go by itself; takes NULL. */
void hub_client_destroy(struct hub_client *client);

/* Starts the engine unless it runs, and tells it that a game begins. FAULT_START, or FAULT_NONE,
 * also when `watch` gave up; then, as after a fault, hub_client_move must not be counted on. */
enum fault hub_client_new_game(struct hub_client *client, const struct play_watch *watch);

struct hub_reply {
    enum fault fault;
    bool given_up; /* watch said so; the engine has been ended */
    struct move move;
    int score;      /* mover's view, hundredths of a man; 0 when it told none */
    int depth;      /* 0 when it told none */
    uint64_t nodes; /* 0 when it told none */
};

/* The engine's move in the game's present position, which has a legal one. False only when memory
 * is out. */
bool hub_client_move(struct hub_client *client, const struct game *game,
                     const struct play_watch *watch, struct hub_reply *reply, struct err *err);

/* The last fault in one line: "crashed: killed by signal 11"; "" before the first. */
const char *hub_client_detail(const struct hub_client *client);

/* The name the engine gives itself, "" when it has not been started or gives none. */
const char *hub_client_name(const struct hub_client *client);
