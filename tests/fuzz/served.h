/* What the targets that ask the daemon find in it: a few people, a few games, small levels. */
#pragma once

#include "daemon/api/identity.h"
#include "daemon/think/artefacts.h"
#include "fuzz.h"

enum { SERVED_ANN, SERVED_BEN, SERVED_SHOP, SERVED_PEOPLE }; /* a player, a guest, a back end */

struct served {
    char directory[FUZZ_PATH], store[FUZZ_PATH + 16];
    struct artefacts *artefacts;
    char token[SERVED_PEOPLE][TOKEN_TEXT]; /* the same whenever it is made */
};

/* Ann's games are "computer", "capture" (local, in which a capture must be made), "waiting" (for a
 * friend), "friend" (against Ben) and "over" (lost to the computer). */
void served_make(struct served *served);

/* Removes the files. */
void served_remove(const struct served *served);
