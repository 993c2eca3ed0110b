/* The moves of one PDN game, its variations too, played on a board. */
#pragma once

#include "engine/pdn/pdn_read.h"

/* Plays the words of game->text by the rules of game->game (begun by pdn_replay) and sends the
 * faults to the sink. False only when memory is out. */
bool pdn_replay(struct pdn_game *game, const struct variant *variant, const struct pdn_sink *sink,
                struct err *err);

/* Sends a fault of the game to the sink. */
void pdn_fault(struct pdn_game *game, const struct pdn_sink *sink, int line, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
