/* One WebSocket over a pair of buffers: what its owner is told, the bounds, the pings, the end.
 * What RFC 6455 asks of frames is tests/live/conformance.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/net/websocket.h"
#include "engine/base/clock.h"

/* The server's end is under test; the client's is bytes. */
struct fixture {
    struct event_base *base;
    struct bufferevent *server, *client;
    struct websocket *socket;
    int messages, heard, gone;
    size_t size; /* of the last message */
};

static void on_message(void *context, bool text, const char *data, size_t size)
{
    struct fixture *fixture = context;

    (void)text;
    (void)data;
    fixture->messages++;
    fixture->size = size;
}

static void on_heard(void *context)
{
    ((struct fixture *)context)->heard++;
}

static void on_gone(void *context)
{
    ((struct fixture *)context)->gone++;
}

static int setup_with(void **state, struct timeval ping)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct websocket_limits limits = {
        .message = 1000, .fragments = 4, .patience = 0.2, .output = 100000, .ping = ping};
    const struct websocket_owner owner = {
        .context = fixture, .message = on_message, .heard = on_heard, .gone = on_gone};
    int fd[2];

    assert_non_null(fixture);
    fixture->base = event_base_new();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(evutil_make_socket_nonblocking(fd[0]), 0);
    assert_int_equal(evutil_make_socket_nonblocking(fd[1]), 0);
    fixture->server = bufferevent_socket_new(fixture->base, fd[0], BEV_OPT_CLOSE_ON_FREE);
    fixture->client = bufferevent_socket_new(fixture->base, fd[1], BEV_OPT_CLOSE_ON_FREE);
    bufferevent_enable(fixture->client, EV_READ | EV_WRITE);
    fixture->socket = websocket_create(fixture->server, &limits, &owner);
    assert_non_null(fixture->socket);
    *state = fixture;
    return 0;
}

static int setup(void **state)
{
    return setup_with(state, (struct timeval){.tv_sec = 60});
}

static int setup_impatient(void **state)
{
    return setup_with(state, (struct timeval){.tv_usec = 200000});
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    websocket_destroy(fixture->socket);
    bufferevent_free(fixture->server);
    if (fixture->client != NULL) {
        bufferevent_free(fixture->client);
    }
    event_base_loop(fixture->base, EVLOOP_NONBLOCK); /* libevent frees late */
    event_base_free(fixture->base);
    free(fixture);
    return 0;
}

/* Lets time pass. */
static void turn(struct fixture *fixture, double seconds)
{
    const double until = clock_seconds() + seconds;

    do {
        const struct timeval step = {.tv_usec = 1000};
        event_base_loopexit(fixture->base, &step);
        event_base_dispatch(fixture->base);
    } while (clock_seconds() < until);
}

/* A frame with a mask of zeros. */
static void client_sends(struct fixture *fixture, unsigned first, size_t size)
{
    unsigned char head[8] = {(unsigned char)first, (unsigned char)(0x80 | size)}, payload[2000];
    size_t head_size = 6;

    if (size > 125) {
        head[1] = 0xfe;
        head[2] = (unsigned char)(size >> 8);
        head[3] = (unsigned char)size;
        head_size = 8;
    }
    memset(payload, 'x', sizeof payload);
    assert_int_equal(bufferevent_write(fixture->client, head, head_size), 0);
    assert_int_equal(bufferevent_write(fixture->client, payload, size), 0);
    turn(fixture, 0.005);
}

/* The first byte of what has come back, and for a close its code; the frame is taken. */
static int client_gets(struct fixture *fixture, int *code)
{
    struct evbuffer *input = bufferevent_get_input(fixture->client);
    unsigned char frame[128] = {0};

    turn(fixture, 0.005);
    if (evbuffer_get_length(input) < 2) {
        return -1;
    }
    evbuffer_remove(input, frame, 2);
    evbuffer_remove(input, frame + 2, frame[1]);
    *code = frame[1] >= 2 ? frame[2] << 8 | frame[3] : 0;
    return frame[0];
}

static void test_messages_come_whole(void **state)
{
    struct fixture *fixture = *state;

    client_sends(fixture, 0x01, 10); /* text, more follows */
    assert_int_equal(fixture->messages, 0);
    client_sends(fixture, 0x80, 10);
    assert_int_equal(fixture->messages, 1);
    assert_int_equal(fixture->size, 20);
    assert_true(fixture->heard > 0);
}

static void test_too_long(void **state)
{
    struct fixture *fixture = *state;
    int code;

    client_sends(fixture, 0x81, 1001);
    assert_int_equal(client_gets(fixture, &code), 0x88);
    assert_int_equal(code, 1009);
    assert_int_equal(fixture->messages, 0);
}

