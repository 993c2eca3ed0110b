/* The report of a run: one HTML file that needs nothing else, with tables of the results, the loss
 * curve and the ladder of levels for each rule set and generation. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"

/* Writes `directory`/report.html, atomically, from the catalogue alone; works while a run is under
 * way. Gives the path in `path` (FILE_PATH bytes). ERR_USAGE when the directory is no run. */
bool report_write(const char *directory, char *path, struct err *err);
