/* The hashing threads: what fits, what does not, a full queue, an end with work waiting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/identity.h"
#include "daemon/people/hasher.h"

enum { WAIT_MS = 20000 };

static struct hash_work *new_work(const char *password, const char *against, const char *fresh)
{
    struct hash_work *work = hash_work_create();

    assert_non_null(work);
    snprintf(work->password, sizeof work->password, "%s", password);
    snprintf(work->against, sizeof work->against, "%s", against);
    snprintf(work->fresh, sizeof work->fresh, "%s", fresh);
    return work;
}

static struct hash_work *await(struct hasher *hasher)
{
    struct pollfd ready = {.fd = hasher_fd(hasher), .events = POLLIN};

    assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
    struct hash_work *work = hasher_take(hasher);
    assert_non_null(work);
    assert_null(work->next);
    return work;
}

static struct hash_work *done(struct hasher *hasher, struct hash_work *work)
{
    assert_true(hasher_submit(hasher, work));
    assert_ptr_equal(await(hasher), work);
    assert_false(work->failed);
    return work;
}

static void test_a_password_fits_its_own_hash_only(void **state)
{
    struct err err;
    struct hasher *hasher = hasher_create(1, 4, &err);
    char hash[PASSWORD_HASH];

    (void)state;
    assert_non_null(hasher);
    struct hash_work *work = done(hasher, new_work("", "", "correct horse"));
    assert_true(work->matches);
    memcpy(hash, work->made, sizeof hash);
    assert_int_equal(strncmp(hash, "$argon2id$v=19$m=19456,t=2,p=1$", 31), 0);
    hash_work_destroy(work);

    work = done(hasher, new_work("correct horse", hash, ""));
    assert_true(work->matches);
    assert_string_equal(work->made, "");
    hash_work_destroy(work);

    work = done(hasher, new_work("correct horsf", hash, "something else"));
    assert_false(work->matches);
    assert_string_equal(work->made, "");
    hash_work_destroy(work);

    work = done(hasher, new_work("correct horse", hash, "something else"));
    assert_true(work->matches);
    assert_string_not_equal(work->made, hash);
    hash_work_destroy(work);

    work = new_work("correct horse", hash, "");
    work->decoy = true;
    work = done(hasher, work);
    assert_false(work->matches);
    assert_string_equal(work->made, "");
    hash_work_destroy(work);
    hasher_destroy(hasher);
}

static void test_a_full_queue_refuses(void **state)
{
    struct err err;
    struct hasher *hasher = hasher_create(1, 0, &err);
    struct hash_work *work = new_work("", "", "correct horse");

    (void)state;
    assert_non_null(hasher);
    assert_false(hasher_submit(hasher, work));
    hash_work_destroy(work);
    hasher_destroy(hasher);
}

static void test_an_end_with_work_waiting(void **state)
{
    struct err err;
    struct hasher *hasher = hasher_create(2, 16, &err);

    (void)state;
    assert_non_null(hasher);
    for (int i = 0; i < 16; i++) {
        assert_true(hasher_submit(hasher, new_work("", "", "correct horse")));
    }
    hasher_destroy(hasher);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_password_fits_its_own_hash_only),
        cmocka_unit_test(test_a_full_queue_refuses),
        cmocka_unit_test(test_an_end_with_work_waiting),
    };
    struct err err;

    return identity_init(&err) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
