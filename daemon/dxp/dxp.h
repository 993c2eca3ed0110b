/* Messages of the DamExchange Protocol (DXP), by which draughts programs play one another: texts of
 * fixed fields, each ended by a NUL on the wire, read and written as values.
 *
 *     R 01 name(32) follower's colour W|Z minutes(3) moves(3) A | B turn W|Z board(50 of w z W Z e)
 *     A name(32) code       code 0: accepted
 *     M seconds(4) from(2) to(2) n(2) taken(2 each)
 *     E reason stop         reason 0 unknown, 1 I lose, 2 draw, 3 I win; stop 0: another game may
 * follow C text B number(3) colour    asks to go back to a move K code                answers that;
 * 0: granted */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/board/rules.h"

enum {
    DXP_NAME = 33,    /* with a NUL */
    DXP_SQUARES = 50, /* the protocol knows the large board only */
    DXP_TAKEN = 20,
    DXP_SIZE = 130, /* characters of a message with its NUL, at most */
    DXP_TEXT = DXP_SIZE - 2,
};

enum dxp_kind {
    DXP_REQUEST = 'R',
    DXP_ACCEPT = 'A',
    DXP_MOVE = 'M',
    DXP_END = 'E',
    DXP_CHAT = 'C',
    DXP_BACK = 'B',
    DXP_BACK_ANSWER = 'K',
};

enum dxp_reason { DXP_UNKNOWN, DXP_I_LOSE, DXP_DRAW, DXP_I_WIN };

enum dxp_accept { DXP_ACCEPTED, DXP_OTHER_VERSION, DXP_NOT_ACCEPTED };

/* One message; only the members of its kind have a meaning. */
struct dxp_message {
    enum dxp_kind kind;
    char name[DXP_NAME];         /* R, A: without the blanks behind it */
    int version;                 /* R */
    enum colour colour;          /* R: the follower's; B: whose move */
    int minutes, moves;          /* R */
    bool set_up;                 /* R: a position follows, else the opening position is meant */
    enum colour turn;            /* of that position */
    char board[DXP_SQUARES + 1]; /* of that position: square 1 first */
    int code;                    /* A: enum dxp_accept; K */
    int seconds;                 /* M: of thought */
    int from, to, count;         /* M: squares, pieces taken */
    uint8_t taken[DXP_TAKEN];    /* M: their squares, in any order */
    enum dxp_reason reason;      /* E: of who sends it */
    int stop;                    /* E */
    char text[DXP_TEXT];         /* C */
    int number;                  /* B */
};

/* Reads text[size], without its NUL. ERR_USAGE: an unknown kind, a field that is not as above, more
 * or less than the kind has. */
bool dxp_read(const char *text, size_t size, struct dxp_message *message, struct err *err);

/* Writes a message with its NUL; returns how many characters that is. */
size_t dxp_write(const struct dxp_message *message, char out[DXP_SIZE]);
