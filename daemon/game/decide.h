/* What may happen next in a hosted game: each function takes the game and what somebody asks for,
 * and gives the event that is to be stored, or says why not. They change nothing. */
#pragma once

#include "daemon/game/hosted.h"

enum verdict_kind {
    VERDICT_EVENT,    /* the event is to be stored and applied */
    VERDICT_REPEATED, /* it has been done already: a request sent twice */
    VERDICT_STRANGER, /* who asks does not play this game */
    VERDICT_OVER,     /* the game is over */
    VERDICT_STALE,    /* the ply is not the game's */
    VERDICT_TURN,     /* the other side is to move */
    VERDICT_ILLEGAL,  /* no legal move; reason and text say why */
    VERDICT_WAITING,  /* nobody has joined yet */
    VERDICT_COMPUTER, /* only against the computer */
    VERDICT_NOTHING,  /* nothing to take back, no offer to answer, nobody to claim from */
    VERDICT_STANDS,   /* an offer stands, or this side has had its offer for this move */
    VERDICT_EARLY,    /* the opponent has not been gone for long enough */
    VERDICT_TAKEN,    /* both seats are taken */
};

struct verdict {
    enum verdict_kind kind;
    struct event event;  /* of VERDICT_EVENT */
    const char *reason;  /* of a refusal, for programs: "must-capture", "stale", … */
    char text[ERR_TEXT]; /* of a refusal, for people */
};

/* Who asks, and when. */
struct asking {
    int64_t person;
    int64_t now; /* seconds since 1970 */
};

/* A whole move as text, for a game of `ply` plies. The same move sent again for a ply that has it
 * is VERDICT_REPEATED. */
struct verdict decide_move(const struct hosted *hosted, struct asking asking, int ply,
                           const char *text);

/* A piece's start and the squares it lands on, squares[count]: EVENT_MOVE when that is a whole
 * move, EVENT_STEP when it is the beginning of a capture. A capture begun must be gone on with. */
struct verdict decide_path(const struct hosted *hosted, struct asking asking, int ply,
                           const int *squares, int count);

/* The squares that may follow the half-made capture, as a set; empty without one. *taken are the
 * pieces it has taken so far, which still stand. */
bitboard decide_next(const struct hosted *hosted, bitboard *taken);

/* Back to the person's own turn: a half-made capture only, else the person's last move and what the
 * computer answered. */
struct verdict decide_undo(const struct hosted *hosted, struct asking asking);

/* Whether a hint may be searched for, and the event when it has been. */
struct verdict decide_hint_wanted(const struct hosted *hosted, struct asking asking);
struct verdict decide_hint(const struct hosted *hosted, struct asking asking,
                           const struct move *move);

struct verdict decide_resign(const struct hosted *hosted, struct asking asking);

/* Draws: `kind` is EVENT_OFFER, EVENT_ACCEPT, EVENT_DECLINE or EVENT_WITHDRAW. Who plays both sides
 * offers for the side to move and answers for the other. One offer for each move. */
struct verdict decide_draw(const struct hosted *hosted, struct asking asking, enum event_kind kind);

/* A friend takes the free seat. */
struct verdict decide_join(const struct hosted *hosted, struct asking asking);

/* The win over an opponent in a friend's game who is to move and was last heard of at `heard`, more
 * than `patience` seconds ago. */
struct verdict decide_claim(const struct hosted *hosted, struct asking asking, int64_t heard,
                            int64_t patience);

/* The end of a game in which nothing has happened for `patience` seconds. */
struct verdict decide_expire(const struct hosted *hosted, int64_t now, int64_t patience);

/* The computer's move, and its answer to a draw offered when a search sees the position at `score`
 * from the side to move: it agrees when it is not ahead and both have made twenty moves. */
struct verdict decide_reply(const struct hosted *hosted, const struct move *move, int64_t now);
struct verdict decide_answer(const struct hosted *hosted, int score, int64_t now);
