/* The follower's side of DXP as a state machine: messages in, messages out, and word when a move is
 * to be searched for. It knows no socket and no clock. */
#pragma once

#include "daemon/dxp/dxp.h"
#include "engine/rules/game.h"

enum dxp_state {
    DXP_IDLE,   /* waits for a request for a game */
    DXP_OURS,   /* a move of ours is to be searched for */
    DXP_THEIRS, /* waits for their move */
    DXP_ENDING, /* has said that the game is over, waits for the other to say so */
};

struct dxp_session {
    enum dxp_state state;
    const struct variant *variant;
    char name[DXP_NAME], opponent[DXP_NAME];
    bool serving; /* games are accepted; the caller's to set */
    enum colour own;
    struct game game; /* in all states but DXP_IDLE */
};

/* What is to be done behind a message or a move. */
struct dxp_reply {
    char text[2 * DXP_SIZE]; /* messages to send, each with its NUL */
    size_t size;
    bool close; /* behind what is sent */
};

/* The rule set must be one of 50 squares. */
void dxp_session_init(struct dxp_session *session, const struct variant *variant, const char *name);
void dxp_session_fini(struct dxp_session *session);

/* Takes a message, without its NUL. Whenever the state is DXP_OURS behind it and was not before, a
 * search for session->game begins; when it was and is not, that search is to be given up. What is
 * no message, or comes at a wrong time, ends game and connection. */
void dxp_session_receive(struct dxp_session *session, const char *text, size_t size,
                         struct dxp_reply *reply);

/* Plays our move, which was searched for so long; the state must be DXP_OURS. */
void dxp_session_move(struct dxp_session *session, const struct move *move, double seconds,
                      struct dxp_reply *reply);

/* Ends game and connection. */
void dxp_session_stop(struct dxp_session *session, struct dxp_reply *reply);
