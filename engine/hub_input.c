/* Reading lines with poll(2), because stdio cannot wait until a moment. */
#include "engine/hub_input.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"

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

/* Milliseconds for poll, rounded up; -1: for ever. */
static int milliseconds(double until)
{
    if (until == 0) {
        return -1;
    }
    double left = (until - clock_seconds()) * 1000;
    if (left <= 0) {
        return 0;
    }
    return left < INT_MAX - 1 ? (int)left + 1 : INT_MAX;
}

/* Waits for bytes and reads some. False when the moment passed. */
static bool fill(struct hub_input *input, double until)
{
    struct pollfd wait = {.fd = input->fd, .events = POLLIN};
    int ready = poll(&wait, 1, milliseconds(until));
    if (ready == 0) {
        return clock_seconds() < until;
    }
    if (ready < 0) {
        input->ended = errno != EINTR;
        return true;
    }
    ssize_t got = read(input->fd, input->buffer + input->used, HUB_LINE - input->used);
    if (got > 0) {
        input->used += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        input->ended = true;
    }
    return true;
}

enum hub_event hub_input_next(struct hub_input *input, double until, char *line)
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
        if (!fill(input, until)) {
            return HUB_EVENT_TIME;
        }
    }
}
