/* Records: what goes in comes out, and no other bytes do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/game/bytes.h"

enum { PLIES_AT = 56 }; /* docs/formats.md: bytes before the plies */

static void assert_same(const struct record *a, const struct record *b)
{
    assert_int_equal(a->number, b->number);
    assert_true(position_equal(&a->start, &b->start));
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->opening_plies, b->opening_plies);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->reason, b->reason);
    for (int i = 0; i < a->plies; i++) {
        assert_true(move_equal(&a->ply[i].move, &b->ply[i].move));
        assert_int_equal(a->ply[i].score, b->ply[i].score);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int index = 0; index < VARIANT_COUNT; index++) {
        const struct variant *variant = variant_at(index);
        for (int64_t number = 0; number < 200; number++) {
            struct record record = random_record(variant, number), again;
            struct err err = {0};
            size_t size;
            uint8_t *bytes = encoded(variant, &record, &size);
            assert_int_equal(record_number(bytes, size), number);
            if (!record_decode(bytes, size, variant, &again, &err)) {
                fail_msg("%s", err.text);
            }
            assert_same(&record, &again);
            record_fini(&again);
            record_fini(&record);
            free(bytes);
        }
    }
}

static void test_replay(void **state)
{
    (void)state;
    const struct variant *variant = &variant_international;
    struct record record = random_record(variant, 5);
    struct game game;
    enum end_reason reason;
    assert_true(record_replay(&record, variant, &game, NULL));
    assert_int_equal(game.plies, record.plies);
    assert_int_equal(game_outcome(&game, &reason), record.outcome);
    assert_int_equal(reason, record.reason);
    game_fini(&game);
    record_fini(&record);
}

/* The bytes are the same on every machine: the layout itself, for one known game. */
static void test_layout(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    struct record record = random_record(variant, 258);
    size_t size;
    uint8_t *bytes = encoded(variant, &record, &size);
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[1], record.outcome);
    assert_int_equal(bytes[3], BLACK);
    assert_int_equal(bytes_get16(bytes + 6), 6);
    assert_int_equal(bytes_get32(bytes + 8), record.plies);
    assert_int_equal(bytes[16], 2);
    assert_int_equal(bytes[17], 1);
    assert_int_equal(bytes_get64(bytes + 24), 0xfff00000); /* White's men: squares 21 to 32 */
    assert_int_equal(bytes_get64(bytes + 32), 0x00000fff);
    assert_int_equal(bytes[PLIES_AT], bit_to_square(variant->rules, record.ply[0].move.from));
    assert_int_equal((int16_t)bytes_get16(bytes + PLIES_AT + 2), SCORE_NONE);
    free(bytes);
    record_fini(&record);
}

static void assert_refused(const uint8_t *bytes, size_t size, const char *text)
{
    struct record record;
    struct err err = {0};
    assert_false(record_decode(bytes, size, &variant_classic, &record, &err));
    assert_int_equal(err.code, ERR_FAILED);
    if (strstr(err.text, text) == NULL) {
        fail_msg("'%s' does not say '%s'", err.text, text);
    }
}

