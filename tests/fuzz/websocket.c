/* Frames as a client may send them, to a socket that echoes: what comes back are frames as a server
 * may send them, nothing stands behind a close, and a message that comes back was within the limit.
 * A message that begins with c has the socket closed, one with h has it held until the next piece.
 * The first byte of the input tells the size of the pieces in which the rest arrives. */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/net/websocket.h"
#include "fuzz.h"

enum { MESSAGE = 300, FRAGMENTS = 8, PIECES = 32, TURNS = 4 };

struct echo {
    struct event_base *base;
    struct websocket *socket;
    int gone;
};

static void on_message(void *context, bool text, const char *data, size_t size)
{
    const struct echo *echo = context;

    fuzz_require(size <= MESSAGE, "a message is within its limit");
    fuzz_require(echo->gone == 0, "nothing comes behind the end");
    websocket_send(echo->socket, text, data, size);
    if (size > 0 && data[0] == 'c') {
        websocket_close(echo->socket, WEBSOCKET_AWAY, "as wished");
    } else if (size > 0 && data[0] == 'h') {
        websocket_hold(echo->socket, true);
    }
}

static void on_heard(void *context)
{
    (void)context;
}

static void on_gone(void *context)
{
    ((struct echo *)context)->gone++;
}

/* Everything that was sent back. */
static void check_frames(struct evbuffer *input)
{
    const size_t size = evbuffer_get_length(input);
    const unsigned char *data = size > 0 ? evbuffer_pullup(input, -1) : NULL;
    bool closed = false;

    for (size_t at = 0; at < size;) {
        fuzz_require(!closed, "nothing stands behind a close");
        fuzz_require(size - at >= 2, "a frame is whole");
        unsigned opcode = data[at] & 15;
        size_t length = data[at + 1], head = 2;
        fuzz_require((data[at] & 0xf0) == 0x80, "final, no reserved bit");
        fuzz_require(length < 127, "a server does not mask, and no message is so long");
        if (length == 126) {
            fuzz_require(size - at >= 4, "a frame is whole");
            length = (size_t)data[at + 2] << 8 | data[at + 3];
            fuzz_require(length > 125 && length <= MESSAGE, "the shortest form of a length");
            head = 4;
        }
        fuzz_require(opcode == 1 || opcode == 2 || opcode == 8 || opcode == 9 || opcode == 10,
                     "an opcode that is known");
        fuzz_require(opcode < 8 || length <= 125, "a control frame is short");
        fuzz_require(size - at >= head + length, "a frame is whole");
        closed = opcode == 8;
        at += head + length;
    }
}

/* --- both ends ------------------------------------------------------------------------------- */

static struct event_base *make_base(void)
{
    struct event_config *config = event_config_new();

    fuzz_require(config != NULL, "there is memory");
    event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST); /* fewer system calls */
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    fuzz_require(base != NULL, "there is memory");
    return base;
}

static void turn(struct event_base *base, int times)
{
    for (int i = 0; i < times; i++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
    }
}

/* Takes what the server has said, until it says no more. */
static void hear(const struct echo *echo, int fd, struct evbuffer *heard)
{
    int got;

    do {
        turn(echo->base, TURNS);
        got = evbuffer_read(heard, fd, -1);
    } while (got > 0);
}

/* Sends a piece; false: the server has gone. */
static bool say(const struct echo *echo, int fd, struct evbuffer *heard, const uint8_t *data,
                size_t size)
{
    size_t at = 0;

    while (at < size) {
        ssize_t sent = send(fd, data + at, size - at, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) {
            hear(echo, fd, heard); /* both are full */
        } else if (sent < 0 && errno != EINTR) {
            return false;
        }
        at += sent > 0 ? (size_t)sent : 0;
    }
    turn(echo->base, 1);
    return true;
}

static void converse(struct echo *echo, int fd, const uint8_t *data, size_t size)
{
    const size_t piece = data[0] > 0 ? (size - 1) / PIECES + data[0] : 4096;
    struct evbuffer *heard = evbuffer_new();

    fuzz_require(heard != NULL, "there is memory");
    for (size_t at = 1; at < size; at += piece) {
        if (!say(echo, fd, heard, data + at, piece < size - at ? piece : size - at)) {
            break;
        }
        websocket_hold(echo->socket, false);
    }
    hear(echo, fd, heard);
    check_frames(heard);
    evbuffer_free(heard);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct websocket_limits limits = {
        .message = MESSAGE, .fragments = FRAGMENTS, .output = 1 << 20, .ping = {.tv_sec = 3600}};
    static struct event_base *base; /* one for all inputs, which is much quicker */
    struct echo echo = {.base = base == NULL ? base = make_base() : base};
    const struct websocket_owner owner = {
        .context = &echo, .message = on_message, .heard = on_heard, .gone = on_gone};
    int fd[2];

    if (size == 0) {
        return 0;
    }
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0, "sockets are had");
    struct bufferevent *server = bufferevent_socket_new(base, fd[0], BEV_OPT_CLOSE_ON_FREE);
    fuzz_require(server != NULL, "there is memory");
    echo.socket = websocket_create(server, &limits, &owner);
    fuzz_require(echo.socket != NULL, "there is memory");
    converse(&echo, fd[1], data, size);
    close(fd[1]);
    turn(base, TURNS);
    fuzz_require(echo.gone == 1, "the end is told, and once");
    websocket_destroy(echo.socket);
    bufferevent_free(server);
    turn(base, 1); /* libevent frees late */
    return 0;
}
