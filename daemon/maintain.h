/* What an operator does to the store while the daemon runs, or does not: draughtsd backup, verify.
 */
#pragma once

#include <stdbool.h>

/* Whether argv[1] is one of these commands. */
bool maintain_is(int argc, char *const argv[]);

/* Runs it; returns the exit status. */
int maintain_main(int argc, char *argv[]);