static void test_refused(void **state)
{
    (void)state;
    struct record record = random_record(&variant_classic, 3);
    size_t size;
    uint8_t *good = encoded(&variant_classic, &record, &size);
    uint8_t *bad = malloc(size + 1);
    assert_non_null(bad);
    size_t chosen = PLIES_AT; /* where the first ply that a player chose begins */
    for (int ply = 0; ply < 6; ply++) {
        chosen += 5u + good[chosen + 4];
    }
    struct {
        size_t at;
        uint8_t value;
        const char *text;
    } faults[] = {
        {0, 5, "format"},
        {0, 4, "header"},
        {0, 2, "header"},
        {1, OUTCOME_OPEN, "result"},
        {2, END_NONE, "result"},
        {3, 2, "no position"},
        {5, 1, "header"},
        {7, 255, "header"},
        {32 + 2, 0x10, "no position"}, /* a black man on White's square 21 */
        {32 + 3, 0x10, "no position"}, /* on White's home row */
        {32 + 4, 1, "no position"},    /* on square 33 */
        {PLIES_AT, 33, "no move"},     /* from a square that is not there */
        {PLIES_AT, 1, "not legal"},    /* from where nothing can move */
        {PLIES_AT + 2, 7, "score"},    /* a random ply with a score */
        {chosen + 3, 0x7f, "score"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        memcpy(bad, good, size);
        bad[faults[i].at] = faults[i].value;
        assert_refused(bad, size, faults[i].text);
    }
    memcpy(bad, good, size);
    bad[size] = 0;
    assert_refused(bad, size + 1, "bytes follow");
    for (size_t cut = 0; cut < size; cut++) {
        assert_refused(good, cut, "");
    }
    free(bad);
    free(good);
    record_fini(&record);
}

/* A game that ended by a player's fault, in a position that the rules leave open. */
static void test_fault(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    struct record whole = random_record(variant, 5), record, read;
    struct game game;
    struct record_ply notes[4096] = {0};
    size_t size;

    assert_true(record_replay(&whole, variant, &game, NULL));
    game_take_back(&game);
    record_fini(&whole);
    assert_true(record_make_fault(&game, 9, 2, notes, WHITE, FAULT_ILLEGAL, &record, NULL));
    game_fini(&game);
    uint8_t *bytes = encoded(variant, &record, &size);
    assert_int_equal(bytes[0], 2);
    assert_int_equal(bytes[1], OUTCOME_BLACK_WINS);
    assert_int_equal(bytes[2], END_NONE);
    assert_int_equal(bytes[5], FAULT_ILLEGAL);
    assert_int_equal(record_number(bytes, size), 9);
    assert_true(record_decode(bytes, size, variant, &read, NULL));
    assert_int_equal(read.fault, FAULT_ILLEGAL);
    assert_int_equal(read.outcome, OUTCOME_BLACK_WINS);
    assert_int_equal(read.plies, record.plies);
    record_fini(&read);
    bytes[5] = FAULTS;
    assert_refused(bytes, size, "header");
    bytes[5] = FAULT_NONE;
    assert_refused(bytes, size, "header");
    bytes[5] = FAULT_CRASH;
    bytes[1] = OUTCOME_DRAW;
    assert_refused(bytes, size, "result");
    bytes[1] = OUTCOME_WHITE_WINS;
    bytes[2] = END_NO_MOVES;
    assert_refused(bytes, size, "result");
    free(bytes);
    record_fini(&record);
}

/* A game that its scores ended, in a position that the rules leave open. */
static void test_adjudicated(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    struct record whole = random_record(variant, 5), record, read;
    struct game game;
    struct record_ply notes[4096] = {0};
    size_t size;

    assert_true(record_replay(&whole, variant, &game, NULL));
    game_take_back(&game);
    record_fini(&whole);
    assert_true(record_make_adjudicated(&game, 9, 2, notes, ADJUDICATION_RESIGNED,
                                        OUTCOME_WHITE_WINS, &record, NULL));
    game_fini(&game);
    assert_string_equal(record_end_name(&record), "resigned");
    uint8_t *bytes = encoded(variant, &record, &size);
    assert_int_equal(bytes[0], 4);
    assert_int_equal(bytes[2], END_NONE);
    assert_int_equal(bytes[12], 1);
    assert_true(record_decode(bytes, size, variant, &read, NULL));
    assert_int_equal(read.adjudication, ADJUDICATION_RESIGNED);
    assert_int_equal(read.outcome, OUTCOME_WHITE_WINS);
    record_fini(&read);
    record.timed = true;
    size_t timed;
    uint8_t *with_times = encoded(variant, &record, &timed);
    assert_int_equal(with_times[0], 3);
    assert_true(record_decode(with_times, timed, variant, &read, NULL));
    assert_true(read.timed);
    assert_int_equal(read.adjudication, ADJUDICATION_RESIGNED);
    record_fini(&read);
    with_times[12] = 0;
    assert_refused(with_times, timed, "result");
    free(with_times);
    bytes[1] = OUTCOME_DRAW;
    assert_refused(bytes, size, "result");
    bytes[12] = ADJUDICATION_DRAWN;
    assert_true(record_decode(bytes, size, variant, &read, NULL));
    assert_string_equal(record_end_name(&read), "agreed draw");
    record_fini(&read);
    bytes[1] = 4;
    assert_refused(bytes, size, "result");
    bytes[12] = 3;
    assert_refused(bytes, size, "header");
    bytes[12] = 0;
    assert_refused(bytes, size, "header");
    free(bytes);
    record_fini(&record);
}

/* Depth and time go in and out; in the opening there are none. */
static void test_timed(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    struct record record = random_record(variant, 3), read;
    int first = record.opening_plies, last = record.plies - 1;
    size_t untimed, size;

    free(encoded(variant, &record, &untimed));
    record.timed = true;
    record.ply[first].depth = 200;
    record.ply[first].microseconds = 0x12345678;
    record.ply[last].microseconds = UINT32_MAX;
    uint8_t *bytes = encoded(variant, &record, &size);
    assert_int_equal(bytes[0], 3);
    assert_int_equal(size, untimed + 5 * (size_t)record.plies);
    assert_true(record_decode(bytes, size, variant, &read, NULL));
    assert_same(&record, &read);
    assert_true(read.timed);
    assert_int_equal(read.ply[first].depth, 200);
    assert_int_equal(read.ply[first].microseconds, 0x12345678);
    assert_int_equal(read.ply[first + 1].depth, 0);
    assert_int_equal(read.ply[last].microseconds, UINT32_MAX);
    record_fini(&read);
    bytes[PLIES_AT + 5] = 1;
    assert_refused(bytes, size, "score");
    bytes[PLIES_AT + 5] = 0;
    bytes[0] = 1;
    assert_refused(bytes, size, "");
    free(bytes);
    record_fini(&record);
}

/* A game that was played on after its end by the 25-move rule: each move legal, the end as
 * described, and yet no game. */
static void test_played_on(void **state)
{
    (void)state;
    const struct variant *variant = &variant_classic;
    struct record record;
    int64_t number = 0;
    for (record = random_record(variant, 0); record.reason != END_QUIET && number < 1000;) {
        record_fini(&record);
        record = random_record(variant, ++number);
    }
    assert_int_equal(record.reason, END_QUIET);
    struct game game;
    struct move_list list;
    struct record_ply notes[4096] = {0};
    size_t size;
    assert_true(record_replay(&record, variant, &game, NULL));
    record_fini(&record);
    variant->moves(game_now(&game), &list);
    int quiet = 0;
    while (quiet < list.count &&
           !(list.move[quiet].taken == 0 &&
             (game_now(&game)->kings[game_now(&game)->turn] & bit(list.move[quiet].from)) != 0)) {
        quiet++;
    }
    assert_true(quiet < list.count && game_play(&game, &list.move[quiet]));
    assert_true(record_make(&game, 0, 0, notes, &record, NULL));
    game_fini(&game);
    uint8_t *bytes = encoded(variant, &record, &size);
    assert_refused(bytes, size, "over before");
    free(bytes);
    record_fini(&record);
}

/* Whatever a byte is changed to: refused, or another record; never the same one, never a crash. */
static void test_no_byte_idle(void **state)
{
    (void)state;
    struct record record = random_record(&variant_flying, 4);
    size_t size, again_size;
    uint8_t *bytes = encoded(&variant_flying, &record, &size);
    for (size_t at = 0; at < size; at++) {
        struct record other;
        bytes[at] ^= (uint8_t)(1 + at % 255);
        if (record_decode(bytes, size, &variant_flying, &other, NULL)) {
            uint8_t *again = encoded(&variant_flying, &other, &again_size);
            assert_int_equal(again_size, size);
            assert_memory_equal(again, bytes, size);
            free(again);
            record_fini(&other);
        }
        bytes[at] ^= (uint8_t)(1 + at % 255);
    }
    free(bytes);
    record_fini(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_replay),
        cmocka_unit_test(test_layout),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_played_on),  cmocka_unit_test(test_no_byte_idle),
        cmocka_unit_test(test_fault),      cmocka_unit_test(test_adjudicated),
        cmocka_unit_test(test_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