static void test_too_many_fragments(void **state)
{
    struct fixture *fixture = *state;
    int code;

    client_sends(fixture, 0x01, 1);
    for (int i = 0; i < 4; i++) {
        client_sends(fixture, 0x00, 1);
    }
    assert_int_equal(client_gets(fixture, &code), 0x88);
    assert_int_equal(code, 1008);
}

static void test_a_message_in_drips(void **state)
{
    struct fixture *fixture = *state;
    const unsigned char head[] = {0x81, 0xfd, 0, 0, 0, 0};
    int code, sent = 0;

    bufferevent_write(fixture->client, head, sizeof head);
    for (; sent < 100 && evbuffer_get_length(bufferevent_get_input(fixture->client)) == 0; sent++) {
        bufferevent_write(fixture->client, "x", 1);
        turn(fixture, 0.01);
    }
    assert_int_equal(client_gets(fixture, &code), 0x88);
    assert_int_equal(code, 1008);
    assert_true(sent > 2);
}

/* Waits until the client gets a frame. */
static int await_frame(struct fixture *fixture)
{
    int code, first = -1;

    for (int i = 0; i < 1000 && first < 0; i++) {
        first = client_gets(fixture, &code);
    }
    return first;
}

static void test_silence_is_pinged_then_dropped(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(await_frame(fixture), 0x89);
    client_sends(fixture, 0x8a, 0); /* a pong: it lives */
    assert_int_equal(await_frame(fixture), 0x89);
    assert_int_equal(fixture->gone, 0);
    for (int i = 0; i < 1000 && fixture->gone == 0; i++) {
        turn(fixture, 0.005);
    }
    assert_int_equal(fixture->gone, 1);
}

static void test_a_slow_reader_is_dropped(void **state)
{
    struct fixture *fixture = *state;
    char data[1000] = "";
    int sent = 0;

    bufferevent_disable(fixture->client, EV_READ);
    for (; sent < 3000 && fixture->gone == 0; sent++) {
        websocket_send(fixture->socket, true, data, sizeof data);
        if (sent % 20 == 0) {
            turn(fixture, 0.001);
        }
    }
    turn(fixture, 0.01);
    assert_int_equal(fixture->gone, 1);
    assert_true(sent >= 100);
}

/* Pings without reading fill the sender's own buffers. */
static void test_pongs_are_bounded(void **state)
{
    struct fixture *fixture = *state;

    bufferevent_disable(fixture->client, EV_READ);
    for (int i = 0; i < 20000; i++) {
        unsigned char ping[131] = {0x89, 0xfd};
        bufferevent_write(fixture->client, ping, sizeof ping);
        if (i % 100 == 0) {
            turn(fixture, 0.0005);
        }
    }
    turn(fixture, 0.01);
    assert_true(evbuffer_get_length(bufferevent_get_output(fixture->server)) < 200000);
    assert_true(evbuffer_get_length(bufferevent_get_output(fixture->client)) > 100000);
}

static void test_an_orderly_end(void **state)
{
    struct fixture *fixture = *state;
    int code;

    websocket_close(fixture->socket, WEBSOCKET_SESSION, "log-out");
    websocket_send(fixture->socket, true, "late", 4); /* nothing behind a close */
    assert_int_equal(client_gets(fixture, &code), 0x88);
    assert_int_equal(code, 4001);
    assert_int_equal(client_gets(fixture, &code), -1);
    client_sends(fixture, 0x81, 5); /* crossed the close */
    assert_int_equal(fixture->messages, 0);
    client_sends(fixture, 0x88, 0);
    assert_int_equal(fixture->gone, 0); /* it waits for the client to close */
    bufferevent_free(fixture->client);
    fixture->client = NULL;
    turn(fixture, 0.01);
    assert_int_equal(fixture->gone, 1);
}

static void test_held(void **state)
{
    struct fixture *fixture = *state;

    websocket_hold(fixture->socket, true);
    client_sends(fixture, 0x81, 5);
    assert_int_equal(fixture->messages, 0);
    websocket_hold(fixture->socket, false);
    turn(fixture, 0.005);
    assert_int_equal(fixture->messages, 1);
}

static void test_the_other_end_goes(void **state)
{
    struct fixture *fixture = *state;

    bufferevent_free(fixture->client);
    fixture->client = NULL;
    turn(fixture, 0.01);
    assert_int_equal(fixture->gone, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_messages_come_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_long, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_many_fragments, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_message_in_drips, setup, teardown),
        cmocka_unit_test_setup_teardown(test_silence_is_pinged_then_dropped, setup_impatient,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_slow_reader_is_dropped, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pongs_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_orderly_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_held, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_other_end_goes, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
