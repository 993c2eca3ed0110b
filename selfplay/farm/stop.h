/* A clean stop asked for by a signal: SIGINT, SIGTERM or SIGUSR1 (the last is what batch systems
 * send ahead of a time limit).
 *
 * The signals are blocked and looked for, not handled: there is no handler and so no global flag.
 * A job that is being stopped has about a second before mpirun kills it, so look often. */
#pragma once

#include <stdbool.h>

struct stop {
    int signal; /* the one that asked for the stop; 0: none yet */
};

/* Blocks the signals. Call it first of all in main: threads started later, MPI's among them,
 * inherit the mask, and so do child processes. */
void stop_prepare(struct stop *stop);

/* Whether a stop has been asked for, here, on this rank; a system call of well under a
 * microsecond. After the first signal SIGINT is let through again, so that a second one ends the
 * program at once. Only the thread that called stop_prepare may call it. */
bool stop_requested(struct stop *stop);
