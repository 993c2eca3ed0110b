/* A hosted game whose events are decided one by one, as the daemon's store would keep them. */
#pragma once

#include "daemon/game/decide.h"

enum { ANN = 11, BEN = 22, EVE = 33, EVENTS_MAX = 128 };

struct bout {
    struct hosted hosted;
    struct event events[EVENTS_MAX];
    int64_t now;
};

/* Ann hosts. fen NULL: from the opening position. bout_end ends it. */
void bout_begin(struct bout *bout, const char *rules, const char *fen, enum opponent opponent,
                enum colour host);
struct asking bout_by(const struct bout *bout, int64_t person);

/* Stores and applies a verdict's event. */
void bout_does(struct bout *bout, struct verdict verdict);

/* The verdict is a refusal of this kind, with this reason and a text. */
void bout_refuses(struct verdict verdict, enum verdict_kind kind, const char *reason);

/* Somebody makes a move, or the computer, which is to. */
void bout_moves(struct bout *bout, int64_t person, const char *move);
void bout_replies(struct bout *bout, const char *text);

/* What becomes of Ann's move by squares, up to a 0. */
struct verdict bout_path(const struct bout *bout, int ply, const int *squares);

/* Plays the events once more and compares. */
void bout_end(struct bout *bout);
