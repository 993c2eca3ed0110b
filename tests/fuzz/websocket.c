/* Frames as a client may send them, to a socket that echoes: what comes back are frames as a server
 * may send them, nothing stands behind a close, and a message that comes back was within the limit.
 * The first byte of the input tells the size of the pieces in which the rest arrives. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/net/websocket.h"
#include "fuzz.h"

enum { MESSAGE = 300, FRAGMENTS = 8, PIECES = 32 };

struct echo {
    struct websocket *socket;
    int gone;
};

static void on_message(void *context, bool text, const char *data, size_t size)
{
    const struct echo *echo = context;

    fuzz_require(size <= MESSAGE, "a message is within its limit");
    fuzz_require(echo->gone == 0, "nothing comes behind the end");
    websocket_send(echo->socket, text, data, size);
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

static void turn(struct event_base *base)
{
    for (int i = 0; i < 4; i++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct websocket_limits limits = {
        .message = MESSAGE, .fragments = FRAGMENTS, .output = 1 << 20, .ping = {.tv_sec = 3600}};
    struct echo echo = {.gone = 0};
    const struct websocket_owner owner = {
        .context = &echo, .message = on_message, .heard = on_heard, .gone = on_gone};
    static struct event_base *base; /* one for all inputs, which is much quicker */
    const size_t piece = size > 0 && data[0] > 0 ? (size - 1) / PIECES + data[0] : 4096;
    int fd[2];

    if (base == NULL) {
        base = event_base_new();
    }
    fuzz_require(base != NULL && socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0, "sockets are had");
    evutil_make_socket_nonblocking(fd[0]);
    evutil_make_socket_nonblocking(fd[1]);
    struct bufferevent *server = bufferevent_socket_new(base, fd[0], BEV_OPT_CLOSE_ON_FREE);
    struct bufferevent *client = bufferevent_socket_new(base, fd[1], BEV_OPT_CLOSE_ON_FREE);
    fuzz_require(server != NULL && client != NULL, "there is memory");
    bufferevent_enable(client, EV_READ | EV_WRITE);
    echo.socket = websocket_create(server, &limits, &owner);
    fuzz_require(echo.socket != NULL, "there is memory");
    for (size_t at = 1; at < size; at += piece) {
        bufferevent_write(client, data + at, piece < size - at ? piece : size - at);
        turn(base);
    }
    turn(base);
    check_frames(bufferevent_get_input(client));
    bufferevent_free(client);
    turn(base);
    fuzz_require(echo.gone <= 1, "the end is told once");
    websocket_destroy(echo.socket);
    bufferevent_free(server);
    turn(base); /* libevent frees late */
    return 0;
}
