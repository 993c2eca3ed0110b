/* What the tests of PDN share: a reading with all that came of it. */
#pragma once

#include "engine/pdn/pdn_read.h"

enum { FAULTS_KEPT = 8, GAMES_KEPT = 512, FAULT_TEXT = 512 };

struct reading {
    int games, moves, faults;
    int fault_line[FAULTS_KEPT], fault_game[FAULTS_KEPT]; /* the first ones */
    char fault[FAULTS_KEPT][FAULT_TEXT];
    struct game game[GAMES_KEPT]; /* the first ones, ended by reading_fini */
    enum outcome outcome[GAMES_KEPT];
};

/* Reads a text; fails the test when the reader does not go through to its end. The caller ends
 * the reading with reading_fini and free. */
struct reading *reading_of(const char *text, size_t size, const struct variant *given);
void reading_fini(struct reading *reading);

/* Complains unless the text of the one game has this fault at this line, or none (NULL). */
void check_fault(const char *text, int line, const char *what);
