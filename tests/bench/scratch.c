#include "tests/bench/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scratch_make(char out[64], struct err *err)
{
    snprintf(out, 64, "/tmp/draughts-bench-XXXXXX");
    return mkdtemp(out) != NULL || err_set(err, ERR_FAILED, "%s: %s", out, strerror(errno));
}

bool scratch_remove(const char *directory, struct err *err)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command) == 0 || err_set(err, ERR_FAILED, "%s: cannot remove it", directory);
}
