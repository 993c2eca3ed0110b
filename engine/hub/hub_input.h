/* Lines from a file descriptor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/hub/hub_line.h"

enum hub_event {
    HUB_EVENT_LINE,     /* a line came; the last one may lack its end */
    HUB_EVENT_TOO_LONG, /* a line of HUB_LINE bytes or more came and was dropped */
    HUB_EVENT_END,      /* end of input, or it cannot be read */
};

struct hub_input {
    int fd; /* not owned */
    size_t used;
    bool dropping; /* within a line that is too long */
    bool ended;
    char buffer[HUB_LINE];
};

/* Waits for the next line. It is written to line[HUB_LINE] without its end, NUL bytes as '?'. */
enum hub_event hub_input_next(struct hub_input *input, char *line);
