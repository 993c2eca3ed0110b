/* Damaged request bodies: whatever comes in, a well-formed answer of an expected status goes out.
 * Mutations are drawn from a counter, so that a failure can be repeated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api.h"
#include "engine/base/rng.h"

enum { ROUNDS = 60000, SIZE = 512 };

static const char *const SEEDS[] = {
    "{\"rules\":\"international\",\"fen\":\"W:WK4:B13,32,37,20\"}",
    "{\"rules\":\"flying\",\"fen\":\"B:W18,22-25,K3:BK32,6,7.\",\"moves\":[]}",
    "{\"rules\":\"classic\",\"moves\":[\"9-13\",\"22-18\",\"13-17\",\"21x14x17\"]}",
    "{\"rules\":\"classic\",\"moves\":\"9-13 22-18 13-17 21x14\",\"level\":1,\"seed\":5}",
    "{\"rules\":\"international\",\"level\":6,\"seed\":9007199254740991}",
    "{\"rules\":\"flying\",\"fen\":\"W:WK32:B6,7,8,14,15,16,22,23,24\",\"level\":2}",
};
enum { SEED_COUNT = sizeof SEEDS / sizeof SEEDS[0] };

/* A seed damaged one to four times: a byte changed or removed, the rest doubled, a piece of another
 * seed put in, or just another digit. */
static size_t mutate(const struct rng *rng, uint64_t *draw, char out[SIZE])
{
    static const char ALPHABET[] = "{}[]\",:0123456789-xWBK.\\u \n\xc3\xff\x01";
    const char *seed = SEEDS[rng_below(rng, (*draw)++, SEED_COUNT)];
    size_t length = strnlen(seed, SIZE - 1);

    memset(out, 0, SIZE);
    memcpy(out, seed, length);
    for (uint32_t n = rng_below(rng, (*draw)++, 4) + 1; n > 0 && length > 0; n--) {
        size_t at = rng_below(rng, (*draw)++, (uint32_t)length);
        switch (rng_below(rng, (*draw)++, 8)) {
        case 0:
            out[at] = ALPHABET[rng_below(rng, (*draw)++, sizeof ALPHABET - 1)];
            break;
        case 1:
            memmove(out + at, out + at + 1, length - at - 1);
            length--;
            break;
        case 2:
            if (2 * length - at < SIZE) {
                memmove(out + length, out + at, length - at);
                length += length - at;
            }
            break;
        case 3: {
            const char *other = SEEDS[rng_below(rng, (*draw)++, SEED_COUNT)];
            size_t from = rng_below(rng, (*draw)++, (uint32_t)strlen(other));
            size_t part = strnlen(other, SIZE) - from;
            if (at + part < SIZE) {
                memcpy(out + at, other + from, part);
                length = at + part > length ? at + part : length;
            }
            break;
        }
        default: /* keeps the form: another digit */
            at += strcspn(out + at, "0123456789");
            if (at < length) {
                out[at] = (char)('0' + rng_below(rng, (*draw)++, 10));
            }
        }
    }
    return length;
}

static void fill(struct artefacts *artefacts)
{
    struct artefact artefact;

    memset(&artefact, 0, sizeof artefact);
    artefact.levels.count = LEVELS_MAX;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        artefact.variant = variant_at(i);
        artefacts_put(artefacts, &artefact);
    }
}

static void test_damaged_bodies(void **state)
{
    struct artefacts *artefacts = artefacts_create();
    struct metrics metrics = {.searches = 0};
    const struct api api = {.artefacts = artefacts, .metrics = &metrics};
    const struct rng rng = rng_make(1, RNG_TEST, 0);
    uint64_t draw = 0;
    int good = 0, tasks = 0;

    (void)state;
    assert_non_null(artefacts);
    fill(artefacts);
    for (int round = 0; round < ROUNDS; round++) {
        char body[SIZE];
        struct request request = {.method = METHOD_POST,
                                  .path = round % 2 == 0 ? "/v1/moves" : "/v1/bestmove",
                                  .content_type = "application/json"};
        request.body_size = mutate(&rng, &draw, body);
        request.body = memcpy(malloc(request.body_size + 1), body, request.body_size);
        struct answer answer = api_handle(&api, &request);
        int status = answer.task != NULL ? 200 : answer.response.status;
        assert_true(status == 200 || status == 400 || status == 409);
        if (answer.task == NULL) {
            json_t *json = json_loadb(answer.response.body, answer.response.body_size, 0, NULL);
            assert_non_null(json);
            json_decref(json);
        }
        good += status == 200;
        tasks += answer.task != NULL;
        task_destroy(answer.task);
        response_fini(&answer.response);
        free((char *)(uintptr_t)request.body);
    }
    /* The mutations must neither all pass nor all fail, or they test nothing. */
    assert_in_range(good, ROUNDS / 100, ROUNDS / 2);
    assert_in_range(tasks, ROUNDS / 1000, ROUNDS / 2);
    artefacts_release(artefacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_bodies)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
