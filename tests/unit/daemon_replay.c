/* Requests with a key are done once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/net/replay.h"

static const struct request ASKED = {.method = METHOD_POST,
                                     .path = "/v1/games",
                                     .body = "{}",
                                     .body_size = 2,
                                     .address = "192.0.2.1"};

static int setup(void **state)
{
    *state = replays_create();
    return *state == NULL;
}

static int teardown(void **state)
{
    replays_destroy(*state);
    return 0;
}

static struct replay *first(struct replays *replays, const struct request *request, const char *key)
{
    struct replay *replay;

    assert_int_equal(replays_begin(replays, request, key, 100, &replay), REPLAY_NEW);
    assert_non_null(replay);
    return replay;
}

static enum replay_verdict again(struct replays *replays, const struct request *request,
                                 const char *key, int64_t now)
{
    struct replay *replay;

    return replays_begin(replays, request, key, now, &replay);
}

static void test_an_answer_is_given_again(void **state)
{
    struct replays *replays = *state;
    struct response response = response_text(201, "text/plain", "made", 4);
    struct request other = ASKED;
    struct replay *replay = first(replays, &ASKED, "a");

    assert_int_equal(again(replays, &ASKED, "a", 100), REPLAY_BUSY);
    replay_finish(replay, &response);
    response_fini(&response);
    assert_int_equal(replays_begin(replays, &ASKED, "a", 101, &replay), REPLAY_KNOWN);
    struct response copy = replay_response(replay);
    assert_int_equal(copy.status, 201);
    assert_int_equal(copy.body_size, 4);
    assert_memory_equal(copy.body, "made", 4);
    response_fini(&copy);
    other.body = "{ ";
    assert_int_equal(again(replays, &other, "a", 101), REPLAY_OTHER);
    other = ASKED;
    other.path = "/v1/games/x/undo";
    assert_int_equal(again(replays, &other, "a", 101), REPLAY_OTHER);
    assert_int_equal(again(replays, &ASKED, "a", 100 + 86401), REPLAY_NEW);
}

static void test_a_key_is_its_senders(void **state)
{
    struct replays *replays = *state;
    struct request other = ASKED;

    first(replays, &ASKED, "a");
    other.address = "192.0.2.2";
    assert_int_equal(again(replays, &other, "a", 100), REPLAY_NEW);
    other.authorization = "Bearer x";
    assert_int_equal(again(replays, &other, "a", 100), REPLAY_NEW);
    other.address = "192.0.2.3"; /* the same token from elsewhere */
    assert_int_equal(again(replays, &other, "a", 100), REPLAY_BUSY);
}

static void test_what_failed_may_be_tried_again(void **state)
{
    struct replays *replays = *state;
    static const int STATUS[] = {429, 500, 503, 507};

    for (size_t i = 0; i < sizeof STATUS / sizeof STATUS[0]; i++) {
        const struct response response = {.status = STATUS[i]};
        replay_finish(first(replays, &ASKED, "a"), &response);
    }
    replay_forget(first(replays, &ASKED, "a"));
    first(replays, &ASKED, "a");
}

static void test_keys_refused(void **state)
{
    char longest[REPLAY_KEY + 2];

    memset(longest, 'k', sizeof longest);
    longest[REPLAY_KEY + 1] = '\0';
    assert_int_equal(again(*state, &ASKED, longest, 1), REPLAY_BAD);
    longest[REPLAY_KEY] = '\0';
    assert_int_equal(again(*state, &ASKED, longest, 1), REPLAY_NEW);
    assert_int_equal(again(*state, &ASKED, "", 1), REPLAY_BAD);
    assert_int_equal(again(*state, &ASKED, "a b", 1), REPLAY_BAD);
    assert_int_equal(again(*state, &ASKED, "\xc3\xbc", 1), REPLAY_BAD);
}

/* The oldest answers make room; what is being done stays. */
static void test_a_full_ring(void **state)
{
    const struct response response = {.status = 204};
    char key[16];

    first(*state, &ASKED, "busy");
    for (int i = 0; i < 2 * REPLAYS; i++) {
        snprintf(key, sizeof key, "%d", i);
        replay_finish(first(*state, &ASKED, key), &response);
    }
    assert_int_equal(again(*state, &ASKED, "busy", 100), REPLAY_BUSY);
    assert_int_equal(again(*state, &ASKED, key, 100), REPLAY_KNOWN);
    assert_int_equal(again(*state, &ASKED, "0", 100), REPLAY_NEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_an_answer_is_given_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_key_is_its_senders, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_failed_may_be_tried_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keys_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_full_ring, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
