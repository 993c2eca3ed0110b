/* The journal: whole entries come back, a torn or broken end never does. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/store/journal.h"

static const char ABOUT[] = "draughtsmith games, format 1\nrules=classic\nnodes=100\n";

enum { ENTRIES = 12 };

/* Entry number i: i + 1 bytes that depend on i. */
static size_t entry_of(int i, uint8_t out[64])
{
    for (int j = 0; j <= i; j++) {
        out[j] = (uint8_t)(7 * i + j);
    }
    return (size_t)i + 1;
}

/* Makes a journal of the entries 0 .. count - 1. */
static void make_journal(const char *path, int count)
{
    struct journal journal;
    uint8_t entry[64];
    assert_true(journal_open(&journal, path, ABOUT, 30, NULL));
    for (int i = 0; i < count; i++) {
        size_t size = entry_of(i, entry);
        assert_true(journal_append(&journal, entry, size, NULL));
    }
    assert_true(journal_close(&journal, NULL));
}

/* Checks that the file's entries are 0, 1, 2, ... but for `broken`, and returns how many there
 * are. */
static int entries_but(const char *path, int broken, bool *torn)
{
    struct journal_map map;
    struct err err = {0};
    uint8_t expected[64];
    const uint8_t *data;
    size_t size;
    int count = 0, next = 0;
    if (!journal_map(&map, path, ABOUT, &err)) {
        fail_msg("%s", err.text);
    }
    *torn = map.torn;
    while ((data = journal_next(&map, &size)) != NULL) {
        next += next == broken;
        assert_int_equal(size, entry_of(next++, expected));
        assert_memory_equal(data, expected, size);
        count++;
    }
    journal_unmap(&map);
    return count;
}

static int entries(const char *path, bool *torn)
{
    return entries_but(path, -1, torn);
}

static int setup(void **state)
{
    return scratch_setup(state, "one.journal");
}

static void test_append(void **state)
{
    struct scratch *scratch = *state;
    struct journal journal;
    struct err err = {0};
    bool torn;
    make_journal(scratch->path, ENTRIES);
    assert_int_equal(entries(scratch->path, &torn), ENTRIES);
    assert_false(torn);
    assert_false(journal_open(&journal, scratch->path, ABOUT, 30, &err));
    assert_non_null(strstr(err.text, scratch->path));
}

/* Cut at every byte: exactly the entries before the cut are there. */
static void test_every_cut(void **state)
{
    struct scratch *scratch = *state;
    size_t size, ends = JOURNAL_FRAME + strlen(ABOUT);
    int whole = 0;
    bool torn;
    make_journal(scratch->path, ENTRIES);
    uint8_t *bytes = slurp(scratch->path, &size);
    for (size_t cut = 0; cut <= size; cut++) {
        spit(scratch->path, bytes, cut);
        if (cut == ends + JOURNAL_FRAME + (size_t)whole + 1) {
            ends = cut;
            whole++;
        }
        assert_int_equal(entries(scratch->path, &torn), whole);
        assert_int_equal(torn, cut != ends && cut != 0);
    }
    assert_int_equal(whole, ENTRIES);
    free(bytes);
}

/* Any changed byte costs the entry it stands in, and no other. */
static void test_every_change(void **state)
{
    struct scratch *scratch = *state;
    size_t size;
    bool torn;
    make_journal(scratch->path, ENTRIES);
    uint8_t *bytes = slurp(scratch->path, &size);
    size_t end = JOURNAL_FRAME + strlen(ABOUT);
    int whole = 0;
    for (size_t at = end; at < size; at++) {
        if (at == end + JOURNAL_FRAME + (size_t)whole + 1) {
            end = at;
            whole++;
        }
        bytes[at] ^= 0x10;
        spit(scratch->path, bytes, size);
        assert_int_equal(entries_but(scratch->path, whole, &torn), ENTRIES - 1);
        assert_true(torn);
        bytes[at] ^= 0x10;
    }
    free(bytes);
}

/* An entry that belongs elsewhere (a stale block of the disk) is not taken for one here. */
static void test_moved_entry(void **state)
{
    struct scratch *scratch = *state;
    size_t size, head = JOURNAL_FRAME + strlen(ABOUT), first = JOURNAL_FRAME + 1;
    bool torn;
    make_journal(scratch->path, 1);
    uint8_t *bytes = slurp(scratch->path, &size);
    assert_int_equal(size, head + first);
    bytes = realloc(bytes, size + first);
    assert_non_null(bytes);
    memcpy(bytes + size, bytes + head, first);
    spit(scratch->path, bytes, size + first);
    assert_int_equal(entries(scratch->path, &torn), 1);
    assert_true(torn);
    free(bytes);
}

static void test_other_settings(void **state)
{
    struct scratch *scratch = *state;
    struct journal_map map;
    struct err err = {0};
    make_journal(scratch->path, 2);
    assert_false(journal_map(&map, scratch->path,
                             "draughtsmith games, format 1\nrules=classic\nnodes=200\n", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "'nodes=100'"));
    assert_non_null(strstr(err.text, "'nodes=200'"));
    assert_false(journal_map(&map, "/nonexistent/journal", ABOUT, &err));
    assert_int_equal(err.code, ERR_USAGE);
}

/* A disk that fills in the middle of an entry: said so, the entry is taken back, and the journal
 * goes on when there is room again. */
static void test_full_disk(void **state)
{
    struct scratch *scratch = *state;
    struct journal journal;
    struct err err = {0};
    struct rlimit before, limit;
    uint8_t entry[64];
    bool torn;
    assert_true(journal_open(&journal, scratch->path, ABOUT, 30, NULL));
    assert_true(journal_append(&journal, entry, entry_of(0, entry), NULL));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)journal.size + 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    size_t size = entry_of(1, entry);
    bool appended = journal_append(&journal, entry, size, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(appended);
    assert_int_equal(err.code, ERR_FAILED);
    assert_non_null(strstr(err.text, scratch->path));
    assert_int_equal(entries(scratch->path, &torn), 1);
    assert_false(torn);
    assert_true(journal_append(&journal, entry, size, NULL));
    assert_true(journal_close(&journal, NULL));
    assert_int_equal(entries(scratch->path, &torn), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_append, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_every_cut, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_every_change, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_moved_entry, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_other_settings, setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
