/* A game that the daemon hosts, as a value: who plays, what has happened, what that makes of it.
 *
 * A game is the sum of its events. decide.h turns what somebody asks for into an event or a
 * refusal; hosted_apply adds an event. The same setup with the same events is the same game: the
 * store keeps only these, and a restart plays them again. */
#pragma once

#include "engine/board/path.h"
#include "engine/rules/game.h"
#include "engine/rules/notation.h"
#include "engine/search/level.h"

enum opponent { OPPONENT_COMPUTER, OPPONENT_LOCAL, OPPONENT_FRIEND };

enum { OPPONENT_KINDS = 3, HOSTED_WEIGHTS_ID = 17, NOBODY = 0 };

/* "computer", "local", "friend". */
const char *opponent_name(enum opponent opponent);

/* What is fixed when a game is made. */
struct hosted_setup {
    const struct variant *variant;
    struct position start;
    bool set_up; /* not the rules' opening position: such a win opens no level */
    enum opponent opponent;
    enum colour host;                   /* the colour of the one who made the game */
    int64_t host_person;                /* who that is; never NOBODY */
    struct level level;                 /* the computer's; number 0: no computer */
    uint64_t seed;                      /* of the level's random choices */
    char weights_id[HOSTED_WEIGHTS_ID]; /* what the computer plays with; "": no computer */
    int64_t created;                    /* seconds since 1970 */
};

enum event_kind {
    EVENT_STEP, /* a half-made capture: start and squares landed on, "4,27" */
    EVENT_MOVE, /* machine form */
    EVENT_UNDO, /* plies taken back; "0": only a half-made capture */
    EVENT_HINT, /* the move shown */
    EVENT_RESIGN,
    EVENT_OFFER, /* of a draw */
    EVENT_ACCEPT,
    EVENT_DECLINE,
    EVENT_WITHDRAW,
    EVENT_JOIN,  /* the friend's number */
    EVENT_CLAIM, /* the game of an opponent who has gone */
    EVENT_EXPIRE,
};

enum { EVENT_KINDS = EVENT_EXPIRE + 1 };

/* "step", "move", … */
const char *event_name(enum event_kind kind);

enum { EVENT_TEXT = MOVE_TEXT };

struct event {
    enum event_kind kind;
    enum colour side; /* whose doing; of no meaning for EVENT_EXPIRE */
    int64_t at;       /* seconds since 1970 */
    char text[EVENT_TEXT];
};

/* Why a game is over beside the reasons of the board. */
enum given { GIVEN_NONE, GIVEN_RESIGNED, GIVEN_AGREED, GIVEN_CLAIMED, GIVEN_EXPIRED };

struct hosted {
    struct hosted_setup setup;
    struct game game;
    int64_t person[2];              /* by colour; NOBODY: the computer or nobody yet */
    uint8_t half[PATH_SQUARES + 1]; /* a half-made capture: start and squares landed on */
    int half_count;                 /* 0: none */
    enum given given;
    enum outcome given_outcome; /* OUTCOME_OPEN for GIVEN_EXPIRED */
    bool offered;               /* a draw offer stands */
    enum colour offerer;
    int offer_ply[2];     /* by colour: the ply of the last offer; -1: none */
    int undos, hints;     /* undos that took something back, hints shown */
    char hint[MOVE_TEXT]; /* for the present position; "": none */
    int events;
    int64_t changed; /* when the last event was, or the game made */
};

/* A fresh game. False only when memory is out. */
bool hosted_init(struct hosted *hosted, const struct hosted_setup *setup);
void hosted_fini(struct hosted *hosted);

/* A copy that shares nothing. False only when memory is out. */
bool hosted_copy(struct hosted *copy, const struct hosted *hosted);

/* Adds an event that decide.h made, or that a store has kept. ERR_FAILED when memory is out or the
 * event does not fit the game: the store is damaged then. */
bool hosted_apply(struct hosted *hosted, const struct event *event, struct err *err);

/* Result and reason; OUTCOME_OPEN with a reason that is not "open" is an expired game. */
enum outcome hosted_outcome(const struct hosted *hosted, const char **reason);
bool hosted_over(const struct hosted *hosted);

static inline enum colour hosted_turn(const struct hosted *hosted)
{
    return (enum colour)game_now(&hosted->game)->turn;
}

/* A friend's game that nobody has joined yet. */
bool hosted_waiting(const struct hosted *hosted);

/* The computer is to answer: with a move, or to the draw it was offered. */
bool hosted_thinking(const struct hosted *hosted);
bool hosted_judging(const struct hosted *hosted);

/* The colours that a person plays, as bits 1 << colour; 0: none. */
unsigned hosted_sides(const struct hosted *hosted, int64_t person);

/* What keeps a win of this game from opening the next level: "undo", "hint", "set-up position";
 * NULL: nothing does. Said of games against the computer only. */
const char *hosted_spoiled(const struct hosted *hosted);

/* Whether the person has won against the computer in a way that opens the next level. */
bool hosted_clean_win(const struct hosted *hosted);

/* The setup of the next game between the same two, with colours exchanged: who plays second now
 * plays first then. */
struct hosted_setup hosted_rematch(const struct hosted *hosted, uint64_t seed, int64_t now);
