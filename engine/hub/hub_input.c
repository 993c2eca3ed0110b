/* Reading lines with read(2): a line of any length and any bytes is taken or dropped, whole. */
#include "engine/hub/hub_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Moves the first `length` bytes to line and drops `taken` bytes from the buffer. */
static void take(struct hub_input *input, size_t length, size_t taken, char *line)
{
    for (size_t i = 0; i < length; i++) {
        line[i] = input->buffer[i] != '\0' ? input->buffer[i] : '?';
    }
    line[length] = '\0';
    input->used -= taken;
    memmove(input->buffer, input->buffer + taken, input->used);
}

/* Waits for bytes and reads some. */
static void fill(struct hub_input *input)
{
    ssize_t got = read(input->fd, input->buffer + input->used, HUB_LINE - input->used);
    if (got > 0) {
        input->used += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        input->ended = true;
    }
}

enum hub_event hub_input_next(struct hub_input *input, char *line)
{
    for (;;) {
        char *end = memchr(input->buffer, '\n', input->used);
        bool dropped = input->dropping;
        if (end != NULL) {
            size_t length = (size_t)(end - input->buffer);
            input->dropping = false;
            take(input, length, length + 1, line);
            return dropped ? HUB_EVENT_TOO_LONG : HUB_EVENT_LINE;
        }
        if (input->used == HUB_LINE) {
            input->dropping = true;
            input->used = 0;
        }
        if (input->ended) {
            if (input->used == 0 && !dropped) {
                return HUB_EVENT_END;
            }
            input->dropping = false;
            take(input, input->used, input->used, line);
            return dropped ? HUB_EVENT_TOO_LONG : HUB_EVENT_LINE;
        }
        fill(input);
    }
}
