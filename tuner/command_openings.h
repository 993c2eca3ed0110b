/* The command openings of draughts-train. */
#pragma once

#include <stdbool.h>

#include "engine/base/commands.h"

/* Lists balanced openings on standard output; the program's settings are struct settings. */
bool command_openings(const struct invocation *invocation, struct err *err);
