/* Cuts at the borders of games. */
#include "selfplay/store/cutting.h"

#include <stdlib.h>

/* A cut without rows goes on: there are no shards without rows. */
static bool close_cut(struct cutting *cutting, bool *closed)
{
    *closed = cutting->rows > 0;
    if (!*closed) {
        return true;
    }
    if (cutting->count == cutting->room) {
        size_t room = 2 * cutting->room + 16;
        struct shard_cut *grown = realloc(cutting->cut, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        cutting->cut = grown;
        cutting->room = room;
    }
    cutting->cut[cutting->count++] = cutting->open;
    cutting->open = (struct shard_cut){.index = (int64_t)cutting->count};
    cutting->rows = 0;
    return true;
}

bool cutting_add(struct cutting *cutting, int64_t rows, int64_t begin, int64_t end, bool *closed)
{
    *closed = false;
    if (cutting->rows + rows > cutting->rows_max && !close_cut(cutting, closed)) {
        return false;
    }
    if (cutting->open.games++ == 0) {
        cutting->open.begin = begin;
    }
    cutting->open.end = end;
    cutting->rows += rows;
    return true;
}

bool cutting_end(struct cutting *cutting, bool *closed)
{
    return close_cut(cutting, closed);
}

void cutting_fini(struct cutting *cutting)
{
    free(cutting->cut);
    *cutting = (struct cutting){0};
}
